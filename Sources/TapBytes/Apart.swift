// SPDX-License-Identifier: Apache-2.0

/// A value that is seldom there, kept apart so that its owner stays small. Copies share it: it is
/// for the parts of one owner.
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
