// SPDX-License-Identifier: Apache-2.0

/// A reusable byte buffer. It grows on need; `shrink` frees memory after an unusually large
/// message.
public struct Scratch: Sendable {
  @usableFromInline var store: ContiguousArray<UInt8> = []
  @usableFromInline var used = 0

  @inlinable public init() {}

  @inlinable public var count: Int { used }
  /// The allocated memory in bytes.
  @inlinable public var capacity: Int { store.count }
  @inlinable public var isEmpty: Bool { used == 0 }

  @inlinable public var bytes: RawSpan {
    @_lifetime(borrow self) get { unsafe store.span.bytes.extracting(0..<used) }
  }

  @inlinable public mutating func removeAll() { used = 0 }

  /// Removes the first `count` bytes; the rest moves to the front.
  public mutating func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= used)
    let rest = used &- count
    if count > 0 && rest > 0 {
      unsafe store.withUnsafeMutableBytes { all in
        unsafe all.baseAddress!.copyMemory(from: all.baseAddress! + count, byteCount: rest)
      }
    }
    used = rest
  }

  /// Keeps the first `count` bytes only.
  public mutating func truncate(_ count: Int) {
    precondition(count >= 0 && count <= used)
    used = count
  }

  /// Overwrites four bytes with a little-endian number.
  public mutating func replace(at offset: Int, with word: UInt32) {
    precondition(offset >= 0 && offset &+ 4 <= used)
    for index in 0..<4 { store[offset &+ index] = UInt8(truncatingIfNeeded: word >> (8 * index)) }
  }

  /// Overwrites a byte with a blank.
  public mutating func blank(at offset: Int) {
    precondition(offset >= 0 && offset < used)
    store[offset] = 0x20
  }

  /// Frees the memory if it is larger than `size` bytes and empty.
  public mutating func shrink(above size: Int) {
    if used == 0 && store.count > size { store = [] }
  }

  @inlinable public mutating func append(_ byte: UInt8) {
    reserve(1)
    store[used] = byte
    used &+= 1
  }

  @inlinable public mutating func append(_ bytes: RawSpan) {
    let count = bytes.byteCount
    if count == 0 { return }
    reserve(count)
    let at = used
    unsafe store.withUnsafeMutableBytes { all in
      unsafe bytes.withUnsafeBytes { source in
        unsafe (all.baseAddress! + at).copyMemory(from: source.baseAddress!, byteCount: count)
      }
    }
    used = at &+ count
  }

  public mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { append(unsafe text.utf8Start[index]) }
  }

  @_disfavoredOverload
  public mutating func append(_ text: String) { for byte in text.utf8 { append(byte) } }

  /// Appends bytes XORed with a WebSocket masking key (RFC 6455 §5.3), eight at a time.
  ///
  /// - Parameters:
  ///   - key: the four key bytes in wire order, the first in the lowest bits.
  ///   - phase: how many payload bytes of this frame came before.
  @inlinable public mutating func append(_ bytes: RawSpan, unmaskedWith key: UInt32, phase: Int) {
    let count = bytes.byteCount
    if count == 0 { return }
    reserve(count)
    let at = used
    let turn = UInt32((phase & 3) &* 8)
    let turned = turn == 0 ? key : key >> turn | key << (32 &- turn)
    let wide = UInt64(turned) | UInt64(turned) << 32
    unsafe store.withUnsafeMutableBytes { all in
      let out = unsafe all.baseAddress! + at
      var index = 0
      let pair = SIMD2(wide, wide)
      while index &+ 16 <= count {
        let masked = unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: index, as: SIMD2<UInt64>.self)
        unsafe out.storeBytes(of: masked ^ pair, toByteOffset: index, as: SIMD2<UInt64>.self)
        index &+= 16
      }
      if index &+ 8 <= count {
        let masked = unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: index, as: UInt64.self)
        unsafe out.storeBytes(of: masked ^ wide, toByteOffset: index, as: UInt64.self)
        index &+= 8
      }
      if index < count && count >= 8 {
        // The last eight bytes; they may overlap those before, with the same result.
        let last = count &- 8
        let shift = UInt64((last & 7) &* 8)
        let turned = shift == 0 ? wide : (wide &>> shift) | (wide &<< (64 &- shift))
        let masked = unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: last, as: UInt64.self)
        unsafe out.storeBytes(of: masked ^ turned, toByteOffset: last, as: UInt64.self)
        index = count
      }
      while index < count {
        let octet = UInt8(truncatingIfNeeded: wide >> UInt64((index & 7) &* 8))
        let masked = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
        unsafe out.storeBytes(of: masked ^ octet, toByteOffset: index, as: UInt8.self)
        index &+= 1
      }
    }
    used = at &+ count
  }

  /// Lends at least `room` free bytes after the content to `fill`, which returns how many it wrote.
  public mutating func fill(_ room: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
    reserve(room)
    let at = used
    let wrote = unsafe store.withUnsafeMutableBytes { all in
      unsafe fill(UnsafeMutableRawBufferPointer(rebasing: all[at...]))
    }
    precondition(wrote >= 0 && at &+ wrote <= store.count)
    used = at &+ wrote
  }

  @inlinable mutating func reserve(_ more: Int) {
    if used &+ more > store.count { grow(used &+ more) }
  }

  @usableFromInline @inline(never) mutating func grow(_ needed: Int) {
    let size = Swift.max(needed, store.count &* 2, 256)
    let old = used
    let larger = unsafe ContiguousArray<UInt8>(unsafeUninitializedCapacity: size) { fresh, count in
      if old > 0 {
        unsafe store.withUnsafeBytes { from in
          unsafe UnsafeMutableRawPointer(fresh.baseAddress!).copyMemory(
            from: from.baseAddress!, byteCount: old)
        }
      }
      // Only written bytes are ever read, as `bytes` ends at `used`. The rest is zeroed anyway, so
      // that a bug could not expose foreign memory.
      unsafe (fresh.baseAddress! + old).initialize(repeating: 0, count: size &- old)
      count = size
    }
    store = larger
  }
}
