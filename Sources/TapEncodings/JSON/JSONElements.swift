// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The first elements of a list, in place: no array, so nothing to allocate or to check for owners.
/// How many there are is counted to the end.
@frozen public struct JSONElements: Sendable {
  /// How many are kept.
  public static let kept = 8

  @usableFromInline var first: (JSONElement, JSONElement, JSONElement, JSONElement)
  @usableFromInline var more: (JSONElement, JSONElement, JSONElement, JSONElement)
  @usableFromInline var total = 0
  /// The kinds of the elements that are kept, four bits each, the first lowest: the form of a list
  /// in one word.
  public private(set) var kinds: UInt64 = 0

  init() {
    let none = JSONElement(.null, ByteRange())
    (first, more) = ((none, none, none, none), (none, none, none, none))
  }

  /// How many the list has.
  @inlinable public var count: Int { total }
  @inlinable public var isEmpty: Bool { total == 0 }

  /// One of the elements that are kept.
  @inlinable @inline(__always)
  public subscript(index: Int) -> JSONElement {
    precondition(index < total)
    switch index {
    case 0: return first.0
    case 1: return first.1
    case 2: return first.2
    case 3: return first.3
    case 4: return more.0
    case 5: return more.1
    case 6: return more.2
    case 7: return more.3
    default: preconditionFailure("element \(index) of a list is not kept")
    }
  }

  @inline(__always)
  mutating func append(_ element: JSONElement) {
    switch total {
    case 0: first.0 = element
    case 1: first.1 = element
    case 2: first.2 = element
    case 3: first.3 = element
    case 4: more.0 = element
    case 5: more.1 = element
    case 6: more.2 = element
    case 7: more.3 = element
    default: break
    }
    if total < Self.kept { kinds |= UInt64(element.kind.rawValue) &<< UInt64(total &* 4) }
    total &+= 1
  }

  mutating func removeAll() { (total, kinds) = (0, 0) }
}
