// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The keys of all objects of one message, to find repeated ones. The first few are compared one by
/// one; beyond that there is one table with open addressing for all objects. It is never cleared:
/// object numbers continue from message to message, and a slot with an older number is free.
struct SeenKeys: ~Copyable {
  enum Answer { case new, old, full }

  struct Slot: Sendable, BitwiseCopyable {
    var object: UInt32 = 0
    var hash: UInt32 = 0
    /// The range of the key in the JSON text.
    var key = ByteRange()
  }

  /// The limit of compared keys per message.
  static let maximum = 1 << 16
  /// The limit of keys that are compared one by one.
  private static let fewKeys = 16

  private var few = Stack<Slot>(capacity: SeenKeys.fewKeys)
  private var slots = ContiguousArray<Slot>()
  /// The number of keys in this message.
  private var count = 0
  /// The keys of `few` are in the table too.
  private var isInTable = false
  /// The last object number of earlier messages.
  private var past: UInt32 = 0
  private var last: UInt32 = 0
  private let seed = UInt64.random(in: .min ... .max)

  mutating func beginMessage() {
    // Large tables are rare, and not kept.
    if slots.count > 4096 || last > .max / 2 {
      slots = []
      last = 0
    }
    (past, count, isInTable) = (last, 0, false)
    few.removeAll()
  }

  /// The number for a new object.
  mutating func beginObject() -> UInt32 {
    if last < .max { last += 1 }
    return last
  }

  @inline(__always)
  mutating func insert(_ key: ByteRange, of object: UInt32, in text: RawSpan) -> Answer {
    let hash = hash(text, key, object)
    if few.count == Self.fewKeys || isInTable { return insertMany(key, hash, of: object, in: text) }
    var at = 0
    while at < few.count {
      let slot = few[at]
      if slot.hash == hash && slot.object == object && text[slot.key].equals(text[key]) {
        return .old
      }
      at &+= 1
    }
    few.push(Slot(object: object, hash: hash, key: key))
    return .new
  }

  @inline(never)
  private mutating func insertMany(
    _ key: ByteRange, _ hash: UInt32, of object: UInt32, in text: RawSpan
  ) -> Answer {
    if !isInTable {
      isInTable = true
      for at in 0..<few.count { _ = put(few[at], in: text) }
    }
    return put(Slot(object: object, hash: hash, key: key), in: text)
  }

  private mutating func put(_ fresh: Slot, in text: RawSpan) -> Answer {
    if count &* 2 >= slots.count {
      if count >= Self.maximum || fresh.object == .max { return .full }
      grow()
    }
    let mask = slots.count &- 1
    var at = Int(fresh.hash) & mask
    while slots[at].object > past {
      let slot = slots[at]
      if slot.object == fresh.object && slot.hash == fresh.hash
        && text[slot.key].equals(text[fresh.key])
      {
        return .old
      }
      at = (at &+ 1) & mask
    }
    slots[at] = fresh
    count &+= 1
    return .new
  }

  @inline(never) private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: Slot(), count: max(64, old.count * 2))
    let mask = slots.count - 1
    for slot in old where slot.object > past {
      var at = Int(slot.hash) & mask
      while slots[at].object > past { at = (at &+ 1) & mask }
      slots[at] = slot
    }
  }

  @inline(__always)
  private func hash(_ text: RawSpan, _ key: ByteRange, _ object: UInt32) -> UInt32 {
    var state = seed ^ UInt64(object)
    var at = key.start
    while at &+ 8 <= key.end {
      state = Self.mix(state ^ text.word(at: at))
      at &+= 8
    }
    var rest: UInt64 = 0
    if key.end >= 8 {
      // The last eight bytes, without those hashed before.
      let left = UInt64(key.end &- at)
      rest = left == 0 ? 0 : text.word(at: key.end &- 8) &>> ((8 &- left) &* 8)
    } else {
      // In the same byte order: a key must hash alike wherever it is in the text.
      for place in at..<key.end {
        rest |= UInt64(text.byte(at: place)) &<< UInt64((place &- at) &* 8)
      }
    }
    return UInt32(truncatingIfNeeded: Self.mix(state ^ rest ^ UInt64(key.count) << 56))
  }

  @inline(__always) private static func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
