// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks subscriptions and registrations: which ones the session holds, and what arrives for
/// others (wamp-proto, "Subscribing and Unsubscribing", "Registering and Unregistering").
struct WAMPGrantRules {
  var grants = WAMPGrants()
  /// Recent events.
  var events = WAMPRecentSet()
  /// Publications of the session itself that it should not receive.
  var ownPublications = ContiguousArray<UInt64>()
  /// The finding about an own event was reported.
  var reportedOwnEvent = false
  /// The fingerprint of the latest PUBLISH options that choose no receivers.
  private var plainOptions: UInt64?
  /// Events of subscriptions whose SUBSCRIBED may still come; at most `mostEarly`.
  private var early = ContiguousArray<(subscription: UInt64, origin: Origin)>()
  private let mostEarly: Int
  /// Longer patterns are not kept, and not checked.
  private static let mostPatternBytes = 256

  init(limits: Limits) { mostEarly = limits.findingsPerCode }

  /// A message that could not be read may have been anything.
  mutating func miss() { early.removeAll() }

  // MARK: - Questions

  /// SUBSCRIBE and REGISTER.
  @inline(never)
  mutating func prepare(
    _ options: ByteRange?, _ bytes: RawSpan, _ request: inout WAMPRequests.Request,
    _ message: inout Message, _ realm: WAMPRealmSession, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    let link = message.first
    request.object = bytes[message.subject].fingerprint
    if link.space == WAMPSpace.subscribe && bytes[message.subject].starts(with: "wamp.") {
      request.traits.insert(.isMeta)
    }
    if let options {
      if message.traits.contains(.isPattern) {
        prepare(patternIn: options, bytes, &request, &message)
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
      realm.checkPolicy(request.object, request.policy, &message, context, listener)
    } else if let topic = grants[topic: request.object],
      grants[WAMPSpace.subscription, topic.subscription]?.state == .held
    {
      context.report(
        .subscribeDuplicate, .note, message,
        "this session is subscribed to the topic already: subscription \(topic.subscription)"
          + " serves both", listener)
    }
  }

  private mutating func prepare(
    patternIn options: ByteRange, _ bytes: RawSpan, _ request: inout WAMPRequests.Request,
    _ message: inout Message
  ) {
    let match = WAMPDialect.match(options, bytes)
    if match == .exact { return }
    request.traits.insert(.isPattern)
    // Prefix and wildcard patterns with the same text are different.
    request.object ^= match == .prefix ? 1 : 2
    if message.subject.count > Self.mostPatternBytes { return }
    grants[pattern: message.first.space, message.first.key] = TopicFilter(
      JSON.unescaped(bytes[message.subject]), match)
  }

  /// PUBLISH to a topic that the session itself may be subscribed to.
  @inline(__always)
  mutating func publish(
    _ topic: UInt64, _ options: ByteRange?, _ bytes: RawSpan, isAcknowledged: Bool,
    _ request: inout WAMPRequests.Request
  ) {
    if grants.hasTopics, let own = grants[topic: topic] {
      publish(own, topic, options, bytes, isAcknowledged: isAcknowledged, &request)
    }
  }

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

  /// Whether the options ask for the own event or name receivers. Then it is intended who receives
  /// the event.
  private mutating func choosesReceivers(_ options: ByteRange, _ bytes: RawSpan) -> Bool {
    // Most options recur.
    let fingerprint = bytes[options].fingerprint
    if fingerprint == plainOptions { return false }
    for key in ["exclude_me", "exclude", "eligible"] as [StaticString] {
      guard let value = JSON.value(of: key, in: options, bytes) else { continue }
      if value.kind == .no || value.kind == .array { return true }
    }
    plainOptions = fingerprint
    return false
  }

  /// UNSUBSCRIBE and UNREGISTER.
  @inline(never)
  mutating func leave(
    _ message: inout Message, _ context: WAMPSessionContext,
    _ pendingFindings: inout WAMPPendingFindings, _ listener: any Listener
  ) {
    let link = message.second
    let isTopic = link.space == WAMPSpace.subscription
    switch grants[link.space, link.key]?.state {
    case .held: grants[link.space, link.key]?.state = .leaving
    case .leaving:
      if isTopic {
        context.report(
          .unsubscribeTwice, .warning, message,
          "UNSUBSCRIBE of subscription \(link.key) was sent before, and not answered yet", listener)
      }
    case nil:
      if !context.knowsAll { return }
      if grants.hasEnded(link.space, link.key) {
        return context.report(
          isTopic ? .unsubscribeUnknown : .unregisterUnknown, .warning, message,
          "\(link.word) \(link.key) has ended before", listener)
      }
      pendingFindings.suspect(
        isTopic ? .unsubscribeUnknown : .unregisterUnknown, .warning, message,
        "\(message.name), but this session "
          + (grants.hasForgotten ? "does not hold" : "was never granted")
          + " \(link.word) \(link.key)",
        unless: .grant(space: link.space, id: link.key), context, listener)
    }
  }

  /// ERROR of a SUBSCRIBE or REGISTER.
  mutating func refuse(_ link: Link) { grants[pattern: link.space, link.key] = nil }

  /// ERROR of an UNSUBSCRIBE or UNREGISTER: the session still holds it, unless the router says that
  /// there is none.
  mutating func refuse(
    _ bytes: RawSpan, leaving id: UInt64, _ message: borrowing Message, _ realm: WAMPRealmSession,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let isTopic = message.first.space == WAMPSpace.unsubscribe
    let space = isTopic ? WAMPSpace.subscription : WAMPSpace.registration
    let isGone = JSON.equals(
      bytes, message.reason,
      isTopic ? "wamp.error.no_such_subscription" : "wamp.error.no_such_registration")
    if isGone { return end(space, id, message.origin, realm, context, listener) }
    grants[space, id]?.state = .held
    grants[space, id]?.traits.insert(.isKept)
  }

  /// ERROR of a PUBLISH.
  mutating func refuse(publish request: WAMPRequests.Request) {
    if request.traits.contains(.isOwnTopic), let topic = grants[topic: request.object] {
      grants[topic: request.object]?.published = topic.published &- 1
    }
  }

  // MARK: - Answers

  /// SUBSCRIBED and REGISTERED, with the request that they answer.
  mutating func grant(
    _ request: WAMPRequests.Request?, _ message: inout Message,
    _ realm: inout WAMPRealmSession, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let (link, asked) = (message.second, message.first)
    let known = grants[link.space, link.key]
    var grant = known ?? WAMPGrants.Grant()
    (grant.state, grant.uses) = (.held, grant.uses &+ 1)
    grant.traits.remove(.isKept)
    if let request {
      grant.uri = request.object
      grant.policy = request.policy
      if request.traits.contains(.takesRetained) { grant.traits.insert(.mayTakeRetained) }
      if request.traits.contains(.isMeta) { grant.traits.insert(.isMeta) }
      if request.traits.contains(.isPattern) {
        grant.traits.insert(.isPattern)
        grants[pattern: link.space, link.key] = grants[pattern: asked.space, asked.key]
        grants[pattern: asked.space, asked.key] = nil
      } else if link.space == WAMPSpace.subscription && grants[topic: grant.uri] == nil {
        grants[topic: grant.uri] = WAMPGrants.Topic(subscription: link.key)
        if context.knowsAll && !request.traits.contains(.takesRetained) {
          realm.checkLateness(grant.uri, &message, context, listener)
        }
      }
    } else {
      grant.traits.insert(.mayTakeRetained)
    }
    grants[link.space, link.key] = grant
    if link.space == WAMPSpace.registration {
      realm.register(grant.uri, grant.policy, isNew: known == nil)
    } else {
      realm.subscribe()
    }
  }

  /// UNSUBSCRIBED and UNREGISTERED.
  mutating func end(
    _ space: UInt8, _ id: UInt64, _ origin: Origin, _ realm: WAMPRealmSession,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    guard let grant = grants[space, id] else { return }
    if let topic = grants[topic: grant.uri], topic.subscription == id, topic.isSilent,
      !context.hasGaps
    {
      reportSilence(topic, origin, context, listener)
    }
    if space == WAMPSpace.registration { realm.unregister(grant.uri) }
    grants.end(space, id)
  }

  /// UNSUBSCRIBED and UNREGISTERED of request 0.
  mutating func revoke(
    _ message: inout Message, _ features: WAMPFeatureRules, _ realm: WAMPRealmSession,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let link = message.second
    guard link.role == .concerns else {
      return context.report(
        .revocationUnknownID, .error, message,
        "\(message.name) of request 0 takes something back and does not say what", listener)
    }
    var found = context.finding(
      .revoked, .warning, message.origin, "the router took back \(link.word) \(link.key)",
      about: link)
    found.isAboutLastMessage = true
    listener.finding(found)
    features.checkRevocation(link, &message, context, listener)
    if grants[link.space, link.key] != nil {
      end(link.space, link.key, message.origin, realm, context, listener)
    } else if context.knowsAll && !grants.hasEnded(link.space, link.key) && !grants.hasForgotten {
      context.report(
        .revocationUnknownID, .error, message,
        "this session was never granted \(link.word) \(link.key)", listener)
    }
  }

  /// EVENT or INVOCATION for an id that the session does not hold.
  ///
  /// - Parameter isSubscribing: a SUBSCRIBE waits for its answer.
  @inline(never)
  mutating func reportUngranted(
    _ message: inout Message, isSubscribing: Bool, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    if !context.knowsAll { return }
    let isEvent = message.first.role == .refers
    let link = isEvent ? message.first : message.second
    if grants.hasEnded(link.space, link.key) {
      return context.report(
        isEvent ? .eventAfterUnsubscribed : .invocationAfterUnregistered, .error, message,
        "\(message.name), but \(link.word) \(link.key) has ended", listener)
    }
    if isEvent && isSubscribing && early.count < mostEarly {
      return early.append((link.key, message.origin))
    }
    context.report(
      isEvent ? .eventUnknownSubscription : .invocationUnknownRegistration, .error, message,
      "\(message.name) of \(link.word) \(link.key), which this session"
        + (grants.hasForgotten ? " does not hold" : " was never granted"), listener)
  }

  /// Reports events that came before their SUBSCRIBED.
  ///
  /// - Parameter isLast: no other SUBSCRIBE waits for its answer.
  mutating func reportEarly(
    of subscription: UInt64, isLast: Bool, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    for event in early where event.subscription == subscription {
      listener.finding(
        context.finding(
          .eventBeforeSubscribed, .error, event.origin,
          "EVENT of subscription \(subscription), which SUBSCRIBED brought only later"))
    }
    early.removeAll { $0.subscription == subscription }
    if isLast { reportEarly(context, listener) }
  }

  /// Reports events of subscriptions that no pending SUBSCRIBE can explain any more.
  mutating func reportEarly(_ context: WAMPSessionContext, _ listener: any Listener) {
    for event in early {
      listener.finding(
        context.finding(
          .eventUnknownSubscription, .error, event.origin,
          "EVENT of subscription \(event.subscription), which this session was never granted"))
    }
    early.removeAll()
  }

  // MARK: - At the end of a session

  /// The number of subscriptions that the session holds, each counted as often as it was requested.
  var held: Int { grants.held(WAMPSpace.subscription).reduce(0) { $0 + Int($1.grant.uses) } }

  /// Releases what the session holds.
  mutating func forget(_ realm: WAMPRealmSession) {
    if realm.isCompared {
      for uri in grants.registered { realm.unregister(uri) }
    }
    grants.forget()
  }

  /// Reports what the session did not unsubscribe or unregister.
  func reportLeft(_ origin: Origin, _ context: WAMPSessionContext, _ listener: any Listener) {
    for (id, grant) in grants.held(WAMPSpace.subscription) {
      listener.finding(
        context.finding(
          .subscriptionLeftOpen, .note, origin, "subscription \(id)",
          about: Link(
            .names, "subscription", id, space: WAMPSpace.subscription, scope: .router),
          grant.traits.contains(.isKept)
            ? " was not given up: the router refused UNSUBSCRIBE" : " was never unsubscribed"))
    }
    for (id, grant) in grants.held(WAMPSpace.registration) {
      listener.finding(
        context.finding(
          .registrationLeftOpen, .note, origin, "registration \(id)",
          about: Link(
            .names, "registration", id, space: WAMPSpace.registration, scope: .router),
          grant.traits.contains(.isKept)
            ? " was not given up: the router refused UNREGISTER" : " was never unregistered"))
    }
  }

  /// Reports topics to which the session published while it was subscribed, without receiving its
  /// own events.
  func reportSilence(_ origin: Origin, _ context: WAMPSessionContext, _ listener: any Listener) {
    for topic in grants.silent() { reportSilence(topic, origin, context, listener) }
  }

  private func reportSilence(
    _ topic: WAMPGrants.Topic, _ origin: Origin, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    listener.finding(
      context.finding(
        .publishNotEchoed, .note, origin, "subscription \(topic.subscription)",
        about: Link(
          .names, "subscription", topic.subscription, space: WAMPSpace.subscription,
          scope: .router),
        " did not get what its own session published (\(topic.published) PUBLISH): a publisher is"
          + " excluded unless exclude_me is false"))
  }
}
