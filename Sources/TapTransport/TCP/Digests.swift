// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Digests of the last segments of one direction that were delivered, to see whether a
/// retransmission has the same content. The bytes themselves are not kept.
///
/// A sum of words is not cryptographic: an attacker who chooses both versions can give them the
/// same digest.
struct Digests: Sendable {
  /// A segment that was delivered.
  struct Entry: Sendable, BitwiseCopyable {
    var first: SequenceNumber
    var length: UInt32
    var digest: UInt32
  }

  /// How many segments are kept: a sender with a usual window has no more small ones in flight.
  private static let most = 64

  private var entries: ContiguousArray<Entry> = []
  /// Where the next entry goes once the table is full.
  private var oldest = 0

  /// The digest of a segment, from its word sum.
  @inline(__always) static func fold(_ sum: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: sum ^ sum >> 32)
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
    note(first, bytes.byteCount, Self.fold(bytes.wordSum))
  }

  /// How many delivered segments within these bytes have the same content, and how many differ.
  /// Segments that are only partly within them cannot be compared.
  func compare(_ bytes: RawSpan, at first: SequenceNumber) -> (same: Int, different: Int) {
    var (same, different) = (0, 0)
    for entry in entries {
      let start = first.distance(to: entry.first)
      guard start >= 0, start &+ Int64(entry.length) <= Int64(bytes.byteCount) else { continue }
      let there = bytes.extracting(Int(start)..<Int(start) &+ Int(entry.length))
      if Self.fold(there.wordSum) == entry.digest { same &+= 1 } else { different &+= 1 }
    }
    return (same, different)
  }
}
