// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The dictionaries and URIs that were looked at lately and found to be in order. Most come again
/// and again, and are recognised by their fingerprint.
struct WAMPRecentSet {
  private var slots = ContiguousArray<UInt64>()
  private static let slotCount: UInt64 = 64

  /// Whether it was there before. It is now, unless it is forgotten.
  mutating func knows(_ fingerprint: UInt64) -> Bool {
    if slots.isEmpty { slots = ContiguousArray(repeating: 0, count: Int(Self.slotCount)) }
    let at = Int(truncatingIfNeeded: fingerprint & (Self.slotCount - 1))
    if slots[at] == fingerprint { return true }
    slots[at] = fingerprint
    return false
  }

  func contains(_ fingerprint: UInt64) -> Bool {
    !slots.isEmpty
      && slots[Int(truncatingIfNeeded: fingerprint & (Self.slotCount - 1))] == fingerprint
  }

  /// What is wrong shall be told each time.
  mutating func forget(_ fingerprint: UInt64) {
    slots[Int(truncatingIfNeeded: fingerprint & (Self.slotCount - 1))] = 0
  }
}
