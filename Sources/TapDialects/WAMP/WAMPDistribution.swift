// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Which sessions receive a publication (wamp-proto, "Publish and Subscribe", "Subscriber Black-
/// and Whitelisting", "Publisher Exclusion").
extension WAMPDialect {
  public func distribution(of message: Message, _ bytes: RawSpan) -> Distribution? {
    var array = WAMPArray(maximumDepth: Limits.standard.nesting)
    array.isTerse = true
    array.read(bytes)
    guard let code = array.code else { return nil }
    switch code {
    case WAMPCode.welcome: return Self.welcome(&array, bytes)
    case WAMPCode.abort, WAMPCode.goodbye: return Distribution(.leaves)
    case WAMPCode.publish: return Self.publish(&array, bytes)
    case WAMPCode.subscribe: return Self.subscribe(message, &array, bytes)
    case WAMPCode.subscribed: return Self.named(.grants, &array, 2, bytes)
    case WAMPCode.unsubscribe: return Self.named(.unsubscribes, &array, 2, bytes)
    case WAMPCode.unsubscribed: return Self.revoked(&array, bytes)
    case WAMPCode.event:
      var event = Self.named(.delivers, &array, 1, bytes)
      if let details = array.dictionary(3) {
        event.isRetained = JSON.value(of: "retained", in: details, bytes)?.kind == .yes
        event.disclosed = Self.disclosed("publisher", details, bytes)
      }
      return event
    case WAMPCode.call: return Distribution(.calls)
    case WAMPCode.invocation:
      var invocation = Distribution(.invokes)
      invocation.disclosed = array.dictionary(3).flatMap { Self.disclosed("caller", $0, bytes) }
      return invocation
    // Other messages of calls, and ERROR, which can answer any request.
    case WAMPCode.error, WAMPCode.cancel, WAMPCode.result, WAMPCode.interrupt, WAMPCode.yield:
      return nil
    default: return Distribution(.none)
    }
  }

  /// For a message that has the id of a subscription.
  private static func named(
    _ act: Distribution.Act, _ array: inout WAMPArray, _ index: Int, _ bytes: RawSpan
  ) -> Distribution {
    var distribution = Distribution(act)
    if let id = array.number(index, bytes) { distribution.subscription = Array("\(id)".utf8) }
    return distribution
  }

  /// The session that publishes or calls (wamp-proto, "Publisher Identification", "Caller
  /// Identification").
  private static func disclosed(
    _ key: StaticString, _ details: ByteRange, _ bytes: RawSpan
  ) -> Distribution.Name? {
    guard let id = JSON.value(of: key, in: details, bytes), id.kind == .natural else { return nil }
    return Distribution.Name("session", bytes[id.range].copied())
  }

  /// With request 0, the router revokes a subscription.
  private static func revoked(_ array: inout WAMPArray, _ bytes: RawSpan) -> Distribution? {
    guard array.number(1, bytes) == 0, let details = array.dictionary(2),
      let id = JSON.value(of: "subscription", in: details, bytes), id.kind == .natural
    else { return nil }
    var distribution = Distribution(.unsubscribes)
    distribution.subscription = bytes[id.range].copied()
    return distribution
  }

  private static func welcome(_ array: inout WAMPArray, _ bytes: RawSpan) -> Distribution {
    var distribution = Distribution(.joins)
    if let id = array.number(1, bytes) {
      distribution.identity.append(Distribution.Name("session", Array("\(id)".utf8)))
    }
    guard let details = array.dictionary(2) else { return distribution }
    for key in ["authid", "authrole"] as [StaticString] {
      if let value = JSON.value(of: key, in: details, bytes), value.kind == .string {
        distribution.identity.append(Distribution.Name(key, bytes[value.content].copied()))
      }
    }
    return distribution
  }

  private static func subscribe(
    _ message: Message, _ array: inout WAMPArray, _ bytes: RawSpan
  ) -> Distribution {
    var distribution = Distribution(.subscribes)
    distribution.filters = [
      TopicFilter(
        bytes[message.subject].copied(),
        array.dictionary(2).map { match($0, bytes) } ?? .exact)
    ]
    return distribution
  }

  /// How the options of SUBSCRIBE and REGISTER say that URIs are compared (wamp-proto,
  /// "Pattern-based Subscriptions"): a wildcard pattern has the same number of components, and each
  /// is equal or empty in the pattern.
  static func match(_ options: ByteRange, _ bytes: RawSpan) -> TopicFilter.Form {
    guard let match = JSON.value(of: "match", in: options, bytes), match.kind == .string else {
      return .exact
    }
    if JSON.equals(bytes, match.content, "prefix") { return .prefix }
    return JSON.equals(bytes, match.content, "wildcard") ? .emptyParts(separator: .period) : .exact
  }

  private static let audiences: [(option: StaticString, name: StaticString, isExclusive: Bool)] = [
    ("exclude", "session", false), ("exclude_authid", "authid", false),
    ("exclude_authrole", "authrole", false), ("eligible", "session", true),
    ("eligible_authid", "authid", true), ("eligible_authrole", "authrole", true),
  ]

  private static func publish(_ array: inout WAMPArray, _ bytes: RawSpan) -> Distribution {
    var distribution = Distribution(.publishes)
    distribution.ownExclusion = "exclude_me"
    guard let options = array.dictionary(2) else { return distribution }
    if JSON.value(of: "exclude_me", in: options, bytes)?.kind == .no {
      distribution.ownExclusion = ""
    }
    for audience in audiences {
      guard let list = JSON.value(of: audience.option, in: options, bytes), list.kind == .array
      else { continue }
      var values: [[UInt8]] = []
      var elements = JSON.Members(ofArray: list.range)
      while let value = elements.next(bytes)?.value {
        values.append(bytes[value.text].copied())
      }
      distribution.restrictions.append(
        Distribution.Restriction(
          audience.option, audience.name, values, isExclusive: audience.isExclusive))
    }
    return distribution
  }
}
