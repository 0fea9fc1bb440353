// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Subscriptions and registrations: who holds which, and what comes for those that nobody holds.
extension WAMPWatch {
  /// SUBSCRIBED, REGISTERED, UNSUBSCRIBED and UNREGISTERED, with the request that they answer.
  @inline(never)
  mutating func settle(
    _ code: UInt64, _ request: WAMPRequests.Request?, _ message: inout Message,
    _ listener: any Listener
  ) {
    if code == 33 || code == 65 {
      let link = message.second
      makeRoom(listener)
      grants[link.space, link.key] = .held
      if code == 33 { tellEarly(of: link.key, listener) }
      return
    }
    let space = code == 35 ? WAMPLinks.Space.subscription : WAMPLinks.Space.registration
    if let request, grants[space, request.object] != nil {
      grants[space, request.object] = .ended
    }
  }

  /// Events that came for it before SUBSCRIBED did.
  private mutating func tellEarly(of subscription: UInt64, _ listener: any Listener) {
    for event in early where event.subscription == subscription {
      listener.finding(
        finding(
          .eventBeforeSubscribed, .error, event.origin,
          "EVENT of subscription \(subscription), which SUBSCRIBED brought only later"))
    }
    early.removeAll { $0.subscription == subscription }
    if !requests.hasAny(32) { tellEarly(listener) }
  }

  /// Nothing that was asked for can bring their subscription any more.
  mutating func tellEarly(_ listener: any Listener) {
    for event in early {
      listener.finding(
        finding(
          .eventUnknownSubscription, .error, event.origin,
          "EVENT of subscription \(event.subscription), which this session was never granted"))
    }
    early.removeAll()
  }

  /// EVENT.
  @inline(__always)
  mutating func event(_ message: inout Message, _ listener: any Listener) {
    if let state = grants[message.first.space, message.first.key], state != .ended { return }
    ungranted(&message, listener)
  }

  /// EVENT or INVOCATION for an id that the session does not hold.
  @inline(never)
  mutating func ungranted(_ message: inout Message, _ listener: any Listener) {
    if !knowsAll { return }
    let isEvent = message.first.role == .refers
    let link = isEvent ? message.first : message.second
    if grants[link.space, link.key] != nil {
      return tell(
        isEvent ? .eventAfterUnsubscribed : .invocationAfterUnregistered, .error, message,
        "\(message.name), but \(link.word) \(link.key) has ended", listener)
    }
    if isEvent && requests.hasAny(32) && early.count < limits.findingsPerCode {
      return early.append((link.key, message.origin))
    }
    tell(
      isEvent ? .eventUnknownSubscription : .invocationUnknownRegistration, .error, message,
      "\(message.name) of \(link.word) \(link.key), which this session was never granted", listener)
  }

  /// UNSUBSCRIBE and UNREGISTER.
  @inline(never)
  mutating func leave(_ message: inout Message, _ listener: any Listener) {
    let link = message.second
    let isTopic = link.space == WAMPLinks.Space.subscription
    switch grants[link.space, link.key] {
    case .held: grants[link.space, link.key] = .leaving
    case .leaving:
      if isTopic {
        tell(
          .unsubscribeTwice, .warning, message,
          "UNSUBSCRIBE of subscription \(link.key) was sent before, and not answered yet", listener)
      }
    case .ended:
      if !knowsAll { return }
      tell(
        isTopic ? .unsubscribeUnknown : .unregisterUnknown, .warning, message,
        "\(link.word) \(link.key) has ended before", listener)
    case nil:
      if !knowsAll { return }
      suspect(
        isTopic ? .unsubscribeUnknown : .unregisterUnknown, .warning, message,
        "\(message.name), but this session was never granted \(link.word) \(link.key)",
        unless: .grant(space: link.space, id: link.key), listener)
    }
  }

  /// UNSUBSCRIBED and UNREGISTERED of request 0.
  mutating func revoke(_ message: inout Message, _ listener: any Listener) {
    let link = message.second
    guard link.role == .concerns else { return }
    var found = finding(
      .revoked, .warning, message.origin, "the router took back \(link.word) \(link.key)",
      about: link)
    found.isAboutLastMessage = true
    listener.finding(found)
    if grants[link.space, link.key] != nil {
      grants[link.space, link.key] = .ended
    } else if knowsAll {
      tell(
        .revocationUnknownID, .error, message,
        "this session was never granted \(link.word) \(link.key)", listener)
    }
  }
}
