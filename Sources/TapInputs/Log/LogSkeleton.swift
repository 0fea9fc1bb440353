// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Numbers of texts that are the same for all that differ in numbers only.
enum LogSkeleton {
  static func of(_ text: RawSpan) -> UInt64 {
    var hash: UInt64 = 0
    var at = 0
    while at < text.byteCount {
      let end = firstDigit(text, at)
      let part = text.extracting(at..<end).fingerprint
      hash = (hash << 7 | hash >> 57) &* 0x9E37_79B9_7F4A_7C15 ^ part
      at = end
      if at < text.byteCount { hash &+= 1 }
      while at < text.byteCount, text.byte(at: at) &- 0x30 < 10 { at += 1 }
    }
    return hash
  }

  /// The first digit at or behind `start`.
  private static func firstDigit(_ text: RawSpan, _ start: Int) -> Int {
    var at = start
    while at + 16 <= text.byteCount {
      let digits = text.undigitLanes(unchecked: at) ^ 0xFFFF
      if digits != 0 { return at + digits.trailingZeroBitCount }
      at += 16
    }
    while at < text.byteCount, text.byte(at: at) &- 0x30 >= 10 { at += 1 }
    return at
  }
}
