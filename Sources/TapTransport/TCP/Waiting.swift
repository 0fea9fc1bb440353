// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Bytes of one direction that came before their turn: copied, sorted by stream offset, never
/// overlapping. It knows nothing of holes and patience.
struct Waiting: Sendable {
  struct Piece: Sendable {
    var start: Int64
    var octets = Scratch()
    var edges: Delivery.Edges
    /// Octets that were sent right behind these in the same packet, but cut off.
    var cut: Int
    var sighting: Sighting

    var end: Int64 { start &+ Int64(octets.count) }
    /// Roughly what it takes in memory: many tiny pieces must not pass for little.
    var cost: Int { max(octets.count, 256) &+ 128 }
  }

  /// What became of bytes that were inserted.
  struct Overlap {
    /// Octets that waited already.
    var repeated = 0
    /// Some of them are not what they were the first time.
    var differs = false
  }

  private(set) var pieces: ContiguousArray<Piece> = []
  private(set) var cost = 0

  /// Every piece costs something; to look at the array would be to fetch it, for every packet.
  @inline(__always) var isEmpty: Bool {
    assert(pieces.isEmpty == (cost == 0))
    return cost == 0
  }
  @inline(__always) var first: Piece? { pieces.first }

  /// Puts what is new of these bytes in its place; of what waited already, the first stays.
  mutating func insert(
    _ bytes: RawSpan, at position: Int64, edges: Delivery.Edges, cut: Int, _ sighting: Sighting
  ) -> Overlap {
    var overlap = Overlap()
    var index = firstIndex(endingAfter: position)
    let count = bytes.byteCount
    if count == 0 {
      insertEmpty(at: position, cut: cut, index, sighting)
      return overlap
    }
    var at = 0
    while at < count {
      if index < pieces.count, pieces[index].start <= position &+ Int64(at) {
        let from = Int(position &+ Int64(at) &- pieces[index].start)
        let length = min(pieces[index].octets.count &- from, count &- at)
        if length > 0 {
          let there = pieces[index].octets
          let isSame = there.bytes.extracting(from..<from &+ length)
            .equals(bytes.extracting(at..<at &+ length))
          if !isSame { overlap.differs = true }
          overlap.repeated &+= length
          at &+= length
          if at == count && pieces[index].end == position &+ Int64(count) {
            pieces[index].cut = max(pieces[index].cut, cut)
          }
        }
      } else {
        var stop = count
        if index < pieces.count {
          stop = Int(min(pieces[index].start &- position, Int64(count)))
        }
        var border: Delivery.Edges = []
        if at == 0 { border.formUnion(edges.intersection(.start)) }
        if stop == count { border.formUnion(edges.intersection(.end)) }
        var piece = Piece(
          start: position &+ Int64(at), edges: border, cut: stop == count ? cut : 0,
          sighting: sighting)
        piece.octets.append(bytes.extracting(at..<stop))
        add(piece, at: index)
        at = stop
      }
      index &+= 1
    }
    return overlap
  }

  mutating func removeFirst(_ count: Int) {
    if count == 0 { return }
    for index in 0..<count { cost &-= pieces[index].cost }
    pieces.removeSubrange(0..<count)
    if pieces.isEmpty { pieces = [] }
  }

  /// A packet of which the headers only were captured says that there was something.
  private mutating func insertEmpty(
    at position: Int64, cut: Int, _ index: Int, _ sighting: Sighting
  ) {
    if index < pieces.count && pieces[index].start <= position { return }
    if index > 0 && pieces[index &- 1].end == position {
      pieces[index &- 1].cut = max(pieces[index &- 1].cut, cut)
      return
    }
    add(Piece(start: position, edges: [], cut: cut, sighting: sighting), at: index)
  }

  private mutating func add(_ piece: Piece, at index: Int) {
    cost &+= piece.cost
    pieces.insert(piece, at: index)
  }

  private func firstIndex(endingAfter position: Int64) -> Int {
    var low = 0
    var high = pieces.count
    while low < high {
      let middle = (low &+ high) / 2
      if pieces[middle].end > position { high = middle } else { low = middle &+ 1 }
    }
    return low
  }
}
