// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// EVENT and its topic (wamp-proto, "Pattern-based Subscriptions").
extension WAMPGrantRules {
  @inline(__always)
  mutating func event(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    isSubscribing: Bool, _ realm: inout WAMPRealmSession, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    let subscription = message.first.key
    guard let grant = grants[message.first.space, subscription] else {
      return reportUngranted(&message, isSubscribing: isSubscribing, context, listener)
    }
    let details = array.dictionary(3)
    let isRepeated = events.remember(Self.mark(subscription, message.second.key))
    if isRepeated || details != nil || !ownPublications.isEmpty
      || grant.traits.intersection([.isPattern, .awaitsEcho, .isHeard]) != .isHeard
      || realm.joinsEvents
    {
      check(grant, isRepeated: isRepeated, details, bytes, &message, &realm, context, listener)
    }
  }

  private static func mark(_ subscription: UInt64, _ publication: UInt64) -> UInt64 {
    subscription &* 0x9E37_79B9_7F4A_7C15 &+ publication &* 0xD6E8_FEB8_6659_FD93
  }

  @inline(never)
  private mutating func check(
    _ grant: WAMPGrants.Grant, isRepeated: Bool, _ details: ByteRange?, _ bytes: RawSpan,
    _ message: inout Message, _ realm: inout WAMPRealmSession, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    let (subscription, publication) = (message.first.key, message.second.key)
    let isRetained = details.map {
      JSON.value(of: "retained", in: $0, bytes)?.kind == .yes
    }
    if isRetained == true {
      if !grant.traits.contains(.mayTakeRetained) && context.knowsAll {
        context.report(
          .retainedUnrequested, .warning, message,
          "a retained EVENT, but SUBSCRIBE did not ask for one with get_retained", listener)
      }
    } else if isRepeated && !context.mayHaveOthers {
      context.report(
        .eventDuplicate, .warning, message,
        "publication \(publication) has come to subscription \(subscription) before", listener)
    }
    if grant.traits.contains(.isPattern) {
      checkTopic(bytes, &message, context, listener)
    }
    if grant.traits.contains(.awaitsEcho) {
      // The publisher is not known: it may be the session's own event.
      grants[topic: grant.uri]?.isEchoed = true
      grants[message.first.space, subscription]?.traits.remove(.awaitsEcho)
    }
    if !grant.traits.contains(.isHeard) {
      grants[message.first.space, subscription]?.traits.insert(.isHeard)
    }
    realm.receive(
      grant, isReplayed: isRetained == true, hasPatterns: grants.hasPatterns, details, bytes,
      &message, context, listener)
    if !isRepeated && ownPublications.contains(publication) {
      grants[topic: grant.uri]?.isEchoed = true
      if reportedOwnEvent { return }
      reportedOwnEvent = true
      context.report(
        .eventSelf, .warning, message,
        "this session has published publication \(publication) itself, and did not ask for its own"
          + " event", listener)
    }
  }

  /// An EVENT of a pattern-based subscription must name a topic that matches the pattern.
  private func checkTopic(
    _ bytes: RawSpan, _ message: inout Message, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    guard !message.subject.isEmpty else {
      return context.report(
        .eventMissingTopic, .error, message,
        "EVENT of a pattern does not say which topic it is of", listener)
    }
    guard let pattern = grants[pattern: message.first.space, message.first.key] else { return }
    let topic = JSON.unescaped(bytes[message.subject])
    if !pattern.matches(topic.span.bytes) {
      context.report(
        .eventTopicMismatch, .error, message,
        "the topic of EVENT does not match"
          + " \(String(decoding: pattern.text, as: Unicode.UTF8.self)),"
          + " to which subscription \(message.first.key) is", listener)
    }
  }

  /// A publication that the session itself should not receive.
  mutating func remember(_ topic: UInt64, _ message: inout Message) {
    let publication = message.second.key
    guard let known = grants[topic: topic] else { return }
    // The router may have sent the event first.
    if events.contains(Self.mark(known.subscription, publication)) {
      grants[topic: topic]?.isEchoed = true
      return
    }
    if ownPublications.count >= 32 { ownPublications.removeFirst() }
    ownPublications.append(publication)
  }
}
