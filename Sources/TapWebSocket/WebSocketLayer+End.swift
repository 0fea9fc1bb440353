// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What the way a connection ends tells.
extension WebSocketLayer {
  func tellEnd(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    tellSilence(of: toClient, towards: toServer, delivery, listener)
    tellSilence(of: toServer, towards: toClient, delivery, listener)
    if ending == .reset && closing == nil {
      let who = delivery.origin.direction == .toServer ? "client" : "server"
      listener.finding(
        Finding(
          .connectionReset, .warning, delivery.origin,
          "the \(who) broke the connection off by a reset, without a CLOSE"))
    }
  }

  /// RFC 6455 §5.5.2: a PING is answered as soon as is practical, unless a CLOSE came before it.
  private func tellSilence(
    of half: Half, towards other: Half, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let ping = other.ping, ping.time.isKnown, !half.hasClosed else { return }
    let since = ping.time.nanoseconds
    // Packets of two directions may have been captured in the wrong order.
    if half.pongTime.isKnown && half.pongKey == other.pingKey
      && since &- half.pongTime.nanoseconds < 1_000_000_000
    {
      return
    }
    // One PONG may answer several PINGs, and a gap may have swallowed it.
    for time in [half.pongTime, half.gapTime] where time.isKnown && time.nanoseconds >= since {
      return
    }
    let waited = delivery.origin.time.nanoseconds &- since
    guard half.search == nil, waited >= patience else { return }
    let who = ping.direction == .toServer ? "server" : "client"
    var text =
      "the \(who) did not answer the last PING, which it was sent \(waited / 1_000_000_000) s"
      + " before the end"
    if half.lastTime.isKnown && half.lastTime.nanoseconds <= since {
      let silent = delivery.origin.time.nanoseconds &- half.lastTime.nanoseconds
      text += "; nothing at all came from it in the last \(silent / 1_000_000_000) s"
    }
    listener.finding(Finding(.pingUnanswered, .warning, delivery.origin, text))
  }
}
