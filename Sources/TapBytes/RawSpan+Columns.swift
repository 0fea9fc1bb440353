// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
  /// Counts the terminal columns of the text from `start`, eight bytes at a time, as long as every
  /// character takes one: up to an escape sequence or a code point from U+3000 on. Returns where it
  /// stopped, and the columns.
  @inlinable public func simpleColumns(from start: Int) -> (end: Int, columns: Int) {
    let tops: UInt64 = 0x8080_8080_8080_8080
    var at = start
    var columns = 0
    while at &+ 8 <= byteCount {
      let word = word(unchecked: at)
      let escape = word ^ 0x1B1B_1B1B_1B1B_1B1B
      let mayBeWide = word & ((word & ~tops) &+ 0x1D1D_1D1D_1D1D_1D1D)
      if ((escape &- 0x0101_0101_0101_0101) & ~escape | mayBeWide) & tops != 0 { break }
      // Every byte that is not a continuation byte counts. They are summed by a multiplication, as
      // not every CPU has an instruction to count bits.
      let continuations = (word & ~(word << 1) & tops) >> 7
      columns &+= 8 &- Int(truncatingIfNeeded: (continuations &* 0x0101_0101_0101_0101) >> 56)
      at &+= 8
    }
    return (at, columns)
  }

  /// The number of characters of UTF-8 text: bytes that are not continuation bytes (RFC 3629 §3).
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
