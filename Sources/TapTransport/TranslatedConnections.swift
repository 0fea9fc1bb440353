// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Connections that were captured on both sides of NAT (RFC 3022), as on *any* of a host with
/// containers. The initial sequence numbers of both ends are the same, which two connections do not
/// have by chance (RFC 6528). Synthetic captures may have it all the same, so three more things
/// must fit: the client's port, which NAT keeps if it can; a very short time between the two; and
/// the first bytes of the client.
struct TranslatedConnections {
  /// The connection that another one repeats.
  struct Original: Sendable, BitwiseCopyable {
    var slot: Int
    /// Distinguishes it from a later one in the same slot.
    var born: UInt64
    /// The first bytes of the client were the same.
    var isProven = false
  }

  private struct Entry: BitwiseCopyable {
    var original: Original
    var clock: Int64
    var port: UInt16
  }

  /// Handshakes that are remembered; beyond that, all are forgotten.
  private static let most = 4096
  /// How far apart the two may be captured, in nanoseconds.
  private static let reach: Int64 = 500_000

  /// By the initial sequence numbers of both ends.
  private var entries = IDTable<Entry>()

  /// The connection that repeats another one whose SYN-ACK has the same numbers, and that one; nil
  /// where there is none.
  ///
  /// The host translates a SYN before it passes it on, and a SYN-ACK on its way back: the original
  /// is the one whose SYN came first, although its SYN-ACK comes last.
  mutating func pair(
    _ slot: Int, _ segment: Segment, _ connections: borrowing Slab<Connection>, _ clock: Int64
  ) -> (copy: Int, original: Original)? {
    let numbers = UInt64(segment.sequence.value) << 32 | UInt64(segment.acknowledgement.value)
    let key = WideKey(0, numbers)
    let born = connections[slot].born
    if let other = entries[key], other.original.born != born,
      Self.isThere(other.original, connections), clock &- other.clock <= Self.reach,
      other.port == segment.destinationPort
    {
      if other.original.born < born { return (slot, other.original) }
      if connections[other.original.slot].hasLayer { return nil }
      let original = Original(slot: slot, born: born)
      entries[key]!.original = original
      return (other.original.slot, original)
    }
    if entries.count >= Self.most { entries = IDTable() }
    entries[key] = Entry(
      original: Original(slot: slot, born: born), clock: clock, port: segment.destinationPort)
    return nil
  }

  /// Whether a segment repeats one of the original connection. The client's segments are captured
  /// there first, the server's here first: only the client's can be compared.
  static func isRepeated(
    _ segment: Segment, _ packet: RawSpan, isOfClient: Bool, _ original: inout Original,
    _ connections: borrowing Slab<Connection>
  ) -> Bool {
    if original.isProven || !isOfClient || segment.captured == 0 { return true }
    guard isThere(original, connections) else { return false }
    let bytes = packet.extracting(segment.payload..<segment.payload &+ segment.captured)
    let found =
      connections[original.slot].clientIsLow
      ? connections[original.slot].low.digests.compare(bytes, at: segment.first)
      : connections[original.slot].high.digests.compare(bytes, at: segment.first)
    original.isProven = found.same > 0 && found.different == 0
    return original.isProven
  }

  private static func isThere(
    _ original: Original, _ connections: borrowing Slab<Connection>
  ) -> Bool {
    !connections[original.slot].isFree && connections[original.slot].born == original.born
  }
}
