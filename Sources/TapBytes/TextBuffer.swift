// SPDX-License-Identifier: Apache-2.0

/// Append-only UTF-8 text for renderers, in memory of its own. It makes no `String` and allocates
/// only to grow.
@safe public struct TextBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var room: Int
  @usableFromInline var used = 0
  @inlinable public var count: Int { used }

  public init(capacity: Int = 1 << 16) {
    room = max(capacity, 64)
    unsafe base = .allocate(capacity: room)
  }

  deinit { unsafe base.deallocate() }

  public var isEmpty: Bool { count == 0 }

  public var bytes: RawSpan {
    @_lifetime(borrow self) get {
      unsafe _overrideLifetime(
        RawSpan(_unsafeStart: UnsafeRawPointer(base), byteCount: count), borrowing: self)
    }
  }

  public mutating func removeAll() { used = 0 }

  /// Keeps the first `length` bytes only.
  public mutating func truncate(_ length: Int) {
    precondition(length >= 0 && length <= count)
    used = length
  }

  /// Frees memory if it is larger than `size` bytes and empty.
  public mutating func shrink(above size: Int) {
    if used > 0 || room <= max(size, 64) { return }
    unsafe base.deallocate()
    room = max(size, 64)
    unsafe base = .allocate(capacity: room)
  }

  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    unsafe Self.copy(UnsafeRawPointer(text.utf8Start), base + count, length)
    used &+= length
  }

  @inlinable @inline(__always)
  public mutating func append(symbol: Symbol) {
    let length = symbol.utf8CodeUnitCount
    reserve(length)
    unsafe Self.copy(UnsafeRawPointer(symbol.utf8Start), base + count, length)
    used &+= length
  }

  /// A copy for short pieces: two overlapping loads, where a call of memmove would cost more than
  /// the copy.
  @inlinable @inline(__always)
  static func copy(
    _ from: UnsafeRawPointer, _ to: UnsafeMutablePointer<UInt8>, _ length: Int
  ) {
    let to = UnsafeMutableRawPointer(to)
    if length > 32 {
      unsafe to.copyMemory(from: from, byteCount: length)
    } else if length >= 16 {
      let head = unsafe from.loadUnaligned(as: SIMD2<UInt64>.self)
      let tail = unsafe from.loadUnaligned(fromByteOffset: length &- 16, as: SIMD2<UInt64>.self)
      unsafe to.storeBytes(of: head, as: SIMD2<UInt64>.self)
      unsafe to.storeBytes(of: tail, toByteOffset: length &- 16, as: SIMD2<UInt64>.self)
    } else if length >= 8 {
      let head = unsafe from.loadUnaligned(as: UInt64.self)
      let tail = unsafe from.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
      unsafe to.storeBytes(of: head, as: UInt64.self)
      unsafe to.storeBytes(of: tail, toByteOffset: length &- 8, as: UInt64.self)
    } else if length >= 4 {
      let head = unsafe from.loadUnaligned(as: UInt32.self)
      let tail = unsafe from.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)
      unsafe to.storeBytes(of: head, as: UInt32.self)
      unsafe to.storeBytes(of: tail, toByteOffset: length &- 4, as: UInt32.self)
    } else {
      for at in 0..<length {
        unsafe to.storeBytes(
          of: from.load(fromByteOffset: at, as: UInt8.self), toByteOffset: at, as: UInt8.self)
      }
    }
  }

  /// Appends trusted text; text from the wire must use `append(escaping:)`. Literals use the
  /// `StaticString` overload, which makes no `String`.
  @_disfavoredOverload
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      reserve(utf8.count)
      if let start = utf8.baseAddress {
        unsafe (base + count).update(from: start, count: utf8.count)
      }
      used &+= utf8.count
    }
  }

  @inlinable public mutating func append(_ bytes: RawSpan) {
    let length = bytes.byteCount
    if length == 0 { return }
    reserve(length)
    unsafe bytes.withUnsafeBytes { source in
      unsafe Self.copy(source.baseAddress!, base + count, length)
    }
    used &+= length
  }

  @inlinable @inline(__always) public mutating func append(byte: UInt8) {
    reserve(1)
    unsafe base[count] = byte
    used &+= 1
  }

  /// The first `count` bytes of a word, up to eight, the first in its lowest bits.
  @inlinable @inline(__always) public mutating func append(word: UInt64, count: Int) {
    assert(count >= 0 && count <= 8)
    reserve(8)
    unsafe UnsafeMutableRawPointer(base + used).storeBytes(
      of: word.littleEndian, as: UInt64.self)
    used &+= count
  }

  /// The first `count` bytes of two words, up to sixteen.
  @inlinable @inline(__always)
  public mutating func append(pair head: UInt64, _ tail: UInt64, count: Int) {
    assert(count >= 0 && count <= 16)
    reserve(16)
    let at = unsafe UnsafeMutableRawPointer(base + used)
    unsafe at.storeBytes(of: head.littleEndian, as: UInt64.self)
    unsafe at.storeBytes(of: tail.littleEndian, toByteOffset: 8, as: UInt64.self)
    used &+= count
  }

  public mutating func append(spaces: Int) {
    if spaces <= 0 { return }
    reserve(spaces &+ 16)
    // Fast path for few: write two words; later text overwrites the excess.
    let word: UInt64 = 0x2020_2020_2020_2020
    let at = unsafe UnsafeMutableRawPointer(base + count)
    unsafe at.storeBytes(of: word, as: UInt64.self)
    unsafe at.storeBytes(of: word, toByteOffset: 8, as: UInt64.self)
    if spaces > 16 { unsafe (base + count + 16).update(repeating: 0x20, count: spaces &- 16) }
    used &+= spaces
  }

  /// Inserts spaces at `offset`, moving the text after it, to right-align afterwards.
  public mutating func insert(spaces: Int, at offset: Int) {
    if spaces <= 0 { return }
    reserve(spaces)
    unsafe (base + offset + spaces).update(from: base + offset, count: count &- offset)
    unsafe (base + offset).update(repeating: 0x20, count: spaces)
    used &+= spaces
  }

  /// Extends the text by bytes that were written after its end.
  @inline(__always) mutating func advance(_ more: Int) { used &+= more }

  @inlinable @inline(__always) mutating func reserve(_ more: Int) {
    if count &+ more > room { grow(more) }
  }

  @usableFromInline @inline(never) mutating func grow(_ more: Int) {
    let larger = max(room &* 2, count &+ more)
    let fresh = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe fresh.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = fresh
    room = larger
  }
}
