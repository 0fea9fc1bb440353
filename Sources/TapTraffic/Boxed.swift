// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// A layer in a heap cell of its own. An existential then holds one word, and a call need not check
/// whether the layer is uniquely owned. Copies of a `Boxed` share one layer, so it must not be
/// copied.
public struct Boxed<Wrapped: Layer>: Layer {
  @usableFromInline let cell: Cell<Wrapped>

  @inlinable public init(_ wrapped: consuming Wrapped) { cell = Cell(wrapped) }

  @inlinable public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    cell.value.receive(bytes, delivery, listener)
  }

  @inlinable public mutating func hear(_ delivery: Delivery, _ listener: any Listener) {
    cell.value.hear(delivery, listener)
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
