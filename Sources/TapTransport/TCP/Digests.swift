// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What is remembered of the last segments of one direction that were delivered, so that one that
/// repeats them shows whether it says the same. The bytes themselves are not kept.
///
/// A sum of words is no cryptography: who can choose both versions can make them look the same.
struct Digests: Sendable {
  /// A segment that was delivered.
  struct Entry: Sendable, BitwiseCopyable {
    var first: SequenceNumber
    var length: UInt32
    var digest: UInt32
  }

  /// Longer segments are compared by so many bytes of either end: bulk is what costs.
  static let wholeBytes = 512
  /// A sender with a usual window has no more small segments under way.
  private static let most = 64

  private var entries: ContiguousArray<Entry> = []
  /// Where the next entry goes, once there are as many as are kept.
  private var oldest = 0

  /// The digest of a short segment, by its sum.
  @inline(__always) static func fold(_ sum: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: sum ^ sum >> 32)
  }

  @inline(__always) static func digest(_ bytes: RawSpan) -> UInt32 {
    bytes.byteCount <= wholeBytes ? fold(bytes.wordSum) : digest(ofEnds: bytes)
  }

  /// The same of a long one.
  @inline(never) static func digest(ofEnds bytes: RawSpan) -> UInt32 {
    let half = wholeBytes / 2
    let head = bytes.extracting(0..<half).wordSum
    return fold(head &+ bytes.dropping(bytes.byteCount &- half).wordSum &* 3)
  }

  @inline(__always)
  mutating func note(_ first: SequenceNumber, _ length: Int, _ digest: UInt32) {
    let entry = Entry(
      first: first, length: UInt32(truncatingIfNeeded: length), digest: digest)
    if entries.count < Self.most { return entries.append(entry) }
    entries[oldest] = entry
    oldest = (oldest &+ 1) % Self.most
  }

  mutating func note(_ first: SequenceNumber, _ bytes: RawSpan) {
    if bytes.isEmpty { return }
    note(first, bytes.byteCount, Self.digest(bytes))
  }

  /// What these bytes make of the segments that were delivered and lie within them; those that
  /// only partly do cannot be compared.
  func compare(_ bytes: RawSpan, at first: SequenceNumber) -> (same: Int, different: Int) {
    var (same, different) = (0, 0)
    for entry in entries {
      let start = first.distance(to: entry.first)
      guard start >= 0, start &+ Int64(entry.length) <= Int64(bytes.byteCount) else { continue }
      let there = bytes.extracting(Int(start)..<Int(start) &+ Int(entry.length))
      if Self.digest(there) == entry.digest { same &+= 1 } else { different &+= 1 }
    }
    return (same, different)
  }
}
