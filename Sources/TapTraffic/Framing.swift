// SPDX-License-Identifier: Apache-2.0

/// How a message was carried: its WebSocket frames (RFC 6455 §5.2). Told only where somebody asked.
@frozen public struct Framing: Sendable, BitwiseCopyable {
  /// Of the first frame.
  public var opcode: UInt8
  /// How many frames, continuations included.
  public var frames: Int
  /// RSV1: compressed by permessage-deflate (RFC 7692 §6).
  public var isCompressed: Bool
  public var isMasked: Bool
  /// The masking key of the last frame, its first octet in the lowest bits.
  public var key: UInt32
  /// Octets on the wire, headers included.
  public var wireBytes: Int
  /// The packet in which it began; it ends in that of the message.
  public var firstRecord: UInt64

  @inlinable public init(
    opcode: UInt8, frames: Int = 1, isCompressed: Bool = false, isMasked: Bool, key: UInt32,
    wireBytes: Int, firstRecord: UInt64
  ) {
    (self.opcode, self.frames, self.isCompressed) = (opcode, frames, isCompressed)
    (self.isMasked, self.key) = (isMasked, key)
    (self.wireBytes, self.firstRecord) = (wireBytes, firstRecord)
  }
}
