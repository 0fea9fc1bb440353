// SPDX-License-Identifier: Apache-2.0

/// A place in memory for one value that is changed in it, call by call. What a class stores is
/// checked for exclusive access whenever it is touched, and what an existential boxes for owners;
/// each costs more than the work of a layer on a small message.
///
/// The owner of a cell must not come back to it from within a call that is made on its value: that
/// is not checked.
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
