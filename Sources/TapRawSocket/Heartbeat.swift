// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// PING and PONG (wamp-proto, "RawSocket Transport"), from frames or from an export.
public enum Heartbeat {
  /// The link space of PINGs, apart from those of dialects.
  private static let space: UInt8 = 250

  /// Reports one; returns the key that it shares with its counterpart.
  @discardableResult
  public static func report(
    isPing: Bool, _ payload: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> UInt64 {
    var key: UInt64 = 0xCBF2_9CE4_8422_2325
    for at in 0..<payload.byteCount {
      key = (key ^ UInt64(payload.byte(at: at))) &* 0x100_0000_01B3
    }
    var message = Message("rawsocket", isPing ? "PING" : "PONG", delivery.origin)
    // A PONG repeats the payload of its PING, so that is the key. The lowest bit shows who pinged,
    // as both sides may send the same payload.
    let isClients = (delivery.origin.direction == .toServer) == isPing
    message.first = Link(
      isPing ? .restarts : .answers, "", key << 1 | (isClients ? 1 : 0), space: space)
    message.payload = ByteRange(0, payload.byteCount)
    message.traits = .isControl
    listener.message(message, payload, Span())
    return key
  }
}
