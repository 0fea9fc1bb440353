// SPDX-License-Identifier: Apache-2.0

/// A table from 128-bit keys to values that stay in place, for values too large to be moved like in
/// `IDTable`. It uses chained hashing; a value can get another key in place.
///
/// Like `IDTable` it is seeded, and has no limit of its own. Copies share the memory: it is for one
/// owner.
@frozen public struct PlacedTable<Value: BitwiseCopyable & Sendable> {
  @usableFromInline struct Entry: BitwiseCopyable {
    @usableFromInline var key: WideKey
    /// The next entry of its chain, or of the free list, from 1; 0 at the end.
    @usableFromInline var next: UInt32
    @usableFromInline var value: Value

    @inlinable init(key: WideKey, next: UInt32, value: Value) {
      (self.key, self.next, self.value) = (key, next, value)
    }
  }

  @usableFromInline var entries = Slab<Entry>()
  /// The first entry of each chain, from 1; the count is a power of two.
  @usableFromInline var heads: ContiguousArray<UInt32> = []
  /// The first entry of the free list, from 1.
  @usableFromInline var free: UInt32 = 0
  /// Entries below this index were used before.
  @usableFromInline var fresh = 0
  @usableFromInline let seed: UInt64
  @usableFromInline var used = 0

  @inlinable public init() { seed = Hash.seed }

  @inlinable public var count: Int { used }

  @inlinable @inline(__always) func home(_ key: WideKey) -> Int {
    Int(truncatingIfNeeded: Hash.mix(key.low ^ seed, key.high)) & (heads.count &- 1)
  }

  /// The slot of a key, valid until it is removed; nil when the key is absent.
  @inlinable @inline(__always) public func slot(of key: WideKey) -> Int? {
    if count == 0 { return nil }
    var at = heads[home(key)]
    while at != 0 {
      let place = Int(at &- 1)
      if entries[place].key == key { return place }
      at = entries[place].next
    }
    return nil
  }

  /// The value in a slot from `slot(of:)` or `insert`.
  @inlinable public subscript(slot place: Int) -> Value {
    @inline(__always) _read { yield entries[place].value }
    @inline(__always) _modify { yield &entries[place].value }
  }

  /// Inserts a value whose key is not present; returns its slot.
  @inlinable @discardableResult
  public mutating func insert(_ value: Value, for key: WideKey) -> Int {
    if count >= heads.count { grow() }
    let home = home(key)
    let entry = Entry(key: key, next: heads[home], value: value)
    let place: Int
    if free != 0 {
      place = Int(free &- 1)
      free = entries[place].next
      entries[place] = entry
    } else {
      place = fresh
      fresh &+= 1
      if place < entries.count { entries[place] = entry } else { entries.append(entry) }
    }
    heads[home] = UInt32(truncatingIfNeeded: place &+ 1)
    used &+= 1
    return place
  }

  /// Gives the value in a slot another key, which must not be present.
  @inlinable public mutating func move(slot place: Int, to key: WideKey) {
    unlink(place)
    let home = home(key)
    (entries[place].key, entries[place].next) = (key, heads[home])
    heads[home] = UInt32(truncatingIfNeeded: place &+ 1)
  }

  /// Removes the value in a slot.
  @inlinable public mutating func remove(slot place: Int) {
    unlink(place)
    entries[place].next = free
    free = UInt32(truncatingIfNeeded: place &+ 1)
    used &-= 1
  }

  /// Removes every value for whose key `isOld` is true; returns how many.
  @inlinable @discardableResult
  public mutating func removeAll(where isOld: (WideKey) -> Bool) -> Int {
    var old: [Int] = []
    for head in heads {
      var at = head
      while at != 0 {
        let place = Int(at &- 1)
        if isOld(entries[place].key) { old.append(place) }
        at = entries[place].next
      }
    }
    for place in old { remove(slot: place) }
    return old.count
  }

  /// Removes all values; the memory stays.
  @inlinable public mutating func removeAll() {
    for at in heads.indices { heads[at] = 0 }
    (free, fresh, used) = (0, 0, 0)
  }

  /// Removes an entry from its chain.
  @inlinable @inline(__always) mutating func unlink(_ place: Int) {
    let own = UInt32(truncatingIfNeeded: place &+ 1)
    let home = home(entries[place].key)
    var at = heads[home]
    if at == own {
      heads[home] = entries[place].next
      return
    }
    while entries[Int(at &- 1)].next != own { at = entries[Int(at &- 1)].next }
    entries[Int(at &- 1)].next = entries[place].next
  }

  @inlinable @inline(never) mutating func grow() {
    let old = heads
    heads = ContiguousArray(repeating: 0, count: max(4, old.count &* 2))
    for head in old {
      var at = head
      while at != 0 {
        let place = Int(at &- 1)
        let next = entries[place].next
        let home = home(entries[place].key)
        entries[place].next = heads[home]
        heads[home] = at
        at = next
      }
    }
  }
}
