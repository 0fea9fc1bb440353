// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Hashes of texts, the same for texts that differ only in their numbers.
enum LogLineShape {
  static func of(_ text: RawSpan) -> UInt64 {
    var (hash, at) = isDate(text) ? date(text) : (0, 0)
    while at < text.byteCount {
      let end = firstDigit(text, at)
      hash = mix(words(text, at, end, hash), UInt64(end &- at))
      at = end
      if at < text.byteCount { hash &+= 1 }
      at = text.behindDigits(at)
    }
    return hash
  }

  /// Whether a text begins as `2026-11-20 23:34:50` does, as most do.
  @inline(__always)
  private static func isDate(_ text: RawSpan) -> Bool {
    text.byteCount >= 19 && text.undigitLanes(unchecked: 0) == 0b10_0100_1001_0000
  }

  /// The hash of the first 16 bytes of such a date: of what stands between its numbers.
  @inline(__always)
  private static func date(_ text: RawSpan) -> (hash: UInt64, at: Int) {
    let (first, second) = (text.word(unchecked: 0), text.word(unchecked: 8))
    let divided = first & 0xFF00_00FF_0000_0000 | second >> 40 & 0xFF
    return (mix(divided, second & 0xFF_0000), 16)
  }

  /// The bytes between two numbers, eight at a time; the last eight overlap those before.
  @inline(__always)
  private static func words(
    _ text: RawSpan, _ start: Int, _ end: Int, _ seed: UInt64
  ) -> UInt64 {
    var hash = seed
    if end &- start < 8 { return mix(hash, text.beginning(of: ByteRange(start, end))) }
    var at = start
    while at &+ 8 < end {
      hash = mix(hash, text.word(unchecked: at))
      at &+= 8
    }
    return mix(hash, text.word(unchecked: end &- 8))
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 32
  }

  /// The first digit at or behind `start`.
  @inline(__always)
  private static func firstDigit(_ text: RawSpan, _ start: Int) -> Int {
    var at = start
    // In times and addresses one byte stands between two numbers.
    if at &+ 1 < text.byteCount, !text.byte(at: at).isDigit,
      text.byte(at: at &+ 1).isDigit
    {
      return at &+ 1
    }
    while at &+ 16 <= text.byteCount {
      let digits = text.undigitLanes(unchecked: at) ^ 0xFFFF
      if digits != 0 { return at &+ digits.trailingZeroBitCount }
      at &+= 16
    }
    if at < text.byteCount, text.byteCount >= 16 {
      // The last sixteen, some of them once more.
      let last = text.undigitLanes(unchecked: text.byteCount &- 16) ^ 0xFFFF
      let digits = last >> UInt32(16 &- (text.byteCount &- at))
      return digits == 0 ? text.byteCount : at &+ digits.trailingZeroBitCount
    }
    while at < text.byteCount, !text.byte(at: at).isDigit { at &+= 1 }
    return at
  }
}
