// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Bytes of a stream that are searched for frames, each piece with its delivery.
public struct ResyncBuffer {
  /// All bytes that are held, in order.
  public private(set) var bytes = Scratch()
  /// Where each piece that was lent begins.
  private var pieces: ContiguousArray<(start: Int, delivery: Delivery)> = []

  /// Approximate memory use, for bounds: a piece counts at least `ReplayBuffer.leastCost`.
  public private(set) var cost = 0

  public init() {}

  public var count: Int { bytes.count }

  public mutating func append(_ piece: RawSpan, _ delivery: Delivery) {
    pieces.append((bytes.count, delivery))
    bytes.append(piece)
    cost += max(piece.byteCount, ReplayBuffer.leastCost)
  }

  public mutating func removeAll() {
    bytes.removeAll()
    bytes.shrink(above: 0)
    pieces.removeAll()
    cost = 0
  }

  /// Drops the first bytes, which were passed on.
  public mutating func removeFirst(_ count: Int) {
    if count == 0 { return }
    if count == bytes.count { return removeAll() }
    var rest = ResyncBuffer()
    for index in 0..<pieces.count {
      guard let (range, delivery) = piece(index, from: count) else { continue }
      rest.append(bytes.bytes[range], delivery)
    }
    self = rest
  }

  public var pieceCount: Int { pieces.count }

  /// One piece without what lies before `offset`; nil when all of it does.
  public func piece(_ index: Int, from offset: Int) -> (range: ByteRange, delivery: Delivery)? {
    let end = index + 1 < pieces.count ? pieces[index + 1].start : bytes.count
    guard end > offset else { return nil }
    var delivery = pieces[index].delivery
    let start = max(pieces[index].start, offset)
    if start > pieces[index].start { delivery.edges.remove(.start) }
    delivery.origin.offset += UInt64(start - pieces[index].start)
    return (ByteRange(start, end), delivery)
  }

  /// Where the byte at `offset` was found; an empty origin for an offset beyond the last piece.
  public func origin(at offset: Int) -> Origin {
    // The last piece that begins at or before the offset.
    var (low, high) = (0, pieces.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if pieces[middle].start <= offset { low = middle } else { high = middle }
    }
    guard low < pieces.count else { return Origin() }
    return piece(low, from: offset)?.delivery.origin ?? Origin()
  }

  /// Whether a segment begins, or ends, exactly here.
  public func isBorder(_ offset: Int, _ edge: Delivery.Edges) -> Bool {
    var low = 0
    var high = pieces.count
    // The first piece that begins at or after the offset.
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].start < offset { low = middle + 1 } else { high = middle }
    }
    if edge == .start {
      return low < pieces.count && pieces[low].start == offset
        && pieces[low].delivery.edges.contains(.start)
    }
    let ends = low < pieces.count ? pieces[low].start == offset : offset == bytes.count
    return ends && low > 0 && pieces[low - 1].delivery.edges.contains(.end)
  }
}
