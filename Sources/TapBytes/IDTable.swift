// SPDX-License-Identifier: Apache-2.0

/// The key of an `IDTable`: 128 bits that its owner fills as it likes.
@frozen public struct WideKey: Hashable, Sendable, BitwiseCopyable {
  public var high: UInt64
  public var low: UInt64

  @inlinable public init(_ high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }
}

/// A small open-addressing table from 128-bit keys to plain values: linear probing, at most half of
/// the places taken, removal by backward shift, seeded. It exists because `Dictionary` hashes a key
/// with SipHash, which costs a quarter of the budget of a message.
///
/// It grows without a bound of its own: its owner watches `count` and calls
/// `removeAll(where:)`.
@frozen public struct IDTable<Value: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline struct Slot: Sendable {
    @usableFromInline var key: WideKey
    @usableFromInline var value: Value?

    @inlinable init(key: WideKey, value: Value?) { (self.key, self.value) = (key, value) }
  }

  @usableFromInline var slots: ContiguousArray<Slot>
  @usableFromInline var used = 0
  @usableFromInline let seed: UInt64

  /// - Parameter minimumCapacity: entries that there is room for at once; 1 allocates nothing
  ///   until there is an entry.
  @inlinable public init(minimumCapacity: Int = 16) {
    slots = []
    seed = Hash.seed
    if minimumCapacity <= 1 { return }
    var size = 4
    while size / 2 < minimumCapacity { size &*= 2 }
    slots = ContiguousArray(repeating: Slot(key: WideKey(0, 0), value: nil), count: size)
  }

  @inlinable public var count: Int { used }

  @inlinable public subscript(key: WideKey) -> Value? {
    get { used == 0 ? nil : slots[find(key)].value }
    set {
      guard let newValue else {
        _ = removeValue(for: key)
        return
      }
      if (used &+ 1) &* 2 > slots.count { grow() }
      let at = find(key)
      if slots[at].value == nil { used &+= 1 }
      slots[at] = Slot(key: key, value: newValue)
    }
  }

  /// Puts a value where the key has none yet; answers where the key stands, for `subscript(slot:)`
  /// until the table is changed, and whether the value is the one that was given.
  @inlinable public mutating func insert(
    _ value: Value, for key: WideKey
  ) -> (slot: Int, isNew: Bool) {
    if (used &+ 1) &* 2 > slots.count { grow() }
    let at = find(key)
    if slots[at].value != nil { return (at, false) }
    used &+= 1
    slots[at] = Slot(key: key, value: value)
    return (at, true)
  }

  /// Where a key stands, for `subscript(slot:)`, until the table is changed; nil when it is not
  /// there.
  @inlinable public func slot(of key: WideKey) -> Int? {
    if used == 0 { return nil }
    let at = find(key)
    return slots[at].value == nil ? nil : at
  }

  /// The value at a place that `slot(of:)` answered.
  @inlinable public subscript(slot at: Int) -> Value {
    get { slots[at].value! }
    _modify { yield &slots[at].value! }
  }

  @inlinable public mutating func removeValue(for key: WideKey) -> Value? {
    if used == 0 { return nil }
    let at = find(key)
    guard let found = slots[at].value else { return nil }
    remove(at: at)
    return found
  }

  /// Removes every entry that `isOld` says yes to; answers how many there were. It takes no memory.
  @inlinable public mutating func removeAll(where isOld: (WideKey, Value) -> Bool) -> Int {
    let before = used
    var at = 0
    while at < slots.count {
      // What moves into the place of an entry that goes is looked at in its turn.
      if let value = slots[at].value, isOld(slots[at].key, value) {
        remove(at: at)
      } else {
        at &+= 1
      }
    }
    return before &- used
  }

  /// Removes all entries; the memory stays.
  @inlinable public mutating func removeAll() {
    if used == 0 { return }
    for at in slots.indices { slots[at].value = nil }
    used = 0
  }

  /// Changes every value in its place.
  @inlinable public mutating func updateEach(_ body: (inout Value) -> Void) {
    for at in slots.indices {
      guard var value = slots[at].value else { continue }
      body(&value)
      slots[at].value = value
    }
  }

  @inlinable public func forEach(_ body: (WideKey, Value) -> Void) {
    for slot in slots { if let value = slot.value { body(slot.key, value) } }
  }

  /// Where the key stands, or the free slot where it would go.
  @inlinable @inline(__always) func find(_ key: WideKey) -> Int {
    let mask = slots.count &- 1
    var at = home(key) & mask
    while slots[at].value != nil {
      if slots[at].key == key { return at }
      at = (at &+ 1) & mask
    }
    return at
  }

  @inlinable @inline(__always) func home(_ key: WideKey) -> Int { Self.home(key, seed) }

  /// Four consecutive keys stand beside each other: most ids count up, and what is asked for next
  /// is in the cache already.
  @inlinable @inline(__always) static func home(_ key: WideKey, _ seed: UInt64) -> Int {
    let first = Int(truncatingIfNeeded: Hash.mix(key.low >> 2 ^ seed, key.high) >> 7)
    // Not at a multiple of four: of keys that all end alike, three of four places would stay free.
    return first &+ Int(truncatingIfNeeded: key.low & 3)
  }

  @inlinable mutating func remove(at start: Int) {
    used &-= 1
    // Behind most entries is a free place, so that none has to move.
    if slots[(start &+ 1) & (slots.count &- 1)].value == nil { return slots[start].value = nil }
    close(start)
  }

  /// Moves entries up to the next free place back, as far as they may.
  @inlinable @inline(never) mutating func close(_ start: Int) {
    // At once: each write for itself would ask for owners.
    let seed = seed
    unsafe slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count &- 1
      var hole = start
      var at = start
      while true {
        at = (at &+ 1) & mask
        if unsafe slots[at].value == nil { break }
        let wanted = Self.home(unsafe slots[at].key, seed) & mask
        // An entry may move back to the hole unless its home lies behind it.
        if (at &- wanted) & mask >= (at &- hole) & mask {
          unsafe slots[hole] = slots[at]
          hole = at
        }
      }
      unsafe slots[hole].value = nil
    }
  }

  @inlinable @inline(never) mutating func grow() {
    let old = slots
    slots = ContiguousArray(
      repeating: Slot(key: WideKey(0, 0), value: nil), count: max(4, old.count &* 2))
    for slot in old where slot.value != nil { slots[find(slot.key)] = slot }
  }
}
