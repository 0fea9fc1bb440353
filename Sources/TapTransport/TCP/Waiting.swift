// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Bytes of one direction that came too early: copied, sorted by stream offset, never overlapping.
/// It knows nothing of holes and deadlines.
struct Waiting: Sendable {
  struct Piece: Sendable {
    var start: Int64
    var octets = Scratch()
    var edges: Delivery.Edges
    /// Bytes that followed these in the same packet, but were cut off by the snap length.
    var cut: Int
    var stamp: PacketStamp
    /// How far its sender had seen the other end's stream, as an offset of that.
    var barrier = Int64.min
    /// Their checksum is wrong: another copy takes their place.
    var isDamaged = false

    var end: Int64 { start &+ Int64(octets.count) }
    /// Approximate memory use. It has a minimum, so that many tiny pieces do not evade the bound.
    var cost: Int { max(octets.count, 256) &+ 128 }

    /// Those of the bytes in a range of offsets.
    func part(from: Int64, to: Int64) -> Piece {
      var part = self
      part.start = from
      part.octets = Scratch()
      part.octets.append(octets.bytes.extracting(Int(from &- start)..<Int(to &- start)))
      if from > start { part.edges.remove(.start) }
      if to < end { (part.cut, part.edges) = (0, part.edges.subtracting(.end)) }
      return part
    }
  }

  /// Result of inserting bytes.
  struct Overlap {
    /// Bytes that were already waiting.
    var repeated = 0
    /// Some of them have other content than the first time.
    var differs = false
  }

  /// The pieces are those from `head` on; the space before is free for more.
  private var store: ContiguousArray<Piece> = []
  private var head = 0
  private(set) var cost = 0

  /// Bytes of all pieces.
  var octets: Int { isEmpty ? 0 : store[head...].reduce(0) { $0 &+ $1.octets.count } }
  var count: Int { store.count &- head }
  var last: Piece? { isEmpty ? nil : store.last }

  /// The pieces, in order.
  private(set) subscript(index: Int) -> Piece {
    get { store[head &+ index] }
    _modify { yield &store[head &+ index] }
  }

  /// Empty if `cost` is 0, as every piece costs something. Reading the array instead would be a
  /// memory access for every packet.
  @inline(__always) var isEmpty: Bool {
    assert((count == 0) == (cost == 0))
    return cost == 0
  }
  @inline(__always) var first: Piece? { isEmpty ? nil : store[head] }

  /// Inserts those bytes that are new; where bytes wait already, the first ones stay.
  mutating func insert(
    _ bytes: RawSpan, at position: Int64, edges: Delivery.Edges, cut: Int, _ stamp: PacketStamp,
    _ barrier: Int64 = .min, isDamaged: Bool = false
  ) -> Overlap {
    var overlap = Overlap()
    var index = firstIndex(endingAfter: position)
    let count = bytes.byteCount
    if count == 0 {
      insertEmpty(at: position, cut: cut, index, stamp, barrier)
      return overlap
    }
    var at = 0
    while at < count {
      if index < self.count, self[index].start <= position &+ Int64(at) {
        let from = Int(position &+ Int64(at) &- self[index].start)
        let length = min(self[index].octets.count &- from, count &- at)
        if length > 0 {
          let there = self[index].octets
          let isSame = there.bytes.extracting(from..<from &+ length)
            .equals(bytes.extracting(at..<at &+ length))
          if !isSame { overlap.differs = true }
          overlap.repeated &+= length
          at &+= length
          if at == count && self[index].end == position &+ Int64(count) {
            self[index].cut = max(self[index].cut, cut)
          }
        }
      } else {
        var stop = count
        if index < self.count {
          stop = Int(min(self[index].start &- position, Int64(count)))
        }
        var border: Delivery.Edges = []
        if at == 0 { border.formUnion(edges.intersection(.start)) }
        if stop == count { border.formUnion(edges.intersection(.end)) }
        var piece = Piece(
          start: position &+ Int64(at), edges: border, cut: stop == count ? cut : 0,
          stamp: stamp, barrier: barrier, isDamaged: isDamaged)
        piece.octets.append(bytes.extracting(at..<stop))
        add(piece, at: index)
        at = stop
      }
      index &+= 1
    }
    return overlap
  }

  /// Removes the first of these bytes that wait in a damaged piece, as far as that goes; nil if
  /// there are none.
  mutating func removeDamaged(from: Int64, to: Int64) -> Piece? {
    if isEmpty { return nil }
    var index = firstIndex(endingAfter: from)
    while index < count, self[index].start < to {
      if self[index].isDamaged { return remove(from: from, to: to, of: index) }
      index &+= 1
    }
    return nil
  }

  private mutating func remove(from: Int64, to: Int64, of index: Int) -> Piece {
    let piece = self[index]
    let (from, to) = (max(from, piece.start), min(to, piece.end))
    cost &-= piece.cost
    store.remove(at: head &+ index)
    if count == 0 { (store, head) = ([], 0) }
    if to < piece.end { add(piece.part(from: to, to: piece.end), at: index) }
    if piece.start < from { add(piece.part(from: piece.start, to: from), at: index) }
    return piece.part(from: from, to: to)
  }

  mutating func removeFirst(_ number: Int) {
    if number == 0 { return }
    for index in 0..<number {
      cost &-= self[index].cost
      self[index].octets = Scratch()
    }
    head &+= number
    if count == 0 {
      (store, head) = ([], 0)
    } else if head > 64 && head > 2 &* count {
      store.removeSubrange(0..<head)
      head = 0
    }
  }

  /// Notes bytes of a packet of which only the headers were captured.
  private mutating func insertEmpty(
    at position: Int64, cut: Int, _ index: Int, _ stamp: PacketStamp, _ barrier: Int64
  ) {
    if index < self.count && self[index].start <= position { return }
    if index > 0 && self[index &- 1].end == position && self[index &- 1].barrier >= barrier {
      self[index &- 1].cut = max(self[index &- 1].cut, cut)
      return
    }
    let piece = Piece(
      start: position, edges: [], cut: cut, stamp: stamp, barrier: barrier)
    add(piece, at: index)
  }

  /// The first piece does not wait for the other end any more.
  mutating func liftBarrier() { self[0].barrier = .min }

  /// Moves all pieces ahead.
  mutating func shift(by octets: Int64) {
    for index in 0..<count { self[index].start &+= octets }
  }

  /// Moves all barriers ahead.
  mutating func shiftBarriers(by octets: Int64) {
    for index in 0..<count where self[index].barrier > .min {
      self[index].barrier &+= octets
    }
  }

  /// Makes room before the first, so that inserting is cheap in order, and in reverse order, too.
  private mutating func add(_ piece: Piece, at index: Int) {
    cost &+= piece.cost
    guard index == 0, count > 1 else { return store.insert(piece, at: head &+ index) }
    if head == 0 {
      var blank = piece
      blank.octets = Scratch()
      head = count
      store.insert(contentsOf: repeatElement(blank, count: head), at: 0)
    }
    head &-= 1
    self[0] = piece
  }

  private func firstIndex(endingAfter position: Int64) -> Int {
    var low = 0
    var high = self.count
    while low < high {
      let middle = (low &+ high) / 2
      if self[middle].end > position { high = middle } else { low = middle &+ 1 }
    }
    return low
  }
}
