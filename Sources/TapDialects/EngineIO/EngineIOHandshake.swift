// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of an OPEN (engine.io-protocol, "Handshake"). Ranges refer to the JSON after the
/// packet type.
struct EngineIOHandshake {
  private(set) var session: JSONElement?
  private(set) var upgrades: JSONElement?
  private(set) var pingInterval: JSONElement?
  private(set) var pingTimeout: JSONElement?
  private(set) var maxPayload: JSONElement?

  /// - Parameter object: a JSON object that was scanned without a problem.
  init(_ object: RawSpan) {
    let range = ByteRange(0, object.byteCount)
    session = JSON.value(of: "sid", in: range, object)
    upgrades = JSON.value(of: "upgrades", in: range, object)
    pingInterval = JSON.value(of: "pingInterval", in: range, object)
    pingTimeout = JSON.value(of: "pingTimeout", in: range, object)
    maxPayload = JSON.value(of: "maxPayload", in: range, object)
  }

  /// Describes the first key that is missing or of the wrong type; nil when there is none.
  var fault: String? {
    if session?.kind != .string { return Self.words(session, "sid", "a string") }
    if upgrades?.kind != .array { return Self.words(upgrades, "upgrades", "a list") }
    if pingInterval?.kind != .natural {
      return Self.words(pingInterval, "pingInterval", "an integer")
    }
    if pingTimeout?.kind != .natural {
      return Self.words(pingTimeout, "pingTimeout", "an integer")
    }
    if let maxPayload, maxPayload.kind != .natural {
      return Self.words(maxPayload, "maxPayload", "an integer")
    }
    return nil
  }

  private static func words(_ value: JSONElement?, _ key: String, _ type: String) -> String {
    value.map { "'\(key)' must be \(type); it is \($0.kind.description)" } ?? "'\(key)' is missing"
  }

  /// A value in milliseconds, as nanoseconds; nil when it is missing.
  static func nanoseconds(_ value: JSONElement?, _ object: RawSpan) -> Int64? {
    guard let value, value.kind == .natural,
      let milliseconds = JSON.natural(object, value.range), milliseconds <= 1 << 40
    else { return nil }
    return Int64(milliseconds) * 1_000_000
  }

  /// Notes for the message's line. The session id is a credential: it is enough to read and write.
  func note(_ object: RawSpan, into notes: inout ContiguousArray<Note>) {
    if let session, session.kind == .string, !session.isEmptyContent {
      notes.append(Note(.fact, "session", session.content))
      notes.append(Note(.secret, "session", session.content))
    } else if let session, session.kind != .string {
      notes.append(Note(.secret, "value", session.range))
    }
    if let upgrades, upgrades.kind == .array {
      var elements = JSON.Members(ofArray: upgrades.range)
      while let name = elements.next(object)?.value {
        if name.kind == .string { notes.append(Note(.fact, "upgrades", name.content)) }
      }
    }
    if let pingInterval { notes.append(Note(.fact, "ping interval", pingInterval.range)) }
    if let pingTimeout { notes.append(Note(.fact, "ping timeout", pingTimeout.range)) }
    if let maxPayload { notes.append(Note(.fact, "max payload", maxPayload.range)) }
  }
}
