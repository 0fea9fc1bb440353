// SPDX-License-Identifier: Apache-2.0

/// The key of an `IDTable`: 128 bits, defined by its owner.
@frozen public struct WideKey: Hashable, Sendable, BitwiseCopyable {
  public var high: UInt64
  public var low: UInt64

  @inlinable public init(_ high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }
}

/// A small open-addressing table from 128-bit keys to plain values: linear probing, at most half
/// full, removal by backward shift, seeded. It exists because `Dictionary` hashes a key with
/// SipHash, which costs a quarter of the time budget of a message.
///
/// It has no limit of its own: its owner checks `count` and calls `removeAll(where:)`.
@frozen public struct IDTable<Value: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline struct Slot: Sendable {
    @usableFromInline var key: WideKey
    @usableFromInline var value: Value?

    @inlinable init(key: WideKey, value: Value?) { (self.key, self.value) = (key, value) }
  }

  @usableFromInline var slots: ContiguousArray<Slot>
  @usableFromInline var used = 0
  @usableFromInline let seed: UInt64

  /// - Parameter minimumCapacity: initial room in entries; with 1, nothing is allocated before the
  ///   first entry.
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

  /// Inserts a value unless the key has one. Returns the slot of the key, valid for
  /// `subscript(slot:)` until the table changes, and whether the value was inserted.
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

  /// The slot of a key, valid for `subscript(slot:)` until the table changes; nil when the key is
  /// absent.
  @inlinable public func slot(of key: WideKey) -> Int? {
    if used == 0 { return nil }
    let at = find(key)
    return slots[at].value == nil ? nil : at
  }

  /// The value in a slot from `slot(of:)`.
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

  /// Removes every entry for which `isOld` is true; returns how many. It allocates nothing.
  @inlinable public mutating func removeAll(where isOld: (WideKey, Value) -> Bool) -> Int {
    let before = used
    var at = 0
    while at < slots.count {
      // After a removal, check the entry that moved into this slot.
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

  /// Changes every value in place.
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

  /// The slot of a key, or the free slot for it.
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

  /// Four consecutive keys have adjacent slots: most ids count up, so the next one is in the cache
  /// already.
  @inlinable @inline(__always) static func home(_ key: WideKey, _ seed: UInt64) -> Int {
    let first = Int(truncatingIfNeeded: Hash.mix(key.low >> 2 ^ seed, key.high) >> 7)
    // Not a multiple of four: if all keys had the same last bits, three of four slots would stay
    // empty.
    return first &+ Int(truncatingIfNeeded: key.low & 3)
  }

  @inlinable mutating func remove(at start: Int) {
    used &-= 1
    // Fast path: mostly the next slot is free, so nothing has to move.
    if slots[(start &+ 1) & (slots.count &- 1)].value == nil { return slots[start].value = nil }
    close(start)
  }

  /// Moves entries up to the next free slot back, as far as allowed.
  @inlinable @inline(never) mutating func close(_ start: Int) {
    // In one closure: otherwise each write would check uniqueness.
    let seed = seed
    unsafe slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count &- 1
      var hole = start
      var at = start
      while true {
        at = (at &+ 1) & mask
        if unsafe slots[at].value == nil { break }
        let wanted = Self.home(unsafe slots[at].key, seed) & mask
        // An entry may move back to the hole unless its home slot is after the hole.
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
