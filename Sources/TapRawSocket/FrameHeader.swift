// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The header of a RawSocket frame, as sent, even if it breaks rules: `RRRR X TTT`, and a length of
/// 24 bits.
struct FrameHeader: BitwiseCopyable {
  static let size = 4

  enum Kind {
    static let message: UInt8 = 0
    static let ping: UInt8 = 1
    static let pong: UInt8 = 2
  }

  var first: UInt8 = 0
  /// The payload length in bytes.
  var length = 0

  /// The header of an empty message.
  init() {}

  /// There must be four bytes.
  @inline(__always)
  init(_ bytes: RawSpan, at start: Int) {
    let word = bytes.uint32(at: start)
    first = UInt8(truncatingIfNeeded: word >> 24)
    length = Int(word & 0xFF_FFFF)
    // X means 2^24 bytes, which 24 bits cannot express; with another length it has no meaning.
    if first & 0x08 != 0 && length == 0 { length = 1 << 24 }
  }

  /// 0 to 7.
  var kind: UInt8 { first & 0x07 }
  var isKnown: Bool { kind <= Kind.pong }

  /// Bits are set that must be zero.
  var hasReserved: Bool { first & 0xF0 != 0 || (first & 0x08 != 0 && length != 1 << 24) }
}
