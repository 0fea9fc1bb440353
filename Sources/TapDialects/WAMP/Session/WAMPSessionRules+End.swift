// SPDX-License-Identifier: Apache-2.0
import TapSessions
import TapTraffic

/// Reports what is open at the end of a session.
extension WAMPSessionRules {
  /// The connection or the capture ends.
  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    pendingFindings.report(listener)
    let origin = delivery.origin
    defer {
      if ending == .endOfEvidence { realmSession.cut() }
      leaveRealm(left: nil, origin, listener)
    }
    guard order.stage == .open && !context.hasGaps else { return }
    if ending == .endOfEvidence {
      requestRules.reportUnanswered(origin, context, listener)
      grantRules.reportSilence(origin, context, listener)
      return
    }
    // Of a session that was joined midway, the GOODBYE may answer one that came before.
    guard context.knowsAll else { return end(origin, listener) }
    if order.clientLeft != order.routerLeft {
      let sender = order.clientLeft ? "the client" : "the router"
      listener.finding(
        context.finding(
          .goodbyeUnanswered, .warning, origin,
          "the connection ended before the GOODBYE of \(sender) was answered"))
    } else {
      listener.finding(
        context.finding(.sessionLost, .note, origin, "the connection ended without GOODBYE"))
    }
    end(origin, listener)
  }

  /// The session has ended: reports what it leaves open, and forgets it.
  @inline(never)
  mutating func end(_ origin: Origin, _ listener: any Listener) {
    pendingFindings.report(listener)
    grantRules.reportEarly(context, listener)
    if !context.hasGaps {
      requestRules.reportOpen(origin, context, listener)
      grantRules.reportLeft(origin, context, listener)
      grantRules.reportSilence(origin, context, listener)
      requestRules.reportUnacknowledged(origin, context, listener)
    }
    leaveRealm(left: context.knowsAll ? grantRules.held : nil, origin, listener)
    order.end()
  }

  /// The session has ended, or nothing more is known of it: removes it from its realm and forgets
  /// it.
  ///
  /// - Parameter left: how many subscriptions it left open; nil when that is not known.
  mutating func leaveRealm(left: Int?, _ origin: Origin, _ listener: any Listener) {
    let unanswered =
      realmSession.isCompared ? requestRules.requests.all(WAMPSpace.publish).map(\.id) : []
    forget()
    realmSession.end(left: left, unanswered: unanswered, place, origin, context, listener)
  }
}
