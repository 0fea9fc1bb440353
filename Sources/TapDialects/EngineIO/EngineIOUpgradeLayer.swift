// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The WebSocket that a session of Engine.IO moves to, which has begun by polling
/// (engine.io-protocol, "Upgrade").
struct EngineIOUpgradeLayer: Layer {
  let session: SpanningSession

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    session.note(transport: "websocket")
    session.receive(bytes, delivery, listener)
    // From its UPGRADE on, everything is here.
    if delivery.origin.direction == .toServer && bytes.equals("5") {
      session.endsWithWebSocket = true
    }
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    session.gap(missing, delivery, listener)
  }

  /// The session ends by what its carrier tells.
  mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}
