// SPDX-License-Identifier: Apache-2.0

/// A forward cursor over borrowed bytes; every read answers `nil` when too few remain.
@frozen public struct ByteReader: ~Escapable {
  @usableFromInline let bytes: RawSpan
  @usableFromInline var at = 0
  @usableFromInline let isLittleEndian: Bool

  @inlinable @_lifetime(copy bytes)
  public init(_ bytes: RawSpan, littleEndian: Bool = false) {
    self.bytes = bytes
    isLittleEndian = littleEndian
  }

  /// How many bytes have been read.
  @inlinable public var offset: Int { at }
  @inlinable public var remaining: Int { bytes.byteCount &- at }

  @inlinable @_lifetime(self: copy self)
  public mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type = T.self) -> T? {
    guard remaining >= MemoryLayout<T>.size else { return nil }
    defer { at &+= MemoryLayout<T>.size }
    let raw = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: at, as: T.self)
    return isLittleEndian ? T(littleEndian: raw) : T(bigEndian: raw)
  }

  /// The next `count` bytes, still borrowed.
  @inlinable @_lifetime(copy self)
  public mutating func take(_ count: Int) -> RawSpan? {
    guard count >= 0, remaining >= count else { return nil }
    defer { at &+= count }
    return bytes.extracting(at..<at &+ count)
  }

  /// Answers false, and stays, when fewer remain.
  @inlinable @_lifetime(self: copy self)
  public mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, remaining >= count else { return false }
    at &+= count
    return true
  }
}
