// SPDX-License-Identifier: Apache-2.0

/// A reusable list that keeps its memory. Copies share the memory: like `Eight` and `KeyFilter`, it
/// is working memory for one owner. An array would check uniqueness at each write.
@safe public struct WorkingList<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  @usableFromInline var owner: ManagedBuffer<Void, Element>?
  @usableFromInline var places: UnsafeMutablePointer<Element>?
  @usableFromInline var capacity = 0
  @usableFromInline var used = 0

  /// Memory is allocated with the first element.
  public init() {}

  @inlinable public var count: Int { used }
  @inlinable public var isEmpty: Bool { used == 0 }

  @inlinable public subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < used)
      return unsafe places.unsafelyUnwrapped[index]
    }
    @inline(__always) nonmutating set {
      precondition(index >= 0 && index < used)
      unsafe places.unsafelyUnwrapped[index] = newValue
    }
  }

  /// The elements, borrowed.
  @inlinable public var span: Span<Element> {
    @_lifetime(borrow self) get {
      let span = unsafe Span<Element>(_unsafeStart: places ?? Self.nowhere, count: used)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  @inlinable @inline(__always) public mutating func append(_ element: Element) {
    if used == capacity { grow() }
    unsafe places.unsafelyUnwrapped[used] = element
    used &+= 1
  }

  @inlinable @inline(__always) public mutating func removeAll() { used = 0 }

  public mutating func removeAll(keepingCapacity keepsMemory: Bool) {
    if keepsMemory { used = 0 } else { self = WorkingList() }
  }

  /// The pointer of a list without memory.
  @usableFromInline static var nowhere: UnsafeMutablePointer<Element> {
    unsafe UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }

  @inlinable @inline(never) mutating func grow() {
    let larger = max(16, capacity * 2)
    let memory = ManagedBuffer<Void, Element>.create(minimumCapacity: larger) { _ in }
    let fresh = unsafe memory.withUnsafeMutablePointerToElements { unsafe $0 }
    if let places = unsafe places { unsafe fresh.initialize(from: places, count: used) }
    owner = memory
    unsafe places = fresh
    capacity = larger
  }
}
