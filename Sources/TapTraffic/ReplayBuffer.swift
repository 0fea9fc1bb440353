// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Copies of what was lent, gaps too, in order: kept by a layer that cannot pass it on yet.
public struct ReplayBuffer: Sendable {
  public enum Piece: Sendable {
    case bytes(ByteRange, Delivery)
    case gap(Int?, Delivery)
    case half(Delivery)
  }

  /// What a piece counts at least: many tiny ones, or gaps, must not pass for little.
  public static let leastCost = 128

  /// What the ranges of the pieces stand for.
  public private(set) var store = Scratch()
  public private(set) var pieces: ContiguousArray<Piece> = []

  /// Roughly what is taken in memory, for bounds.
  public private(set) var cost = 0

  /// Its share of what all connections may hold.
  private var room: Reservation?

  /// - Parameter allowance: what all connections may hold; without it, who holds them sees to that.
  public init(_ allowance: Allowance? = nil) { room = allowance.map { Reservation($0) } }

  /// Takes its part of what all connections may hold; answers whether it was there.
  public mutating func mayStay() -> Bool { room?.reserve(cost) ?? true }

  /// Bytes held.
  public var count: Int { store.count }
  public var isEmpty: Bool { pieces.isEmpty }

  public mutating func append(_ bytes: RawSpan, _ delivery: Delivery) {
    let start = store.count
    store.append(bytes)
    cost += max(bytes.byteCount, Self.leastCost)
    pieces.append(.bytes(ByteRange(start, store.count), delivery))
  }

  /// Gaps of one direction that nothing stands between become one.
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

  /// Passes everything on, as if it came now.
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
