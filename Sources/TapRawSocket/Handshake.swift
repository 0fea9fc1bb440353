// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The handshake of four bytes that each side of a RawSocket connection sends first.
public struct Handshake: BitwiseCopyable, Sendable {
  /// The first byte of both sides.
  public static let magic: UInt8 = 0x7F
  static let size = 4

  var octets: UInt32

  /// The first four bytes of a side; there must be as many.
  init(_ bytes: RawSpan) { octets = bytes.uint32(at: 0) }

  var hasMagic: Bool { octets >> 24 == UInt32(Self.magic) }
  /// LLLL, or the error of a reply.
  var exponent: UInt8 { UInt8(truncatingIfNeeded: octets >> 20) & 0x0F }
  /// SSSS; 0 in a reply that reports an error.
  var serializer: Serializer { Serializer(number: UInt8(truncatingIfNeeded: octets >> 16) & 0x0F) }
  /// The last two bytes, which must be 0.
  var reserved: UInt16 { UInt16(truncatingIfNeeded: octets) }
  /// The largest message that the sender of this handshake accepts, in bytes.
  var mostOctets: Int { 1 << (9 + Int(exponent)) }
  /// As a reply: the connection is refused.
  var isError: Bool { serializer.number == 0 }

  /// The meaning of an error number, in the words of the specification.
  static func error(_ number: UInt8) -> String {
    switch number {
    case 1: "serializer unsupported"
    case 2: "maximum message length unacceptable"
    case 3: "use of reserved bits (unsupported feature)"
    case 4: "maximum connection count reached"
    case 0: "error 0, which is illegal"
    default: "error \(number), which has no meaning"
    }
  }

  /// Whether a stream may be RawSocket, from the first bytes of its sides; nil when more bytes are
  /// needed.
  ///
  /// One byte is not enough evidence. The last two of the four must be 0: on one side, or if the
  /// client breaks that rule, in the router's reply.
  public static func recognise(_ sides: [[UInt8]]) -> Bool? {
    var isOpen = false
    for side in sides {
      if side.isEmpty {
        isOpen = true
      } else if side[0] == magic {
        if side.count < size {
          isOpen = true
        } else if side[2] == 0 && side[3] == 0 {
          return true
        }
      }
    }
    return isOpen ? nil : false
  }
}
