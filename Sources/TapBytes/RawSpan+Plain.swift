// SPDX-License-Identifier: Apache-2.0

/// Printable ASCII, which is shown as it is.
extension RawSpan {
  /// Whether all bytes are printable ASCII, each of which takes one column.
  @inline(__always) public var isPlain: Bool {
    let count = byteCount
    var at = 0
    if count >= 16 {
      while at &+ 16 < count {
        if unprintableLanes(unchecked: at) != 0 { return false }
        at &+= 16
      }
      // The last sixteen bytes; they may overlap those before.
      return unprintableLanes(unchecked: count &- 16) == 0
    }
    if count >= 8 {
      return Self.isPlain(word(unchecked: 0)) && Self.isPlain(word(unchecked: count &- 8))
    }
    while at < count {
      let byte = byte(at: at)
      if byte < 0x20 || byte >= 0x7F { return false }
      at &+= 1
    }
    return true
  }

  /// The first ASCII control character other than white space and DEL.
  public func firstControl(from start: Int = 0) -> Int? {
    (start..<byteCount).first { byte(at: $0) < 0x20 && !byte(at: $0).isJSONSpace }
  }

  /// Whether all eight bytes are printable ASCII.
  @inlinable @inline(__always) static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    // Below 0x20 the subtraction borrows, 0x7F carries into the top bit, and from 0x80 on it is set
    // already. A borrow or carry may affect other bytes, but cannot hide the byte that caused it.
    return ((word &- ones &* 0x20) | (word &+ ones) | word) & tops == 0
  }
}
