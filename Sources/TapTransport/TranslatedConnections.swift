// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Connections that are captured on both sides of a translation of addresses (RFC 3022), as on
/// *any* of a host with containers: the initial sequence numbers of both ends are the same, which
/// two connections never have by chance (RFC 6528). As made-up captures have them all the same, the
/// port of the client must be, too, which is kept where it can be, hardly any time may pass, and
/// the first that the client says must be the same.
struct TranslatedConnections {
  /// A connection that another one repeats.
  struct Original: Sendable, BitwiseCopyable {
    var slot: Int
    /// Tells it from a later one in the same slot.
    var born: UInt64
    /// What the client said first was the same.
    var isProven = false
  }

  private struct Entry: BitwiseCopyable {
    var original: Original
    var clock: Int64
    var port: UInt16
  }

  /// Handshakes that are remembered; then all are forgotten.
  private static let most = 4096
  /// How far apart the two are captured, at most.
  private static let reach: Int64 = 500_000

  /// By the sequence numbers of both ends.
  private var entries = IDTable<Entry>()

  /// The connection whose SYN and ACK this one has, too; nil where there is none.
  mutating func original(
    of slot: Int, _ segment: Segment, _ connections: borrowing Slab<Connection>, _ clock: Int64
  ) -> Original? {
    let numbers = UInt64(segment.sequence.value) << 32 | UInt64(segment.acknowledgement.value)
    let key = WideKey(0, numbers)
    let born = connections[slot].born
    if let other = entries[key], other.original.born != born,
      Self.isThere(other.original, connections), clock &- other.clock <= Self.reach,
      other.port == segment.destinationPort
    {
      return other.original
    }
    if entries.count >= Self.most { entries = IDTable() }
    entries[key] = Entry(
      original: Original(slot: slot, born: born), clock: clock, port: segment.destinationPort)
    return nil
  }

  /// Whether a segment of a connection repeats one of its original. The client is captured there
  /// first, the server here: what the client says tells.
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
