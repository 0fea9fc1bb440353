// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Classifies payloads: JSON, other text, or neither.
struct MQTTPayloads {
  private var scanner: JSONScanner

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  /// Whether a text that is not empty is one JSON value.
  mutating func isJSON(_ bytes: RawSpan) -> Bool {
    switch bytes.byte(at: 0) {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), 0x09, 0x0A, 0x0D, 0x20:
      return scanner.scan(bytes) == bytes.byteCount && scanner.isStrict
    default: return false
    }
  }

  /// Whether bytes are UTF-8 without control characters.
  static func isText(_ bytes: RawSpan) -> Bool {
    UTF8.firstInvalid(in: bytes) == nil && !hasControls(bytes)
  }

  /// Whether UTF-8 has control characters that text does not have.
  static func hasControls(_ bytes: RawSpan) -> Bool {
    for at in 0..<bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F {
        return true
      }
    }
    return false
  }
}
