// SPDX-License-Identifier: Apache-2.0
internal import CLanes

/// Pairs of bytes that a text is searched for, sixty-four places at a time where the machine can.
/// Nothing that is looked for is missed; what is found may be something else.
public struct OctetPairs: Sendable {
  /// Pairs that are looked for together: any of the first bytes, with any of the second behind it.
  /// Bytes are known by their halves, a bit for each low and high one.
  public struct Kind: Sendable {
    fileprivate var halves = SIMD4<UInt16>()

    /// Without any pair.
    public init() {}

    public mutating func insert(first octet: UInt8) { insert(octet, at: 0) }

    public mutating func insert(second octet: UInt8) { insert(octet, at: 2) }

    private mutating func insert(_ octet: UInt8, at place: Int) {
      halves[place] |= 1 << UInt16(octet & 15)
      halves[place + 1] |= 1 << UInt16(octet >> 4)
    }

    /// How many pairs have these halves; of bytes that text has most, each counts for several.
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

    /// The low halves of blanks, digits and small letters with a high half.
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

  /// How many kinds are looked for at once.
  public static let most = 16

  /// Of each low and high half of the first byte and of the second, which of the first eight kinds
  /// have it; then the same of the others.
  private let tables: ContiguousArray<UInt8>

  /// - Parameter kinds: those above `most` are looked for together with others that look like them.
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

  /// Merges kinds until at most so many are left: they let in every pair that these do, and as few
  /// others as possible, above all of those that text has most.
  public static func joined(_ kinds: [Kind], most: Int) -> [Kind] {
    var kinds = kinds
    while kinds.count > most { join(&kinds) }
    return kinds
  }

  /// Makes one of the two kinds that let the fewest other pairs in.
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

  /// Finds all places of a text where one may stand; the last byte of it may be the first of any.
  ///
  /// - Parameter places: a bit for each byte, the first in the lowest; what was there is lost.
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

  /// The places of the sixty-four bytes from `start` on, or of as many as there are.
  public func places(in text: RawSpan, from start: Int) -> UInt64 {
    precondition(start >= 0 && start <= text.byteCount)
    let end = min(text.byteCount, start + 65)
    var found: UInt64 = 0
    unsafe text.withUnsafeBytes { octets in
      guard let base = octets.baseAddress else { return }
      unsafe tables.withUnsafeBufferPointer { tables in
        // The byte behind the last one is looked at, and is no place itself.
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { places in
          unsafe pairs_find(base + start, end - start, tables.baseAddress!, places.baseAddress!)
          if end > start { found = unsafe places[0] }
        }
      }
    }
    return found
  }
}
