// SPDX-License-Identifier: Apache-2.0
internal import CLanes

/// Searches a text for triples of bytes, sixty-four positions at a time where the CPU supports it.
/// It misses no triple, but may find others too.
public struct OctetTriples: Sendable {
  /// A set of triples: any of the first bytes followed by any of the second and any of the third
  /// ones. A byte is represented by its low and high four bits, one bit for each value.
  public struct Kind: Sendable {
    /// Those of the first byte, of the second and of the third; two are not used.
    fileprivate var halves = SIMD8<UInt16>()

    /// An empty set.
    public init() {}

    public mutating func insert(first octet: UInt8) { insert(octet, at: 0) }

    public mutating func insert(second octet: UInt8) { insert(octet, at: 2) }

    public mutating func insert(third octet: UInt8) { insert(octet, at: 4) }

    public mutating func insertAnySecond() { (halves[2], halves[3]) = (.max, .max) }

    public mutating func insertAnyThird() { (halves[4], halves[5]) = (.max, .max) }

    private mutating func insert(_ octet: UInt8, at place: Int) {
      halves[place] |= 1 << UInt16(octet & 15)
      halves[place + 1] |= 1 << UInt16(octet >> 4)
    }

    /// How often a triple of text matches these halves, as far as bytes tell.
    fileprivate var cost: Int {
      Self.cost(halves[0], halves[1]) * Self.cost(halves[2], halves[3])
        * Self.cost(halves[4], halves[5])
    }

    private static func cost(_ lows: UInt16, _ highs: UInt16) -> Int {
      var (cost, high) = (0, highs)
      while high != 0 {
        let row = high.trailingZeroBitCount
        high &= high &- 1
        // Bytes of no ASCII character are rare, and all alike.
        if !(2..<8).contains(row) {
          cost += lows.nonzeroBitCount
          continue
        }
        var low = lows
        while low != 0 {
          cost += Int(frequencies[row - 2][low.trailingZeroBitCount])
          low &= low &- 1
        }
      }
      return cost
    }

    /// Of the characters from 0x20, by their upper and lower half, how many of a thousand bytes of
    /// logs they are; at least one. Counted in the logs of `samples`.
    private static let frequencies: [SIMD16<UInt8>] = [
      [114, 1, 32, 1, 1, 1, 1, 11, 2, 2, 1, 1, 19, 21, 15, 3],
      [33, 34, 31, 15, 13, 12, 15, 12, 11, 10, 36, 1, 2, 4, 2, 1],
      [1, 3, 5, 4, 4, 7, 2, 4, 1, 3, 1, 1, 1, 2, 3, 2],
      [3, 1, 3, 5, 6, 5, 1, 1, 1, 1, 1, 8, 7, 5, 1, 7],
      [1, 28, 12, 24, 17, 57, 6, 10, 6, 25, 1, 6, 16, 14, 29, 30],
      [15, 3, 25, 29, 34, 11, 7, 5, 7, 5, 1, 6, 1, 6, 1, 1],
    ]

    fileprivate func union(_ other: Kind) -> Kind {
      var both = self
      both.halves |= other.halves
      return both
    }
  }

  /// The limit of kinds that are searched at once.
  public static let most = 16

  /// For each low and high half of the first, second and third byte: which of the first eight kinds
  /// contain it; then the same for the other kinds.
  private let tables: ContiguousArray<UInt8>

  /// - Parameter kinds: if there are more than `most`, similar ones are merged.
  public init(_ kinds: [Kind]) {
    let kinds = Self.joined(kinds, most: Self.most)
    var tables = ContiguousArray<UInt8>(repeating: 0, count: 2 * 96)
    for (index, kind) in kinds.enumerated() {
      for table in 0..<6 {
        for half in 0..<16 where kind.halves[table] >> UInt16(half) & 1 == 1 {
          tables[index / 8 * 96 + table * 16 + half] |= 1 << UInt8(index % 8)
        }
      }
    }
    self.tables = tables
  }

  /// Merges kinds until at most `most` are left. The result matches all their triples, and as few
  /// others as possible, above all few common ones.
  public static func joined(_ kinds: [Kind], most: Int) -> [Kind] {
    var kinds = kinds
    var costs = kinds.map(\.cost)
    // How much dearer two kinds are as one.
    func more(_ one: Int, _ other: Int) -> Int {
      kinds[one].union(kinds[other]).cost - costs[one] - costs[other]
    }
    // Of each two kinds: those of a kind with the ones before it.
    var dearer = kinds.indices.map { second in (0..<second).map { first in more(first, second) } }
    while kinds.count > most {
      var best = (more: Int.max, first: 0, second: 0)
      for (second, row) in dearer.enumerated() {
        for (first, dearer) in row.enumerated() where dearer < best.more {
          best = (dearer, first, second)
        }
      }
      kinds[best.first] = kinds[best.first].union(kinds[best.second])
      costs[best.first] = kinds[best.first].cost
      kinds.remove(at: best.second)
      costs.remove(at: best.second)
      dearer.remove(at: best.second)
      for row in best.second..<kinds.count { dearer[row].remove(at: best.second) }
      for other in 0..<best.first { dearer[best.first][other] = more(other, best.first) }
      for other in best.first + 1..<kinds.count {
        dearer[other][best.first] = more(best.first, other)
      }
    }
    return kinds
  }

  /// Finds all positions of a text where a triple may begin. What stands behind the end of the text
  /// may be anything.
  ///
  /// - Parameter places: the result, a bit for each byte, the first in the lowest; overwritten.
  public func find(in text: RawSpan, places: inout ContiguousArray<UInt64>) {
    let blocks = (text.byteCount + 63) / 64
    if places.count != blocks {
      places.removeAll(keepingCapacity: true)
      places.append(contentsOf: repeatElement(0, count: blocks))
    }
    unsafe text.withUnsafeBytes { octets in
      guard let base = octets.baseAddress else { return }
      unsafe tables.withUnsafeBufferPointer { tables in
        unsafe places.withUnsafeMutableBufferPointer { places in
          unsafe triples_find(base, octets.count, tables.baseAddress!, places.baseAddress!)
        }
      }
    }
  }

  /// The positions within the sixty-four bytes from `start`, or as many as there are.
  public func places(in text: RawSpan, from start: Int) -> UInt64 {
    precondition(start >= 0 && start <= text.byteCount)
    let end = min(text.byteCount, start + 66)
    var found: UInt64 = 0
    unsafe text.withUnsafeBytes { octets in
      guard let base = octets.baseAddress else { return }
      unsafe tables.withUnsafeBufferPointer { tables in
        // The two bytes after the last one are read, but are not themselves positions.
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { places in
          unsafe triples_find(base + start, end - start, tables.baseAddress!, places.baseAddress!)
          if end > start { found = unsafe places[0] }
        }
      }
    }
    return found
  }
}
