// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A variable byte integer (MQTT 5.0 §1.5.5).
struct MQTTVariable {
  var value: Int
  /// Its length in bytes.
  var length: Int
  /// It is not encoded in the fewest bytes.
  var isPadded: Bool

  enum Reading {
    case whole(MQTTVariable)
    /// More bytes are needed.
    case incomplete
    /// The fourth byte has the continuation bit.
    case malformed
  }

  @inline(__always)
  static func read(_ bytes: RawSpan, at start: Int) -> Reading {
    var (value, length) = (0, 0)
    while length < 4 {
      guard start &+ length < bytes.byteCount else { return .incomplete }
      let byte = bytes.byte(at: start &+ length)
      value |= Int(byte & 0x7F) &<< (7 &* length)
      length &+= 1
      if byte < 0x80 {
        return .whole(
          MQTTVariable(value: value, length: length, isPadded: byte == 0 && length > 1))
      }
    }
    return .malformed
  }
}
