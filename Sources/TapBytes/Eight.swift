// SPDX-License-Identifier: Apache-2.0

/// Eight places that are allocated once and written over and over. Whoever copies it shares the
/// places: it is for working memory that one owner uses, and that is read where it lies. An array
/// would ask for owners with each write; a tuple would be copied to be read.
@safe public struct Eight<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  @safe private final class Owner {
    let places: UnsafeMutablePointer<Element>

    init(_ element: Element) {
      unsafe places = .allocate(capacity: 8)
      unsafe places.initialize(repeating: element, count: 8)
    }

    deinit { unsafe places.deallocate() }
  }

  private let owner: Owner
  @usableFromInline let places: UnsafeMutablePointer<Element>

  public init(repeating element: Element) {
    owner = Owner(element)
    unsafe places = owner.places
  }

  @inlinable public subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < 8)
      return unsafe places[index]
    }
    @inline(__always) nonmutating set {
      precondition(index >= 0 && index < 8)
      unsafe places[index] = newValue
    }
  }
}
