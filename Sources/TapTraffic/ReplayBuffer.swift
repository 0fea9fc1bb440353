// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Copies of lent bytes, and of gaps, in order, for a layer that cannot pass them on yet.
public struct ReplayBuffer: Sendable {
  public enum Piece: Sendable {
    case bytes(ByteRange, Delivery)
    case gap(Int?, Delivery)
    case half(Delivery)
  }

  /// The least that a piece counts, so that many tiny pieces or gaps do not evade the bound.
  public static let leastCost = 128

  /// The bytes that the ranges of the pieces refer to.
  public private(set) var store = Scratch()
  public private(set) var pieces: ContiguousArray<Piece> = []

  /// Approximate memory use, for bounds.
  public private(set) var cost = 0

  /// What it has reserved of the allowance that all connections share.
  private var room: Reservation?

  /// - Parameter allowance: what all connections may hold together; nil where the owner bounds it
  ///   itself.
  public init(_ allowance: Allowance? = nil) { room = allowance.map { Reservation($0) } }

  /// Reserves room for what is held; false when there is none.
  public mutating func reserve() -> Bool { room?.reserve(cost) ?? true }

  /// Bytes held.
  public var count: Int { store.count }
  public var isEmpty: Bool { pieces.isEmpty }

  public mutating func append(_ bytes: RawSpan, _ delivery: Delivery) {
    let start = store.count
    store.append(bytes)
    cost += max(bytes.byteCount, Self.leastCost)
    pieces.append(.bytes(ByteRange(start, store.count), delivery))
  }

  /// Consecutive gaps of one direction become one.
  public mutating func append(gap missing: Int?, _ delivery: Delivery) {
    for place in pieces.indices.suffix(2).reversed() {
      guard case .gap(let before, let first) = pieces[place] else { break }
      if first.origin.direction != delivery.origin.direction { continue }
      let sum = before.flatMap { before in missing.map { before.addingSaturated($0) } }
      var whole = first
      whole.edges = delivery.edges
      pieces[place] = .gap(sum, whole)
      return
    }
    cost += Self.leastCost
    pieces.append(.gap(missing, delivery))
  }

  public mutating func append(half delivery: Delivery) {
    cost += Self.leastCost
    pieces.append(.half(delivery))
  }

  /// Passes everything on, as if it arrived now.
  public func replay<Taker: Layer>(into layer: inout Taker, _ listener: any Listener) {
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
    cost = 0
    room?.giveBack()
  }
}
