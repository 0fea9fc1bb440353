// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The keys of all objects of one message, to find those that an object has twice. One table, with
/// open addressing, for all of them. It is never cleared: numbers of objects go on from message to
/// message, and a slot with an older number is free.
struct SeenKeys: Sendable {
  enum Answer { case new, old, full }

  private struct Slot: Sendable, BitwiseCopyable {
    var object: UInt32 = 0
    var hash: UInt32 = 0
    /// Where the key stands in the JSON text.
    var key = ByteRange()
  }

  /// Keys of one message that are compared.
  static let maximum = 1 << 16

  private var slots = ContiguousArray<Slot>()
  /// Keys of this message.
  private var count = 0
  /// The number of the last object of the messages before.
  private var past: UInt32 = 0
  private var last: UInt32 = 0
  private let seed = UInt64.random(in: .min ... .max)

  mutating func beginMessage() {
    // Many keys are rare: their table is not kept.
    if slots.count > 4096 || last > .max / 2 {
      slots = []
      last = 0
    }
    (past, count) = (last, 0)
  }

  /// A number for one more object.
  mutating func beginObject() -> UInt32 {
    if last < .max { last += 1 }
    return last
  }

  mutating func insert(_ key: ByteRange, of object: UInt32, in text: RawSpan) -> Answer {
    if count &* 2 >= slots.count {
      if count >= Self.maximum || object == .max { return .full }
      grow()
    }
    let hash = hash(text, key, object)
    let mask = slots.count &- 1
    var at = Int(hash) & mask
    while slots[at].object > past {
      let slot = slots[at]
      if slot.object == object && slot.hash == hash && text[slot.key].equals(text[key]) {
        return .old
      }
      at = (at &+ 1) & mask
    }
    slots[at] = Slot(object: object, hash: hash, key: key)
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
    var rest = UInt64(key.count)
    while at < key.end {
      rest = rest << 8 | UInt64(text.byte(at: at))
      at &+= 1
    }
    return UInt32(truncatingIfNeeded: Self.mix(state ^ rest))
  }

  @inline(__always) private static func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
