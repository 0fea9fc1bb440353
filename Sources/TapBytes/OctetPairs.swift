// SPDX-License-Identifier: Apache-2.0
internal import CLanes

/// Searches a text for pairs of bytes, sixty-four positions at a time where the CPU supports it. It
/// misses no pair, but may find others too.
public struct OctetPairs: Sendable {
  /// A set of pairs: any of the first bytes followed by any of the second ones. A byte is
  /// represented by its low and high four bits, one bit for each value.
  public struct Kind: Sendable {
    fileprivate var halves = SIMD4<UInt16>()

    /// An empty set.
    public init() {}

    public mutating func insert(first octet: UInt8) { insert(octet, at: 0) }

    public mutating func insert(second octet: UInt8) { insert(octet, at: 2) }

    private mutating func insert(_ octet: UInt8, at place: Int) {
      halves[place] |= 1 << UInt16(octet & 15)
      halves[place + 1] |= 1 << UInt16(octet >> 4)
    }

    /// How many pairs match these halves; common bytes are weighted more.
    fileprivate var count: Int {
      Self.count(halves[0], halves[1]) * Self.count(halves[2], halves[3])
    }

    private static func count(_ lows: UInt16, _ highs: UInt16) -> Int {
      var count = lows.nonzeroBitCount * highs.nonzeroBitCount
      var rest = highs
      while rest != 0 {
        let common = commonLows(rest.trailingZeroBitCount)
        count += 7 * (lows & common).nonzeroBitCount
        rest &= rest &- 1
      }
      return count
    }

    /// The low halves of blanks, digits and lower case letters with a high half.
    private static func commonLows(_ high: Int) -> UInt16 {
      switch high {
      case 2: 0x0001
      case 3: 0x03FF
      case 6: 0xFFFE
      case 7: 0x07FF
      default: 0
      }
    }

    fileprivate func union(_ other: Kind) -> Kind {
      var both = self
      both.halves |= other.halves
      return both
    }
  }

  /// The limit of kinds that are searched at once.
  public static let most = 16

  /// For each low and high half of the first and second byte: which of the first eight kinds
  /// contain it; then the same for the other kinds.
  private let tables: ContiguousArray<UInt8>

  /// - Parameter kinds: if there are more than `most`, similar ones are merged.
  public init(_ kinds: [Kind]) {
    let kinds = Self.joined(kinds, most: Self.most)
    var tables = ContiguousArray<UInt8>(repeating: 0, count: 2 * 64)
    for (index, kind) in kinds.enumerated() {
      for table in 0..<4 {
        for half in 0..<16 where kind.halves[table] >> UInt16(half) & 1 == 1 {
          tables[index / 8 * 64 + table * 16 + half] |= 1 << UInt8(index % 8)
        }
      }
    }
    self.tables = tables
  }

  /// Merges kinds until at most `most` are left. The result matches all their pairs, and as few
  /// others as possible, above all few common ones.
  public static func joined(_ kinds: [Kind], most: Int) -> [Kind] {
    var kinds = kinds
    while kinds.count > most { join(&kinds) }
    return kinds
  }

  /// Merges the two kinds that add the fewest other pairs.
  private static func join(_ kinds: inout [Kind]) {
    var best = (more: Int.max, first: 0, second: 0)
    let counts = kinds.map(\.count)
    for second in kinds.indices {
      for first in 0..<second {
        let more = kinds[first].union(kinds[second]).count - counts[first] - counts[second]
        if more < best.more { best = (more, first, second) }
      }
    }
    kinds[best.first] = kinds[best.first].union(kinds[best.second])
    kinds.remove(at: best.second)
  }

  /// Finds all positions of a text where a pair may begin; the last byte always counts as a
  /// possible beginning.
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
          unsafe pairs_find(base, octets.count, tables.baseAddress!, places.baseAddress!)
        }
      }
    }
  }

  /// The positions within the sixty-four bytes from `start`, or as many as there are.
  public func places(in text: RawSpan, from start: Int) -> UInt64 {
    precondition(start >= 0 && start <= text.byteCount)
    let end = min(text.byteCount, start + 65)
    var found: UInt64 = 0
    unsafe text.withUnsafeBytes { octets in
      guard let base = octets.baseAddress else { return }
      unsafe tables.withUnsafeBufferPointer { tables in
        // The byte after the last one is read, but is not itself a position.
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { places in
          unsafe pairs_find(base + start, end - start, tables.baseAddress!, places.baseAddress!)
          if end > start { found = unsafe places[0] }
        }
      }
    }
    return found
  }
}
