// SPDX-License-Identifier: Apache-2.0

/// A value that is rarely present, stored separately so that its owner stays small. Copies share
/// it, so an owner must not be copied.
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
