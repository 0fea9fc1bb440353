// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
  /// Columns of the text behind `start` in a terminal, eight bytes at a time, as far as every
  /// character takes one: up to a colour or a code point from U+3000 on. Answers where it stopped,
  /// and the columns.
  @inlinable public func simpleColumns(from start: Int) -> (end: Int, columns: Int) {
    let tops: UInt64 = 0x8080_8080_8080_8080
    var at = start
    var columns = 0
    while at &+ 8 <= byteCount {
      let word = word(unchecked: at)
      let escape = word ^ 0x1B1B_1B1B_1B1B_1B1B
      let mayBeWide = word & ((word & ~tops) &+ 0x1D1D_1D1D_1D1D_1D1D)
      if ((escape &- 0x0101_0101_0101_0101) & ~escape | mayBeWide) & tops != 0 { break }
      // Whatever is no continuation byte counts.
      // (Added up by a multiplication: not every processor counts bits in one instruction.)
      let continuations = (word & ~(word << 1) & tops) >> 7
      columns &+= 8 &- Int(truncatingIfNeeded: (continuations &* 0x0101_0101_0101_0101) >> 56)
      at &+= 8
    }
    return (at, columns)
  }

  /// Characters of a text in UTF-8: whatever is no continuation byte (RFC 3629 §3).
  @inlinable public var characterCount: Int {
    let tops: UInt64 = 0x8080_8080_8080_8080
    var (at, count) = (0, 0)
    while at &+ 8 <= byteCount {
      let word = word(unchecked: at)
      let continuations = (word & ~(word << 1) & tops) >> 7
      count &+= 8 &- Int(truncatingIfNeeded: (continuations &* 0x0101_0101_0101_0101) >> 56)
      at &+= 8
    }
    while at < byteCount {
      if byte(at: at) & 0xC0 != 0x80 { count &+= 1 }
      at &+= 1
    }
    return count
  }
}
