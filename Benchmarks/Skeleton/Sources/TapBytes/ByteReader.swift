// SPDX-License-Identifier: Apache-2.0
/// A forward cursor over borrowed bytes; every read answers `nil` when too few remain.
@frozen public struct ByteReader: ~Escapable {
  @usableFromInline let bytes: RawSpan
  @usableFromInline var at = 0
  @inlinable @_lifetime(copy bytes) public init(_ bytes: RawSpan) { self.bytes = bytes }
  @inlinable public var offset: Int { at }
  @inlinable public var remaining: Int { bytes.byteCount &- at }
  @inlinable @_lifetime(self: copy self)
  public mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type = T.self) -> T? {
    guard remaining >= MemoryLayout<T>.size else { return nil }
    defer { at &+= MemoryLayout<T>.size }
    return T(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: T.self))
  }
}
extension RawSpan {
  @inlinable public func byte(at i: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: i, as: UInt8.self)
  }
}
extension Array where Element == UInt8 {
  /// Appends borrowed bytes.
  @inlinable public mutating func append(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
