// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// A layer in a place of its own, so that an existential holds one word of it and need not ask, for
/// every delivery, whether it is the only owner. It is not copied: there is one of each.
public struct Boxed<Wrapped: Layer>: Layer {
  @usableFromInline let cell: Cell<Wrapped>

  @inlinable public init(_ wrapped: consuming Wrapped) { cell = Cell(wrapped) }

  @inlinable public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    cell.value.receive(bytes, delivery, listener)
  }

  @inlinable public mutating func gap(
    _ missing: Int?, _ delivery: Delivery, _ listener: any Listener
  ) {
    cell.value.gap(missing, delivery, listener)
  }

  @inlinable public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    cell.value.finish(ending, delivery, listener)
  }

  @inlinable public var settlement: Settlement { mutating get { cell.value.settlement } }

  @inlinable public func meaning(ofClose code: UInt16) -> CloseMeaning? {
    cell.value.meaning(ofClose: code)
  }
}
