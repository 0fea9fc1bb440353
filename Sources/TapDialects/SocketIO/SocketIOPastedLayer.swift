// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Pasted Socket.IO packets, with or without the `4` of Engine.IO.
struct SocketIOPastedLayer: Layer {
  private var session: EngineIOSession
  private var scanner: JSONScanner

  init(_ opening: Opening, _ run: RunContext) {
    session = EngineIOSession(opening, nil, knowsAll: false, limits: run.limits)
    scanner = JSONScanner(maximumDepth: run.limits.nesting)
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if EngineIORecogniser.grade(bytes, &scanner) != .none {
      return session.receive(text: bytes, delivery, listener)
    }
    if case .other(let fault) = session.socketIO.receive(text: bytes, from: 0, delivery, listener) {
      UnclaimedLayer.report(bytes, delivery, carrier: "socketio", listener)
      listener.remark(
        .sioPacketInvalid, .error, delivery.origin, "no packet of Socket.IO: \(fault)")
    }
  }

  mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}
