// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// The first elements of a list, in memory that is reused for each list: no allocation and no
/// uniqueness check. `count` counts all elements.
@frozen public struct JSONElements: Sendable {
  /// How many are kept.
  public static let kept = 8

  @usableFromInline var places = Eight(repeating: JSONElement(.null, ByteRange()))
  @usableFromInline var total = 0
  /// The kinds of the kept elements, four bits each, the first in the lowest bits: the form of a
  /// list in one word.
  public private(set) var kinds: UInt64 = 0

  init() {}

  /// The number of elements in the list.
  @inlinable public var count: Int { total }
  @inlinable public var isEmpty: Bool { total == 0 }

  /// One of the elements that are kept.
  @inlinable @inline(__always)
  public subscript(index: Int) -> JSONElement {
    precondition(index < total)
    return places[index]
  }

  @inline(__always)
  mutating func append(_ element: JSONElement) {
    if total < Self.kept {
      places[total] = element
      kinds |= UInt64(element.kind.rawValue) &<< UInt64(total &* 4)
    }
    total &+= 1
  }

  mutating func removeAll() { (total, kinds) = (0, 0) }

  /// Copies another list without sharing its memory.
  mutating func copy(_ other: borrowing JSONElements) {
    for index in 0..<min(other.total, Self.kept) { places[index] = other.places[index] }
    (total, kinds) = (other.total, other.kinds)
  }
}
