// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Subscriptions and registrations: who holds which, and what comes for those that nobody holds.
extension WAMPSessionRules {
  /// SUBSCRIBED, REGISTERED, UNSUBSCRIBED and UNREGISTERED, with the request that they answer.
  @inline(never)
  mutating func settle(
    _ code: UInt64, _ request: WAMPRequests.Request?, _ message: inout Message,
    _ listener: any Listener
  ) {
    if code == WAMPCode.subscribed || code == WAMPCode.registered {
      grant(request, &message, listener)
      if code == WAMPCode.subscribed { tellEarly(of: message.second.key, listener) }
      return
    }
    let space = code == WAMPCode.unsubscribed ? WAMPSpace.subscription : WAMPSpace.registration
    if let request { endGrant(space, request.object, message.origin, listener) }
  }

  /// SUBSCRIBED and REGISTERED.
  private mutating func grant(
    _ request: WAMPRequests.Request?, _ message: inout Message, _ listener: any Listener
  ) {
    let (link, asked) = (message.second, message.first)
    makeRoom(listener)
    let known = grants[link.space, link.key]
    var grant = known ?? WAMPGrants.Grant()
    (grant.state, grant.uses) = (.held, grant.uses &+ 1)
    if let request {
      grant.uri = request.object
      grant.policy = request.policy
      if request.traits.contains(.takesRetained) { grant.traits.insert(.takesRetained) }
      if request.traits.contains(.isMeta) { grant.traits.insert(.isMeta) }
      if request.traits.contains(.isPattern) {
        grant.traits.insert(.isPattern)
        grants[pattern: link.space, link.key] = grants[pattern: asked.space, asked.key]
        grants[pattern: asked.space, asked.key] = nil
      } else if link.space == WAMPSpace.subscription && grants[topic: grant.uri] == nil {
        grants[topic: grant.uri] = WAMPGrants.Topic(subscription: link.key)
        if context.knowsAll && !request.traits.contains(.takesRetained) {
          realmSession.checkLateness(grant.uri, since: opened, &message, context, listener)
        }
      }
    }
    grants[link.space, link.key] = grant
    if link.space == WAMPSpace.registration {
      realmSession.register(grant.uri, grant.policy, isNew: known == nil)
    } else {
      realmSession.subscribe()
    }
  }

  /// UNSUBSCRIBED and UNREGISTERED.
  private mutating func endGrant(
    _ space: UInt8, _ id: UInt64, _ origin: Origin, _ listener: any Listener
  ) {
    guard let grant = grants[space, id] else { return }
    if let topic = grants[topic: grant.uri], topic.subscription == id, topic.isSilent,
      !context.hasGaps
    {
      tellSilence(topic, origin, listener)
    }
    if space == WAMPSpace.registration { realmSession.unregister(grant.uri) }
    grants.end(space, id)
  }

  /// Events that came for it before SUBSCRIBED did.
  private mutating func tellEarly(of subscription: UInt64, _ listener: any Listener) {
    for event in early where event.subscription == subscription {
      listener.finding(
        context.finding(
          .eventBeforeSubscribed, .error, event.origin,
          "EVENT of subscription \(subscription), which SUBSCRIBED brought only later"))
    }
    early.removeAll { $0.subscription == subscription }
    if !requests.isSubscribing { tellEarly(listener) }
  }

  /// Nothing that was asked for can bring their subscription any more.
  mutating func tellEarly(_ listener: any Listener) {
    for event in early {
      listener.finding(
        context.finding(
          .eventUnknownSubscription, .error, event.origin,
          "EVENT of subscription \(event.subscription), which this session was never granted"))
    }
    early.removeAll()
  }

  /// EVENT or INVOCATION for an id that the session does not hold.
  @inline(never)
  mutating func ungranted(_ message: inout Message, _ listener: any Listener) {
    if !context.knowsAll { return }
    let isEvent = message.first.role == .refers
    let link = isEvent ? message.first : message.second
    if grants.hasEnded(link.space, link.key) {
      return context.tell(
        isEvent ? .eventAfterUnsubscribed : .invocationAfterUnregistered, .error, message,
        "\(message.name), but \(link.word) \(link.key) has ended", listener)
    }
    if isEvent && requests.isSubscribing && early.count < limits.findingsPerCode {
      return early.append((link.key, message.origin))
    }
    context.tell(
      isEvent ? .eventUnknownSubscription : .invocationUnknownRegistration, .error, message,
      "\(message.name) of \(link.word) \(link.key), which this session"
        + (grants.hasForgotten ? " does not hold" : " was never granted"), listener)
  }

  /// UNSUBSCRIBE and UNREGISTER.
  @inline(never)
  mutating func leave(_ message: inout Message, _ listener: any Listener) {
    let link = message.second
    let isTopic = link.space == WAMPSpace.subscription
    switch grants[link.space, link.key]?.state {
    case .held: grants[link.space, link.key]?.state = .leaving
    case .leaving:
      if isTopic {
        context.tell(
          .unsubscribeTwice, .warning, message,
          "UNSUBSCRIBE of subscription \(link.key) was sent before, and not answered yet", listener)
      }
    case nil:
      if !context.knowsAll { return }
      if grants.hasEnded(link.space, link.key) {
        return context.tell(
          isTopic ? .unsubscribeUnknown : .unregisterUnknown, .warning, message,
          "\(link.word) \(link.key) has ended before", listener)
      }
      suspect(
        isTopic ? .unsubscribeUnknown : .unregisterUnknown, .warning, message,
        "\(message.name), but this session "
          + (grants.hasForgotten ? "does not hold" : "was never granted")
          + " \(link.word) \(link.key)",
        unless: .grant(space: link.space, id: link.key), listener)
    }
  }

  /// UNSUBSCRIBED and UNREGISTERED of request 0.
  mutating func revoke(_ message: inout Message, _ listener: any Listener) {
    let link = message.second
    guard link.role == .concerns else {
      return context.tell(
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
      endGrant(link.space, link.key, message.origin, listener)
    } else if context.knowsAll && !grants.hasEnded(link.space, link.key) && !grants.hasForgotten {
      context.tell(
        .revocationUnknownID, .error, message,
        "this session was never granted \(link.word) \(link.key)", listener)
    }
  }
}
