// SPDX-License-Identifier: Apache-2.0
public import CLanes

/// Sixteen bytes at a time, where the CPU supports it. Each returns one bit per byte, the first in
/// the lowest bit. Offsets are not checked, for loops that have just compared them.
extension RawSpan {
  /// Which of sixteen bytes end the plain content of a JSON string: quotes, backslashes, controls,
  /// DEL, and what is not ASCII.
  @inlinable @inline(__always)
  public func unplainLanes(unchecked offset: Int) -> UInt32 {
    assert(offset >= 0 && offset &+ 16 <= byteCount)
    return unsafe withUnsafeBytes { octets in
      unsafe lanes_unplain(octets.baseAddress.unsafelyUnwrapped + offset)
    }
  }

  /// Which of sixteen bytes are not printable ASCII.
  @inlinable @inline(__always)
  public func unprintableLanes(unchecked offset: Int) -> UInt32 {
    assert(offset >= 0 && offset &+ 16 <= byteCount)
    return unsafe withUnsafeBytes { octets in
      unsafe lanes_unprintable(octets.baseAddress.unsafelyUnwrapped + offset)
    }
  }

  /// Whether all bytes are ASCII; may be false for short ASCII too.
  @inlinable @inline(__always) public var isLongASCII: Bool {
    if byteCount < 16 { return false }
    return unsafe withUnsafeBytes { octets in
      unsafe lanes_ascii(octets.baseAddress.unsafelyUnwrapped, octets.count) != 0
    }
  }

  /// Which of sixteen bytes are not decimal digits.
  @inlinable @inline(__always)
  public func undigitLanes(unchecked offset: Int) -> UInt32 {
    assert(offset >= 0 && offset &+ 16 <= byteCount)
    return unsafe withUnsafeBytes { octets in
      unsafe lanes_undigit(octets.baseAddress.unsafelyUnwrapped + offset)
    }
  }

  /// Which of sixteen bytes equal this one.
  @inlinable @inline(__always)
  public func equalLanes(_ wanted: UInt8, unchecked offset: Int) -> UInt32 {
    assert(offset >= 0 && offset &+ 16 <= byteCount)
    return unsafe withUnsafeBytes { octets in
      unsafe lanes_equal(octets.baseAddress.unsafelyUnwrapped + offset, wanted)
    }
  }

  /// The offset, at or after `start`, of the first byte that is one of the eight in `set`; the
  /// count when there is none. To search for fewer than eight, repeat some.
  @inlinable @inline(__always)
  public func firstIndex(ofAny set: UInt64, from start: Int) -> Int {
    precondition(start >= 0 && start <= byteCount)
    return unsafe withUnsafeBytes { octets in
      guard let base = octets.baseAddress else { return 0 }
      return unsafe start + lanes_find(base + start, octets.count - start, set)
    }
  }

  /// Which of the sixty-four bytes from `start`, or as many as there are, are one of the three in
  /// `set`, whose fourth byte repeats the third.
  @inlinable @inline(__always)
  public func places(ofThree set: UInt32, from start: Int) -> UInt64 {
    precondition(start >= 0 && start <= byteCount)
    return unsafe withUnsafeBytes { octets in
      guard let base = octets.baseAddress else { return 0 }
      return unsafe lanes_places_of_three(base + start, octets.count &- start, set)
    }
  }

  /// Which of the sixty-four bytes from `start`, or as many as there are, are one of the eight in
  /// `set`, or `ninth`.
  @inlinable @inline(__always)
  public func places(ofAny set: UInt64, or ninth: UInt8, from start: Int) -> UInt64 {
    precondition(start >= 0 && start <= byteCount)
    return unsafe withUnsafeBytes { octets in
      guard let base = octets.baseAddress else { return 0 }
      let rest = octets.count &- start
      if rest < 64 && octets.count >= 64 {
        // The last sixty-four bytes; they may overlap those before.
        if rest == 0 { return 0 }
        let last = unsafe lanes_places(base + (octets.count &- 64), 64, set, ninth)
        return last >> UInt64(64 &- rest)
      }
      return unsafe lanes_places(base + start, rest, set, ninth)
    }
  }
}
