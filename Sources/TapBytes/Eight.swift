// SPDX-License-Identifier: Apache-2.0

/// Eight elements of working memory, allocated once and overwritten again and again. Copies share
/// the memory, so only one owner may use it. An array would check uniqueness at each write; a tuple
/// would be copied to be read.
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
