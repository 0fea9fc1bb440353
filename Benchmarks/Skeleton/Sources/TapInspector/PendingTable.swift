// SPDX-License-Identifier: Apache-2.0
import TapTraffic
struct Pending { var key: UInt64; var time: Int64; var index: UInt32; var subject: Int32 }
/// Open-addressing table of open requests; linear probing, backward-shift removal.
struct PendingTable {
  private var slots = ContiguousArray(
    repeating: Pending(key: .max, time: 0, index: 0, subject: 0), count: 256)
  private var count = 0
  @inline(__always) private func home(_ k: UInt64) -> Int {
    Int(truncatingIfNeeded: (k &* 0x9E37_79B9_7F4A_7C15) >> 32) & (slots.count &- 1)
  }
  mutating func insert(_ p: Pending) {
    if count &* 2 >= slots.count { grow() }
    var i = home(p.key); let m = slots.count &- 1
    while slots[i].key != .max && slots[i].key != p.key { i = (i &+ 1) & m }
    if slots[i].key == .max { count &+= 1 }
    slots[i] = p
  }
  mutating func remove(_ k: UInt64) -> Pending? {
    var i = home(k); let m = slots.count &- 1
    while slots[i].key != k { if slots[i].key == .max { return nil }; i = (i &+ 1) & m }
    let found = slots[i]; count &-= 1
    var hole = i
    while true {
      i = (i &+ 1) & m
      if slots[i].key == .max { break }
      let h = home(slots[i].key)
      if (i &- h) & m >= (i &- hole) & m { slots[hole] = slots[i]; hole = i }
    }
    slots[hole].key = .max
    return found
  }
  private mutating func grow() {
    let old = slots;
    slots = ContiguousArray(
      repeating: Pending(key: .max, time: 0, index: 0, subject: 0), count: old.count * 2);
    count = 0; for p in old where p.key != .max { insert(p) }
  }
}
