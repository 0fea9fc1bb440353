// SPDX-License-Identifier: Apache-2.0

/// A heap cell for one value that is changed in place. Class properties cost an exclusivity check
/// on each access, and existentials a uniqueness check; either costs more than a layer's work on a
/// small message.
///
/// The owner must not access the cell during a call on its value: that is not checked.
@safe public final class Cell<Value: ~Copyable> {
  @usableFromInline let place: UnsafeMutablePointer<Value>

  @inlinable public init(_ value: consuming Value) {
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(to: value)
  }

  deinit {
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
  }

  @inlinable public var value: Value {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(place) }
    @inline(__always) unsafeMutableAddress { unsafe place }
  }
}
