// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The fixed header of a packet (MQTT 5.0 §2.1).
struct MQTTHeader {
  /// Bytes of the header.
  var length: Int
  /// Bytes of the whole packet.
  var total: Int
  /// The remaining length could have been shorter.
  var isPadded: Bool

  enum Reading {
    case whole(MQTTHeader)
    case incomplete
    /// The remaining length has more than four bytes.
    case malformed
  }

  @inline(__always)
  static func read(_ bytes: RawSpan, at start: Int) -> Reading {
    switch MQTTVariable.read(bytes, at: start &+ 1) {
    case .whole(let found):
      return .whole(
        MQTTHeader(
          length: found.length &+ 1, total: found.length &+ 1 &+ found.value,
          isPadded: found.isPadded))
    case .incomplete: return .incomplete
    case .malformed: return .malformed
    }
  }

  /// A complete packet, with its remaining length made from the content.
  static func packet(_ first: UInt8, _ content: [UInt8]) -> [UInt8] {
    var packet = [first]
    var left = content.count
    repeat {
      packet.append(UInt8(left & 0x7F) | (left > 0x7F ? 0x80 : 0))
      left >>= 7
    } while left > 0
    return packet + content
  }
}
