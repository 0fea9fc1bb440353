// SPDX-License-Identifier: Apache-2.0

/// Compares and hashes literals in place, without making a `String`.
extension StaticString {
  @inlinable var octets: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }

  /// Whether both are the same text, even from different modules.
  @inlinable public func equals(_ other: StaticString) -> Bool {
    if unsafe utf8Start == other.utf8Start && utf8CodeUnitCount == other.utf8CodeUnitCount {
      return true
    }
    return unsafe octets.elementsEqual(other.octets)
  }

  /// As `RawSpan.fingerprint`.
  @inlinable public var fingerprint: UInt64 {
    unsafe Hash.of(RawSpan(_unsafeBytes: octets), seed: Hash.seed)
  }
}
