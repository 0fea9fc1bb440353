// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What the end of a session leaves open.
extension WAMPSessionRules {
  /// The connection, or the evidence, ends.
  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    pendingFindings.tell(listener)
    let origin = delivery.origin
    defer {
      if ending == .endOfEvidence { realmSession.cut() }
      leaveRealm(left: nil, origin, listener)
    }
    guard stage == .open && !context.hasGaps else { return }
    if ending == .endOfEvidence {
      // What is open may yet be answered, where nobody looks.
      for call in requests.all(WAMPSpace.call) where !call.request.traits.contains(.isCanceled) {
        listener.finding(
          context.finding(
            .callUnanswered, .note, origin, "CALL request \(call.id)",
            about: link(WAMPSpace.call, call.id),
            " had no answer when the capture ended"))
      }
      tellSilence(origin, listener)
      return
    }
    if clientLeft != routerLeft {
      let sender = clientLeft ? "the client" : "the router"
      listener.finding(
        context.finding(
          .goodbyeUnanswered, .warning, origin,
          "the connection ended before the GOODBYE of \(sender) was answered"))
    } else if context.knowsAll {
      listener.finding(
        context.finding(.sessionLost, .note, origin, "the connection ended without GOODBYE"))
    }
    end(origin, listener)
  }

  /// The session has ended: says what it leaves open, and forgets it.
  @inline(never)
  mutating func end(_ origin: Origin, _ listener: any Listener) {
    pendingFindings.tell(listener)
    tellEarly(listener)
    if !context.hasGaps {
      tellOpen(origin, listener)
      tellSilence(origin, listener)
      tellUnacknowledged(origin, listener)
    }
    let left = grants.held(WAMPSpace.subscription).reduce(0) { $0 + Int($1.grant.uses) }
    leaveRealm(left: context.knowsAll ? left : nil, origin, listener)
    stage = .ended
  }

  /// The session has ended, or nothing more is known of it: leaves its realm, and is forgotten.
  ///
  /// - Parameter left: subscriptions left open; nil when that is not known.
  mutating func leaveRealm(left: Int?, _ origin: Origin, _ listener: any Listener) {
    let unanswered = realmSession.isCompared ? requests.all(WAMPSpace.publish).map(\.id) : []
    forget()
    realmSession.end(left: left, unanswered: unanswered, place, origin, context, listener)
  }

  private func tellOpen(_ origin: Origin, _ listener: any Listener) {
    for call in requests.all(WAMPSpace.call) {
      let traits = call.request.traits
      let code: Finding.Code =
        traits.contains(.isCanceled)
        ? .cancelUnanswered
        : traits.contains(.hadProgress) ? .callNotFinished : .callUnanswered
      let words =
        traits.contains(.isCanceled)
        ? " was canceled, but never answered"
        : traits.contains(.hadProgress)
          ? " had results in parts, but never the last one" : " was never answered"
      listener.finding(
        context.finding(
          code, .warning, origin, "CALL request \(call.id)", about: link(WAMPSpace.call, call.id),
          words))
    }
    for invocation in requests.all(WAMPSpace.invocation)
    where !invocation.request.traits.contains(.isCanceled) {
      listener.finding(
        context.finding(
          .invocationUnanswered, .warning, origin, "INVOCATION request \(invocation.id)",
          about: link(WAMPSpace.invocation, invocation.id), " was never answered"))
    }
    for (id, _) in grants.held(WAMPSpace.subscription) {
      listener.finding(
        context.finding(
          .subscriptionLeftOpen, .note, origin, "subscription \(id)",
          about: Link(
            .names, "subscription", id, space: WAMPSpace.subscription, scope: .router),
          " was never unsubscribed"))
    }
    for (id, _) in grants.held(WAMPSpace.registration) {
      listener.finding(
        context.finding(
          .registrationLeftOpen, .note, origin, "registration \(id)",
          about: Link(
            .names, "registration", id, space: WAMPSpace.registration, scope: .router),
          " was never unregistered"))
    }
  }

  private func link(_ space: UInt8, _ id: UInt64) -> Link {
    Link(.opens, "request", id, space: space)
  }
}
