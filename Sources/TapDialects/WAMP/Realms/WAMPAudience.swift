// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Which sessions a PUBLISH limits its EVENTs to, by their ids (wamp-proto, "Subscriber Black- and
/// Whitelisting").
struct WAMPAudience: Sendable {
  private var excluded: [UInt64] = []
  private var eligible: [UInt64]?

  /// Nil when the options name no sessions.
  init?(_ options: ByteRange, _ bytes: RawSpan) {
    excluded = Self.sessions("exclude", options, bytes) ?? []
    // An empty list is taken as if there were none by some routers.
    eligible = Self.sessions("eligible", options, bytes).flatMap { $0.isEmpty ? nil : $0 }
    if excluded.isEmpty && eligible == nil { return nil }
  }

  /// Nil also where the list has anything else.
  private static func sessions(
    _ key: StaticString, _ options: ByteRange, _ bytes: RawSpan
  ) -> [UInt64]? {
    guard let list = JSON.value(of: key, in: options, bytes), list.kind == .array else {
      return nil
    }
    var ids: [UInt64] = []
    var elements = JSON.Members(ofArray: list.range)
    while let value = elements.next(bytes)?.value {
      guard let id = JSON.natural(bytes, value.range) else { return nil }
      ids.append(id)
    }
    return ids
  }

  /// The option that keeps a session from receiving the EVENT; nil for none.
  func option(against session: UInt64) -> StaticString? {
    if excluded.contains(session) { return "exclude" }
    return eligible.map { $0.contains(session) } == false ? "eligible" : nil
  }
}
