// SPDX-License-Identifier: Apache-2.0

/// Gives each distinct byte string a number, which can be stored and compared where spans cannot.
/// Number 0 is the empty string; it is also returned when the table is full.
public struct Interner: Sendable {
  private var arena = Scratch()
  private var ranges: ContiguousArray<ByteRange> = [ByteRange()]
  private var hashes: ContiguousArray<UInt64> = [0]
  /// Open addressing over `ranges`; 0 marks a free slot.
  private var slots = ContiguousArray<Int32>(repeating: 0, count: 64)
  private let maximumBytes: Int
  private let seed = Hash.seed

  /// How many strings were refused because the table was full.
  public private(set) var refused = 0

  /// - Parameter maximumBytes: the limit for the sum of all lengths.
  public init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  public var count: Int { ranges.count - 1 }

  /// The sum of all lengths.
  public var bytes: Int { arena.count }

  public subscript(number: Int32) -> RawSpan {
    @_lifetime(borrow self) get { arena.bytes[ranges[Int(number)]] }
  }

  public func copied(_ number: Int32) -> [UInt8] { arena.bytes[ranges[Int(number)]].copied() }

  /// The number of bytes that were interned; 0 for others.
  public func known(_ bytes: RawSpan) -> Int32 {
    slots[slot(of: bytes, Hash.of(bytes, seed: seed))]
  }

  /// The slot of these bytes' number, or the free slot for it.
  @inline(__always)
  private func slot(of bytes: RawSpan, _ hash: UInt64) -> Int {
    let mask = slots.count &- 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while slots[at] != 0 {
      let candidate = Int(slots[at])
      if hashes[candidate] == hash && arena.bytes[ranges[candidate]].equals(bytes) { return at }
      at = (at &+ 1) & mask
    }
    return at
  }

  /// The number of these bytes, interned if new; 0 when they are empty or there is no room.
  public mutating func number(of bytes: RawSpan) -> Int32 {
    if bytes.isEmpty { return 0 }
    let hash = Hash.of(bytes, seed: seed)
    let at = slot(of: bytes, hash)
    if slots[at] != 0 { return slots[at] }
    guard arena.count &+ bytes.byteCount <= maximumBytes else {
      refused &+= 1
      return 0
    }
    let start = arena.count
    arena.append(bytes)
    let number = Int32(truncatingIfNeeded: ranges.count)
    ranges.append(ByteRange(start, arena.count))
    hashes.append(hash)
    slots[at] = number
    if ranges.count &* 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    let mask = slots.count &* 2 &- 1
    slots = ContiguousArray(repeating: 0, count: mask &+ 1)
    for number in 1..<ranges.count {
      var at = Int(truncatingIfNeeded: hashes[number]) & mask
      while slots[at] != 0 { at = (at &+ 1) & mask }
      slots[at] = Int32(truncatingIfNeeded: number)
    }
  }
}
