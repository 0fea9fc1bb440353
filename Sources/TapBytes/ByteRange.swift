// SPDX-License-Identifier: Apache-2.0

/// A range of bytes in a message: the storable form of a span, two numbers without a reference. An
/// empty range means "not present".
@frozen public struct ByteRange: Sendable, Hashable, BitwiseCopyable {
  @usableFromInline var low: UInt32
  @usableFromInline var high: UInt32

  @inlinable public init(_ start: Int, _ end: Int) {
    low = UInt32(truncatingIfNeeded: start)
    high = UInt32(truncatingIfNeeded: end)
  }

  @inlinable public init() { (low, high) = (0, 0) }

  @inlinable public var start: Int { Int(low) }
  @inlinable public var end: Int { Int(high) }
  @inlinable public var count: Int { Int(high &- low) }
  @inlinable public var isEmpty: Bool { low == high }
}
