// SPDX-License-Identifier: Apache-2.0
public import TapTraffic
import TapBytes

/// Messages that no dialect claims: told as what WebSocket calls them, TEXT and BINARY.
public struct UnclaimedLayer: Layer {
  public init() {}

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    Self.tell(bytes, delivery, listener)
  }

  public mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  public mutating func finish(_: Ending, _: Delivery, _: any Listener) {}

  /// Tells a message by its frame type alone; dialects use it for what is none of theirs.
  static func tell(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    var message = Message(
      "websocket", delivery.kind == .binary ? "BINARY" : "TEXT", delivery.origin)
    message.payload = ByteRange(0, bytes.byteCount)
    if delivery.kind == .text { message.traits = .isText }
    listener.message(message, bytes, Span())
  }
}
