// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Fingerprints of dictionaries and URIs that were checked recently and found valid. Most of them
/// recur.
struct WAMPRecentSet {
  private var slots = ContiguousArray<UInt64>()
  /// Number of slots: at first, as each session has a set, and at most.
  private static let (least, most) = (4, 64)

  @inline(__always)
  private func place(_ fingerprint: UInt64) -> Int {
    Int(truncatingIfNeeded: fingerprint) & (slots.count &- 1)
  }

  /// Adds it; returns whether it was there already. The caller may `forget` it.
  @discardableResult
  mutating func remember(_ fingerprint: UInt64) -> Bool {
    if slots.isEmpty { slots = ContiguousArray(repeating: 0, count: Self.least) }
    let at = place(fingerprint)
    if slots[at] == fingerprint { return true }
    if slots[at] != 0 && slots.count < Self.most {
      grow()
      return remember(fingerprint)
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

  /// For what is invalid, which must be reported each time.
  mutating func forget(_ fingerprint: UInt64) { slots[place(fingerprint)] = 0 }
}
