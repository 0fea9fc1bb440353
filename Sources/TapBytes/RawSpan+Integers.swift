// SPDX-License-Identifier: Apache-2.0

/// Reads numbers from borrowed bytes. Every read checks its bounds: an offset outside is a bug and
/// traps; it never reads foreign memory.
extension RawSpan {
  @inlinable public func byte(at offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// A number in network byte order.
  @inlinable public func uint16(at offset: Int) -> UInt16 {
    UInt16(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// A number in network byte order.
  @inlinable public func uint32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// A number in network byte order.
  @inlinable public func uint64(at offset: Int) -> UInt64 {
    UInt64(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Eight bytes in memory order, the first in the lowest bits.
  @inlinable public func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The same without a bounds check, for loops that have just compared the offset with the count.
  @inlinable @inline(__always) public func word(unchecked offset: Int) -> UInt64 {
    assert(offset >= 0 && offset &+ 8 <= byteCount)
    return UInt64(
      littleEndian: unsafe unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The first eight bytes of a range, the first in the lowest bits; padded with zeros.
  @inlinable @inline(__always) public func beginning(of range: ByteRange) -> UInt64 {
    let count = range.count
    if count <= 0 { return 0 }
    if range.start &+ 8 <= byteCount {
      let word = word(at: range.start)
      return count >= 8 ? word : word & ((1 &<< UInt64(count &* 8)) &- 1)
    }
    var word: UInt64 = 0
    for index in 0..<Swift.min(count, 8) {
      word |= UInt64(byte(at: range.start &+ index)) &<< UInt64(index &* 8)
    }
    return word
  }

  /// The bytes from `offset` to the end.
  @inlinable @_lifetime(copy self) public func dropping(_ offset: Int) -> RawSpan {
    extracting(offset..<byteCount)
  }

  @inlinable @_lifetime(copy self) public subscript(range: ByteRange) -> RawSpan {
    @_lifetime(copy self) get { extracting(range.start..<range.end) }
  }

  /// Whether both have the same bytes.
  @inlinable public func equals(_ other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    var at = 0
    while at &+ 8 <= byteCount {
      if word(unchecked: at) != other.word(unchecked: at) { return false }
      at &+= 8
    }
    if byteCount >= 8 {
      // The last eight bytes; they may overlap those before.
      return word(unchecked: byteCount &- 8) == other.word(unchecked: byteCount &- 8)
    }
    while at < byteCount {
      if byte(at: at) != other.byte(at: at) { return false }
      at &+= 1
    }
    return true
  }

  /// Whether these bytes are the given ASCII text.
  @inlinable public func equals(_ text: StaticString) -> Bool {
    guard byteCount == text.utf8CodeUnitCount else { return false }
    let octets = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: byteCount)
    return unsafe equals(RawSpan(_unsafeBytes: octets))
  }

  /// Whether these bytes, with ASCII letters in lower case, are the given text.
  @inlinable public func equals(lowered text: StaticString) -> Bool {
    guard byteCount == text.utf8CodeUnitCount else { return false }
    let octets = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: byteCount)
    let expected = unsafe RawSpan(_unsafeBytes: octets)
    var at = 0
    while at &+ 8 <= byteCount {
      if Self.lowered(word(unchecked: at)) != expected.word(unchecked: at) { return false }
      at &+= 8
    }
    if byteCount >= 8 {
      // The last eight bytes; they may overlap those before.
      let last = byteCount &- 8
      return Self.lowered(word(unchecked: last)) == expected.word(unchecked: last)
    }
    while at < byteCount {
      let octet = byte(at: at)
      if (octet &- 0x41 < 26 ? octet | 0x20 : octet) != expected.byte(at: at) { return false }
      at &+= 1
    }
    return true
  }

  /// Eight bytes with ASCII letters in lower case.
  @inlinable @inline(__always) static func lowered(_ word: UInt64) -> UInt64 {
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    let isFromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
    let isBehindZ = low &+ 0x2525_2525_2525_2525
    return word | (isFromA & ~isBehindZ & ~word & 0x8080_8080_8080_8080) >> 2
  }

  /// Whether these bytes are those of a symbol.
  @inlinable public func equals(symbol text: Symbol) -> Bool {
    guard byteCount == text.utf8CodeUnitCount else { return false }
    return unsafe equals(RawSpan(_unsafeBytes: text.octets))
  }

  /// Whether these bytes begin with the given ASCII text.
  @inlinable public func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard byteCount >= count else { return false }
    let expected = unsafe text.utf8Start
    for index in 0..<count where byte(at: index) != (unsafe expected[index]) { return false }
    return true
  }

  /// The offset of the first such byte at or after `start`.
  @inlinable public func firstIndex(of wanted: UInt8, from start: Int = 0) -> Int? {
    var at = start
    while at &+ 16 <= byteCount {
      let hits = equalLanes(wanted, unchecked: at)
      if hits != 0 { return at &+ hits.trailingZeroBitCount }
      at &+= 16
    }
    if at >= byteCount { return nil }
    if byteCount >= 16 {
      // The last sixteen bytes, without those checked before.
      let hits =
        equalLanes(wanted, unchecked: byteCount &- 16) &>> UInt32(16 &- (byteCount &- at))
      return hits != 0 ? at &+ hits.trailingZeroBitCount : nil
    }
    let pattern = UInt64(wanted) &* 0x0101_0101_0101_0101
    if at &+ 8 <= byteCount {
      let differs = word(unchecked: at) ^ pattern
      let hit = (differs &- 0x0101_0101_0101_0101) & ~differs & 0x8080_8080_8080_8080
      if hit != 0 { return at &+ hit.trailingZeroBitCount &>> 3 }
      at &+= 8
    }
    while at < byteCount {
      if byte(at: at) == wanted { return at }
      at &+= 1
    }
    return nil
  }

  /// The first offset from `start` on where no white space of JSON stands.
  @inlinable @inline(__always) public func behindSpace(_ start: Int) -> Int {
    var at = start
    while at < byteCount, byte(at: at).isJSONSpace { at &+= 1 }
    return at
  }

  /// The offset of the first such text at or after `start`.
  public func firstIndex(of text: StaticString, from start: Int = 0) -> Int? {
    var at = start
    while let hit = firstIndex(of: unsafe text.utf8Start[0], from: at) {
      if dropping(hit).starts(with: text) { return hit }
      at = hit + 1
    }
    return nil
  }

  /// Whether the bytes contain a text.
  public func contains(_ text: StaticString) -> Bool { firstIndex(of: text) != nil }

  /// A copy as an array, which may outlive the span.
  public func copied() -> [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }
}
