// SPDX-License-Identifier: Apache-2.0

/// Eight places in a row inside of whatever holds them: an array that needs no memory of its own.
@frozen public struct Eight<Element: BitwiseCopyable & Sendable>: Sendable, BitwiseCopyable {
  @usableFromInline
  var places: (Element, Element, Element, Element, Element, Element, Element, Element)

  @inlinable public init(repeating element: Element) {
    places = (element, element, element, element, element, element, element, element)
  }

  @inlinable public subscript(index: Int) -> Element {
    // By name: reading through a pointer would copy all eight to give them an address.
    @inline(__always) get {
      switch index {
      case 0: return places.0
      case 1: return places.1
      case 2: return places.2
      case 3: return places.3
      case 4: return places.4
      case 5: return places.5
      case 6: return places.6
      case 7: return places.7
      default: preconditionFailure("there are eight places")
      }
    }
    @inline(__always) set {
      precondition(index >= 0 && index < 8)
      unsafe withUnsafeMutableBytes(of: &places) {
        unsafe $0.storeBytes(
          of: newValue, toByteOffset: index &* MemoryLayout<Element>.stride, as: Element.self)
      }
    }
  }
}
