// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Findings about the way a connection ends.
extension WebSocketLayer {
  /// - Parameter isMissed: bytes before the end were not captured.
  func reportEnd(
    _ ending: Ending, isMissed: Bool, _ delivery: Delivery, _ listener: any Listener
  ) {
    reportSilence(of: toClient, towards: toServer, delivery, listener)
    reportSilence(of: toServer, towards: toClient, delivery, listener)
    reportMissingClose(of: toClient, to: toServer, "server", delivery, listener)
    reportMissingClose(of: toServer, to: toClient, "client", delivery, listener)
    if !isMultiplexed { reportLeftOpen(delivery, listener) }
    if ending == .reset && connection.closing == nil {
      let who = delivery.origin.direction == .toServer ? "client" : "server"
      listener.finding(
        .connectionReset, .warning, delivery.origin,
        "the \(who) reset the connection "
          + (isMissed ? "after something that was not captured" : "without a CLOSE"))
    }
  }

  /// A side, or both, have ended the stream.
  mutating func noteEnd(_ direction: Direction, _ time: Instant) {
    if direction != .toServer && !toClient.endTime.isKnown { toClient.endTime = time }
    if direction != .toClient && !toServer.endTime.isKnown { toServer.endTime = time }
  }

  /// RFC 6455 §5.5.2: a PING must be answered as soon as is practical, unless a CLOSE came before
  /// it. §5.5.3: the PONG repeats its payload.
  private func reportSilence(
    of half: Half, towards other: Half, _ delivery: Delivery, _ listener: any Listener
  ) {
    // The answer may be lost in a gap.
    let open = other.keepAlive.unanswered(by: half.keepAlive, after: half.gapTime)
    guard half.search == nil, let first = open.first else { return }
    // A side that has sent a CLOSE need not answer any more.
    let end = half.hasClosed ? half.lastTime : delivery.origin.time
    let waited = end.nanoseconds &- first.nanoseconds
    if waited < patience { return }
    let who = first.origin.direction == .toServer ? "server" : "client"
    if let stray = half.keepAlive.stray(after: first.nanoseconds, among: other.keepAlive) {
      return listener.finding(
        .pongMismatch, .error, stray.origin,
        "a PONG of the \(who) carries other data than the PING before it, which nothing else"
          + " answers")
    }
    let pings =
      open.count > 1
      ? "the last \(open.count) PINGs, the first of which" : "the last PING, which"
    var text =
      "the \(who) did not answer \(pings) it was sent \(waited / 1_000_000_000) s before "
      + (half.hasClosed ? "its CLOSE" : "the end")
    if half.lastTime.isKnown && half.lastTime.nanoseconds <= first.nanoseconds {
      let silent = end.nanoseconds &- half.lastTime.nanoseconds
      text += "; nothing at all came from it in the last \(silent / 1_000_000_000) s"
    }
    listener.finding(.pingUnanswered, .warning, delivery.origin, text)
  }

  /// RFC 6455 §5.5.1: a side that receives a CLOSE must answer with one, unless it has sent one
  /// before.
  ///
  /// - Parameters:
  ///   - half: the side that should answer.
  ///   - who: its name.
  private func reportMissingClose(
    of half: Half, to other: Half, _ who: String, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard other.closeTime.isKnown, !half.hasClosed, half.search == nil,
      !half.gapTime.isKnown || half.gapTime.nanoseconds < other.closeTime.nanoseconds
    else { return }
    let hasEnded = half.endTime.isKnown
    // The side that sent the CLOSE may have ended the whole connection at once, leaving no time for
    // an answer, or only its own direction.
    let left = other.endTime.nanoseconds &- other.closeTime.nanoseconds
    let stayed = half.endTime.nanoseconds &- other.closeTime.nanoseconds
    let isLeft =
      hasEnded && other.endTime.isKnown && left < stayed && (left >= patience || stayed < patience)
    let end = isLeft ? other.endTime : hasEnded ? half.endTime : delivery.origin.time
    let waited = end.nanoseconds &- other.closeTime.nanoseconds
    if isLeft && waited < patience {
      let leaver = who == "server" ? "client" : "server"
      listener.finding(
        .closeUnanswered, .warning, delivery.origin,
        "the \(leaver) ended the connection \(Self.span(waited)) after its CLOSE, and did not"
          + " wait for the CLOSE of the \(who)")
      return
    }
    // Both may end at the same time, and a side that has not ended may still answer.
    if waited <= 0 || !hasEnded && waited < patience { return }
    listener.finding(
      .closeUnanswered, .warning, delivery.origin,
      "the \(who) did not answer the CLOSE of the other side by a CLOSE, "
        + (hasEnded && !isLeft
          ? "and ended the connection \(Self.span(waited)) after it"
          : "though \(Self.span(waited)) went by"))
  }

  /// RFC 6455 §7.1.1: once both sides have sent a CLOSE, the server ends the connection.
  private func reportLeftOpen(_ delivery: Delivery, _ listener: any Listener) {
    guard toServer.closeTime.isKnown, toClient.closeTime.isKnown, toClient.search == nil
    else { return }
    let since = max(toServer.closeTime.nanoseconds, toClient.closeTime.nanoseconds)
    if toClient.gapTime.isKnown && toClient.gapTime.nanoseconds >= since { return }
    var until = Int64.max
    for time in [toServer.endTime, toClient.endTime, delivery.origin.time] where time.isKnown {
      until = min(until, time.nanoseconds)
    }
    guard until < .max, until &- since >= patience else { return }
    listener.finding(
      .leftOpen, .warning, delivery.origin,
      "the server did not end the connection in the \(Self.span(until &- since)) after both had"
        + " sent a CLOSE")
  }

  private static func span(_ nanoseconds: Int64) -> String {
    if nanoseconds >= 10_000_000_000 { return "\(nanoseconds / 1_000_000_000) s" }
    return nanoseconds < 1_000_000 ? "less than 1 ms" : "\(nanoseconds / 1_000_000) ms"
  }
}
