// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reports how the connection ends, and what is open then.
extension MQTTSessionRules {
  mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    exchanges.reportPending(listener)
    let isEnd = ending == .endOfEvidence
    if let presence, context.knowsAll, !context.hasConnack, !isEnd { broker.refuse(presence) }
    let taker = presence?.leave(at: delivery.origin.time)
    keepAlive.reportAgreed(
      isAwaited: !client.hasLeft && context.knowsAll, delivery, context, listener)
    if let taker, !isEnd, !client.hasLeft { reportTakeover(taker, delivery, listener) }
    guard context.knowsAll, context.hasConnect else { return }
    if !context.hasConnack && !isEnd {
      if server.hasLeft { return }
      return listener.finding(
        .mqttConnackMissing, .warning, delivery.origin,
        "CONNECT was never answered, and the connection ended")
    }
    if !client.hasLeft {
      if !isEnd && !context.isRefused { reportUncleanEnd(ending, delivery, listener) }
      keepAlive.reportUnanswered(at: delivery.origin.time, context, listener)
    }
    if context.isRefused { return }
    exchanges.reportOpen(
      isEnd: isEnd, isNote: isEnd || !client.hasLeft, delivery.origin, context, listener)
    if !isEnd && isCleanStart && !context.goesOn {
      subscriptions.reportLeft(delivery.origin, listener)
    }
  }

  private func reportTakeover(
    _ taker: Origin, _ delivery: Delivery, _ listener: any Listener
  ) {
    let times = presence?.takeovers ?? 1
    let often = times >= 3 ? "; that happened \(times) times in a minute: two clients share it" : ""
    let packet = taker.record > 0 ? " (packet \(taker.record))" : ""
    listener.finding(
      context.finding(
        .mqttTakenOver, .warning, delivery.origin,
        "another connection\(packet) has the client identifier"
          + " “\(MQTTFault.quoted(clientID.span.bytes))”, and this one ended" + often,
        MQTTRule("3.1.4-2", "3.1.4-3")))
  }

  private func reportUncleanEnd(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if server.hasLeft && will.isEmpty { return }
    let how = ending == .reset ? "was reset" : "ended"
    listener.finding(
      context.finding(
        .mqttUncleanEnd, will.isEmpty ? .note : .warning, delivery.origin,
        "the connection \(how) without DISCONNECT of the client\(willIsDue)",
        will.isEmpty ? .none : willWait > 0 ? MQTTRule("", "3.1.3-9") : MQTTRule("3.1.2-8")))
  }
}
