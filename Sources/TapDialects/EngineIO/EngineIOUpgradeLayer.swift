// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The WebSocket to which a polling session upgrades (engine.io-protocol, "Upgrade").
struct EngineIOUpgradeLayer: Layer {
  let session: SpanningSession
  /// The client has sent UPGRADE.
  private var isDone = false
  private var hasGaps = false
  /// The session has upgraded to a WebSocket before.
  private var isSecond: Bool

  init(session: SpanningSession) {
    self.session = session
    isSecond = session.endsWithWebSocket
    isDone = isSecond
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    session.note(transport: "websocket")
    session.receive(bytes, delivery, listener)
    // From UPGRADE on, all packets use this WebSocket.
    if delivery.origin.direction == .toServer && bytes.equals("5") {
      (session.endsWithWebSocket, isDone) = (true, true)
    }
    if isSecond {
      isSecond = false
      session.report(
        Finding(
          .eioUpgradeTwice, .warning, delivery.origin,
          "the session has moved to a WebSocket already: the server closes this one"), listener)
    }
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    hasGaps = true
    session.gap(missing, delivery, listener)
  }

  /// The WebSocket has ended: reports an upgrade that was not completed.
  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    guard ending != .endOfEvidence, ending != .half, !isDone, !hasGaps, !session.isClosed else {
      return
    }
    isDone = true
    session.report(
      Finding(
        .eioUpgradeUnfinished, .warning, delivery.origin,
        "the WebSocket ended before the session had moved to it: the client goes on by polling"),
      listener)
  }
}
