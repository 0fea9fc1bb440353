// SPDX-License-Identifier: Apache-2.0

/// A value that is there seldom, in a place of its own, so that what has it is no larger for it.
/// A copy shares the place: it is for parts of what one owner has.
@propertyWrapper public struct Apart<Value> {
  @usableFromInline var place: Cell<Value?>?

  @inlinable public init() {}

  @inlinable public var wrappedValue: Value? {
    @inline(__always) get { place?.value ?? nil }
    set {
      if let place {
        place.value = newValue
      } else if let newValue {
        place = Cell(newValue)
      }
    }
    _modify {
      let place = self.place ?? Cell(nil)
      self.place = place
      yield &place.value
    }
  }
}

extension Apart: @unchecked Sendable where Value: Sendable {}
