// SPDX-License-Identifier: Apache-2.0

/// A stack of plain values in memory of its own: unlike an array it has one owner and no uniqueness
/// check, so push and pop are a few instructions.
@safe @frozen public struct Stack<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var room: Int
  @usableFromInline var used = 0

  @inlinable public init(capacity: Int = 16) {
    room = Swift.max(capacity, 1)
    unsafe base = .allocate(capacity: room)
  }

  @inlinable deinit { unsafe base.deallocate() }

  @inlinable public var count: Int { used }
  @inlinable public var isEmpty: Bool { used == 0 }

  @inlinable @inline(__always)
  public subscript(index: Int) -> Element {
    precondition(index >= 0 && index < used)
    return unsafe base[index]
  }

  @inlinable @inline(__always) public mutating func push(_ element: Element) {
    if used == room { grow() }
    unsafe (base + used).initialize(to: element)
    used &+= 1
  }

  /// Removes the last value; nil when there is none.
  @inlinable @inline(__always) public mutating func pop() -> Element? {
    if used == 0 { return nil }
    used &-= 1
    return unsafe base[used]
  }

  @inlinable public mutating func removeAll() { used = 0 }

  @usableFromInline @inline(never) mutating func grow() {
    let fresh = UnsafeMutablePointer<Element>.allocate(capacity: room &* 2)
    unsafe fresh.update(from: base, count: used)
    unsafe base.deallocate()
    unsafe base = fresh
    room &*= 2
  }
}
