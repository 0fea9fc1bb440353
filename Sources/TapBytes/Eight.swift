// SPDX-License-Identifier: Apache-2.0

/// Eight places that are allocated once and written over and over. A copy shares the
/// places: it is for working memory that one owner uses, and that is read where it lies. An array
/// would ask for owners with each write; a tuple would be copied to be read.
@safe public struct Eight<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let owner: ManagedBuffer<Void, Element>
  @usableFromInline let places: UnsafeMutablePointer<Element>

  public init(repeating element: Element) {
    owner = ManagedBuffer.create(minimumCapacity: 8) { _ in }
    unsafe places = owner.withUnsafeMutablePointerToElements { unsafe $0 }
    unsafe places.initialize(repeating: element, count: 8)
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
