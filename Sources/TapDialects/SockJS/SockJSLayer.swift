// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// SockJS over a WebSocket: one frame per message.
struct SockJSLayer: Layer {
  private var session: SockJSSession

  init(_ opening: Opening, _ run: RunContext) { session = SockJSSession(opening, run) }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    switch delivery.kind {
    case .text, .stream:
      let isFrame =
        delivery.origin.direction == .toClient
        || delivery.origin.direction == .unknown && SockJSFrame(bytes) != nil
      if isFrame {
        session.receive(frame: bytes, delivery, listener)
      } else {
        session.receive(sent: bytes, delivery, listener)
      }
    case .binary: session.receive(binary: bytes, delivery, listener)
    case .withheld, .partialText, .dottedText, .abridged, .brokenText:
      session.miss(bytes, delivery, listener)
    }
  }

  mutating func hear(_ delivery: Delivery, _ listener: any Listener) {
    session.hear(delivery, listener)
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    session.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    session.finish(ending, delivery, listener)
  }
}
