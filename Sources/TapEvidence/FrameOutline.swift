// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// As much of the header of a WebSocket frame (RFC 6455 §5.2) as it takes to see whether bytes are
/// frames at all. The WebSocket layer reads them; inputs know nothing of it.
public struct FrameOutline {
  /// The first byte: FIN, three reserved bits, the opcode.
  public let first: UInt8
  public let isMasked: Bool
  /// Bytes of the payload.
  public private(set) var length: Int
  /// Bytes of the header.
  public private(set) var size: Int
  /// The masking key as it lies on the wire, its first byte in the lowest bits; 0 when nothing is
  /// masked.
  public private(set) var key: UInt32 = 0
  private var isPadded: Bool

  public var opcode: Opcode { Opcode(rawValue: first & 15) }

  /// Nil when the header is not all there, or no frame has its length.
  public init?(_ bytes: RawSpan, at start: Int) {
    let count = bytes.byteCount - start
    guard count >= 2 else { return nil }
    first = bytes.byte(at: start)
    let second = bytes.byte(at: start + 1)
    isMasked = second & 0x80 != 0
    length = Int(second & 0x7F)
    size = 2
    isPadded = false
    if length == 126 {
      guard count >= 4 else { return nil }
      length = Int(bytes.uint16(at: start + 2))
      isPadded = length < 126
      size = 4
    } else if length == 127 {
      guard count >= 10 else { return nil }
      let long = bytes.uint64(at: start + 2)
      length = Int(clamping: long >> 40 == 0 ? long : .max)
      isPadded = long < 0x1_0000
      size = 10
    }
    if isMasked {
      guard count >= size + 4 else { return nil }
      key = bytes.uint32(at: start + size).byteSwapped
      size += 4
    }
  }

  /// Whether it keeps the rules that hold whatever was negotiated; RSV1 is permessage-deflate's.
  public var isPlausible: Bool {
    if first & 0x30 != 0 || isPadded || length >> 40 != 0 { return false }
    switch opcode {
    case .continuation: return first & 0x40 == 0
    case .text, .binary: return true
    case .close, .ping, .pong: return first & 0xC0 == 0x80 && length <= 125
    default: return false
    }
  }

  /// Whether its side may send it where a message of it is open, or none is: a fragment goes on,
  /// another message begins.
  public func follows(isOpen: Bool) -> Bool {
    first & 8 != 0 || isOpen == (opcode == .continuation)
  }
}
