// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Copies of what was lent, gaps too, in order: kept by a layer that cannot pass it on yet.
public struct Held: Sendable {
  public enum Piece: Sendable {
    case bytes(ByteRange, Delivery)
    case gap(Int?, Delivery)
    case half(Delivery)
  }

  /// What the ranges of the pieces stand for.
  public private(set) var store = Scratch()
  public private(set) var pieces: ContiguousArray<Piece> = []

  public init() {}

  /// Octets held.
  public var count: Int { store.count }
  public var isEmpty: Bool { pieces.isEmpty }

  public mutating func append(_ bytes: RawSpan, _ delivery: Delivery) {
    let start = store.count
    store.append(bytes)
    pieces.append(.bytes(ByteRange(start, store.count), delivery))
  }

  public mutating func append(gap missing: Int?, _ delivery: Delivery) {
    pieces.append(.gap(missing, delivery))
  }

  public mutating func append(half delivery: Delivery) { pieces.append(.half(delivery)) }

  /// Passes everything on, as if it came now.
  public func replay(into layer: inout any Layer, _ listener: any Listener) {
    for piece in pieces {
      switch piece {
      case .bytes(let range, let delivery):
        layer.receive(store.bytes[range], delivery, listener)
      case .gap(let missing, let delivery): layer.gap(missing, delivery, listener)
      case .half(let delivery): layer.finish(.half, delivery, listener)
      }
    }
  }

  public mutating func removeAll() {
    store.removeAll()
    store.shrink(above: 0)
    pieces.removeAll()
  }
}
