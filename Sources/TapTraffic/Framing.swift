// SPDX-License-Identifier: Apache-2.0

/// How a message was carried: its WebSocket frames (RFC 6455 §5.2), or its RawSocket frame. Made
/// only where somebody asked.
@frozen public struct Framing: Sendable, BitwiseCopyable {
  public var carrier = Opening.Carrier.webSocket
  /// Of the first frame; of RawSocket, its type.
  public var opcode: UInt8
  /// How many frames, continuations included.
  public var frames: Int
  /// FIN of the last frame; false only for a control frame that breaks the rules.
  public var isFinal: Bool
  /// RSV1: compressed by permessage-deflate (RFC 7692 §6).
  public var isCompressed: Bool
  public var isMasked: Bool
  /// The masking key of the last frame, its first byte in the lowest bits.
  public var key: UInt32
  /// Bytes on the wire, headers included.
  public var wireBytes: Int
  /// The packet in which the first frame began.
  public var firstRecord: UInt64
  /// Where the last frame ended: the origin of the message.
  public var origin: Origin

  @inlinable public init(
    opcode: UInt8, frames: Int = 1, isFinal: Bool = true, isCompressed: Bool = false,
    isMasked: Bool, key: UInt32, wireBytes: Int, firstRecord: UInt64, _ origin: Origin
  ) {
    (self.opcode, self.frames, self.isFinal) = (opcode, frames, isFinal)
    (self.isCompressed, self.isMasked, self.key) = (isCompressed, isMasked, key)
    (self.wireBytes, self.firstRecord, self.origin) = (wireBytes, firstRecord, origin)
  }

  /// Whether it belongs to the message with this origin.
  public func carried(_ message: Origin) -> Bool {
    origin.flow == message.flow && origin.direction == message.direction
      && origin.input == message.input && origin.record == message.record
  }
}
