// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Results for URIs that were checked recently, in all sessions. Most of them recur; they are
/// recognised by their fingerprint.
struct WAMPURICheckCache {
  enum Verdict: UInt64 {
    /// Follows the strict rule.
    case strict
    /// Follows the loose rule only.
    case loose
  }

  private static let slotCount = 4096
  /// Fingerprints; the lowest bit is the verdict.
  private var slots = ContiguousArray<UInt64>(repeating: 0, count: slotCount)

  /// Nil when it is not remembered.
  @inline(__always)
  subscript(fingerprint: UInt64) -> Verdict? {
    get {
      let known = slots[Self.place(fingerprint)]
      return (known ^ fingerprint) >> 1 == 0 ? Verdict(rawValue: known & 1) : nil
    }
    set {
      let place = Self.place(fingerprint)
      slots[place] = newValue.map { fingerprint & ~1 | $0.rawValue } ?? 0
    }
  }

  @inline(__always)
  private static func place(_ fingerprint: UInt64) -> Int {
    Int(truncatingIfNeeded: fingerprint >> 1) & (slotCount &- 1)
  }
}
