// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What the way a connection ends tells.
extension WebSocketLayer {
  /// - Parameter isMissed: what was sent before the end was not captured.
  func tellEnd(
    _ ending: Ending, isMissed: Bool, _ delivery: Delivery, _ listener: any Listener
  ) {
    tellSilence(of: toClient, towards: toServer, delivery, listener)
    tellSilence(of: toServer, towards: toClient, delivery, listener)
    if ending == .reset && closing == nil {
      let who = delivery.origin.direction == .toServer ? "client" : "server"
      listener.finding(
        Finding(
          .connectionReset, .warning, delivery.origin,
          "the \(who) broke the connection off by a reset, "
            + (isMissed ? "behind what was not captured" : "without a CLOSE")))
    }
  }

  /// RFC 6455 §5.5.2: a PING is answered as soon as is practical, unless a CLOSE came before it.
  private func tellSilence(
    of half: Half, towards other: Half, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let ping = other.ping, ping.time.isKnown else { return }
    // Who has sent a CLOSE need not answer any more.
    let end = half.hasClosed ? half.lastTime : delivery.origin.time
    let last = ping.time.nanoseconds
    // Packets of two directions may have been captured in the wrong order.
    if half.pongTime.isKnown && half.pongKey == other.pingKey
      && last &- half.pongTime.nanoseconds < 1_000_000_000
    {
      return
    }
    // One PONG may answer several PINGs, and a gap may have swallowed it.
    let answered = [half.pongTime, half.gapTime].filter(\.isKnown).map(\.nanoseconds).max()
    let unanswered = other.pingTimes.filter { $0 > answered ?? .min }
    guard let since = unanswered.min() else { return }
    let waited = end.nanoseconds &- since
    guard half.search == nil, waited >= patience else { return }
    let who = ping.direction == .toServer ? "server" : "client"
    let pings =
      unanswered.count > 1
      ? "the last \(unanswered.count) PINGs, the first of which" : "the last PING, which"
    var text =
      "the \(who) did not answer \(pings) it was sent \(waited / 1_000_000_000) s before "
      + (half.hasClosed ? "its CLOSE" : "the end")
    if half.lastTime.isKnown && half.lastTime.nanoseconds <= since {
      let silent = end.nanoseconds &- half.lastTime.nanoseconds
      text += "; nothing at all came from it in the last \(silent / 1_000_000_000) s"
    }
    listener.finding(Finding(.pingUnanswered, .warning, delivery.origin, text))
  }
}
