// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// PUBLISH, SUBSCRIBE and REGISTER: what their options ask for, and what becomes of it.
extension WAMPSessionRules {
  /// PUBLISH.
  ///
  /// - Returns: whether it asks for an acknowledgement.
  @inline(__always)
  mutating func publish(
    _ options: ByteRange?, _ bytes: RawSpan, _ request: inout WAMPRequests.Request,
    _ message: inout Message, _ listener: any Listener
  ) -> Bool {
    let isAcknowledged = !message.traits.contains(.asksNothing)
    features.checkRoles(
      WAMPCode.publish, &message, isAcknowledged: isAcknowledged, context, listener)
    publishCount &+= 1
    if !isAcknowledged {
      if unacknowledged.isEmpty { unacknowledged = ContiguousArray(repeating: 0, count: 8) }
      unacknowledged[unacknowledgedCount & 7] = message.first.key
      unacknowledgedCount &+= 1
    }
    if realmSession.isCompared || grants.hasTopics {
      let topic = bytes[message.subject].fingerprint
      realmSession.publish(
        topic, isAcknowledged: isAcknowledged, bytes, &message, context, listener)
      if let own = grants[topic: topic] {
        publish(own, topic, options, bytes, isAcknowledged: isAcknowledged, &request)
      }
    }
    return isAcknowledged
  }

  /// PUBLISH to a topic that the session is subscribed to.
  @inline(never)
  private mutating func publish(
    _ own: WAMPGrants.Topic, _ topic: UInt64, _ options: ByteRange?, _ bytes: RawSpan,
    isAcknowledged: Bool, _ request: inout WAMPRequests.Request
  ) {
    if let options, choosesReceivers(options, bytes) { return }
    grants[topic: topic]?.published = own.published &+ 1
    if isAcknowledged {
      request.traits.insert(.isOwnTopic)
      request.object = topic
    } else {
      grants[WAMPSpace.subscription, own.subscription]?.traits.insert(.awaitsEcho)
    }
  }

  /// Whether PUBLISH asks for its own event, or names receivers: who does that knows what it does.
  private mutating func choosesReceivers(_ options: ByteRange, _ bytes: RawSpan) -> Bool {
    // Most are the same again and again.
    let print = bytes[options].fingerprint
    if print == plainOptions { return false }
    for key in ["exclude_me", "exclude", "eligible"] as [StaticString] {
      guard let value = JSON.value(of: key, in: options, bytes) else { continue }
      if value.kind == .no || value.kind == .array { return true }
    }
    plainOptions = print
    return false
  }

  /// SUBSCRIBE and REGISTER.
  @inline(never)
  mutating func prepare(
    _ options: ByteRange?, _ bytes: RawSpan, _ request: inout WAMPRequests.Request,
    _ message: inout Message, _ listener: any Listener
  ) {
    let link = message.first
    request.object = bytes[message.subject].fingerprint
    if link.space == WAMPSpace.subscribe && bytes[message.subject].starts(with: "wamp.") {
      request.traits.insert(.isMeta)
    }
    if let options {
      if message.traits.contains(.isPattern) {
        prepare(patternIn: options, bytes, &request, &message, listener)
      }
      if JSON.value(of: "get_retained", in: options, bytes)?.kind == .yes {
        request.traits.insert(.takesRetained)
      }
      if link.space == WAMPSpace.register,
        let invoke = JSON.value(of: "invoke", in: options, bytes),
        invoke.kind == .string
      {
        let index = WAMPRequests.policies.firstIndex { JSON.equals(bytes, invoke.content, $0) }
        request.policy = UInt8(index ?? WAMPRequests.policies.count - 1)
      }
    }
    if link.space == WAMPSpace.register {
      realmSession.checkPolicy(request.object, request.policy, &message, context, listener)
    } else if let topic = grants[topic: request.object],
      grants[WAMPSpace.subscription, topic.subscription]?.state == .held
    {
      context.tell(
        .subscribeDuplicate, .note, message,
        "this session is subscribed to the topic already: subscription \(topic.subscription)"
          + " serves both", listener)
    }
  }

  private mutating func prepare(
    patternIn options: ByteRange, _ bytes: RawSpan, _ request: inout WAMPRequests.Request,
    _ message: inout Message, _ listener: any Listener
  ) {
    guard let match = JSON.value(of: "match", in: options, bytes), match.kind == .string else {
      return
    }
    let isPrefix = JSON.equals(bytes, match.content, "prefix")
    guard isPrefix || JSON.equals(bytes, match.content, "wildcard") else { return }
    request.traits.insert(.isPattern)
    // The same text by another rule is another pattern.
    request.object ^= isPrefix ? 1 : 2
    guard message.subject.count <= WAMPPattern.mostOctets else { return }
    makeRoom(listener)
    grants[pattern: message.first.space, message.first.key] = WAMPPattern(
      isPrefix: isPrefix, text: JSON.unescaped(bytes[message.subject]))
  }

  // MARK: - At the end of a session

  /// Topics to which the session has published, while it was subscribed, and never had its events.
  func tellSilence(_ origin: Origin, _ listener: any Listener) {
    for topic in grants.silent() { tellSilence(topic, origin, listener) }
  }

  func tellSilence(_ topic: WAMPGrants.Topic, _ origin: Origin, _ listener: any Listener) {
    listener.finding(
      context.finding(
        .publishNotEchoed, .note, origin, "subscription \(topic.subscription)",
        about: Link(
          .names, "subscription", topic.subscription, space: WAMPSpace.subscription,
          scope: .router),
        " did not get what its own session published (\(topic.published) PUBLISH): a publisher is"
          + " excluded unless exclude_me is false"))
  }

  func tellUnacknowledged(_ origin: Origin, _ listener: any Listener) {
    if unacknowledgedCount == 0 { return }
    listener.finding(
      context.finding(
        .publishUnacknowledged, .note, origin,
        "\(unacknowledgedCount) of \(publishCount) PUBLISH asked for no acknowledgement: of those,"
          + " nobody knows whether the router took them"))
  }
}
