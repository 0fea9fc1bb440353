// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The header of a WebSocket frame as sent (RFC 6455 §5.2), even if it breaks rules.
struct FrameHeader: BitwiseCopyable {
  // The first byte of frames with FIN and no reserved bit.
  static let lastPiece: UInt8 = 0x80
  static let text: UInt8 = 0x81
  static let binary: UInt8 = 0x82

  var first: UInt8
  var isMasked: Bool
  /// The masking key, its first byte on the wire in the lowest bits.
  var key: UInt32
  /// Bytes of payload; if the highest bit of a 64-bit length is set, it stays set here.
  var length: UInt64
  /// Bytes of this header.
  var size: Int
  /// The length takes more bytes than it needs.
  var isPadded: Bool

  /// An unfragmented, uncompressed message.
  var isWholeMessage: Bool { first == Self.text || first == Self.binary }
  var isFinal: Bool { first & 0x80 != 0 }
  var reserved: UInt8 { first & 0x70 }
  var isCompressed: Bool { first & 0x40 != 0 }
  var opcode: Opcode { Opcode(rawValue: first & 0x0F) }
  var isControl: Bool { opcode.isControl }
  var isKnown: Bool { opcode.isKnown }

  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +-+-+-+-+-------+-+-------------+-------------------------------+
  ///     |F|R|R|R| opcode|M| Payload len |    Extended payload length    |
  ///     |I|S|S|S|  (4)  |A|     (7)     |             (16/64)           |
  ///     |N|V|V|V|       |S|             |   (if payload len==126/127)   |
  ///     | |1|2|3|       |K|             |                               |
  ///     +-+-+-+-+-------+-+-------------+ - - - - - - - - - - - - - - - +
  ///     |     Extended payload length continued, if payload len == 127  |
  ///     + - - - - - - - - - - - - - - - +-------------------------------+
  ///     |                               | Masking-key, if MASK set to 1 |
  ///     +-------------------------------+-------------------------------+
  ///     | Masking-key (continued)       |          Payload Data         |
  ///     +-------------------------------- - - - - - - - - - - - - - - - +
  ///
  /// Nil while the header is incomplete.
  @inline(__always)
  static func parse(_ bytes: RawSpan, at start: Int) -> FrameHeader? {
    let count = bytes.byteCount &- start
    guard count >= 2 else { return nil }
    let first = bytes.byte(at: start)
    let second = bytes.byte(at: start &+ 1)
    var length = UInt64(second & 0x7F)
    var size = 2
    var isPadded = false
    if length == 126 {
      guard count >= 4 else { return nil }
      length = UInt64(bytes.uint16(at: start &+ 2))
      size = 4
      isPadded = length < 126
    } else if length == 127 {
      guard count >= 10 else { return nil }
      length = bytes.uint64(at: start &+ 2)
      size = 10
      isPadded = length < 0x1_0000
    }
    var key: UInt32 = 0
    let isMasked = second & 0x80 != 0
    if isMasked {
      guard count >= size &+ 4 else { return nil }
      key = bytes.uint32(at: start &+ size).byteSwapped
      size &+= 4
    }
    return FrameHeader(
      first: first, isMasked: isMasked, key: key, length: length, size: size, isPadded: isPadded)
  }
}
