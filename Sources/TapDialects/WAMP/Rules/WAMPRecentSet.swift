// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The dictionaries and URIs that were looked at lately and found to be in order. Most come again
/// and again, and are recognised by their fingerprint.
struct WAMPRecentSet {
  private var slots = ContiguousArray<UInt64>()
  /// Slots at first, as there is one set for each session, and at last.
  private static let (least, most) = (4, 64)

  @inline(__always)
  private func place(_ fingerprint: UInt64) -> Int {
    Int(truncatingIfNeeded: fingerprint) & (slots.count &- 1)
  }

  /// Whether it was there before. It is now, unless it is forgotten.
  mutating func knows(_ fingerprint: UInt64) -> Bool {
    if slots.isEmpty { slots = ContiguousArray(repeating: 0, count: Self.least) }
    let at = place(fingerprint)
    if slots[at] == fingerprint { return true }
    if slots[at] != 0 && slots.count < Self.most {
      grow()
      return knows(fingerprint)
    }
    slots[at] = fingerprint
    return false
  }

  @inline(never)
  private mutating func grow() {
    let known = slots
    slots = ContiguousArray(repeating: 0, count: known.count * 4)
    for fingerprint in known where fingerprint != 0 { slots[place(fingerprint)] = fingerprint }
  }

  func contains(_ fingerprint: UInt64) -> Bool {
    !slots.isEmpty && slots[place(fingerprint)] == fingerprint
  }

  /// What is wrong shall be told each time.
  mutating func forget(_ fingerprint: UInt64) { slots[place(fingerprint)] = 0 }
}
