// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Connections that are captured on both sides of a translation of addresses (RFC 3022), as on
/// *any* of a host with containers: the initial sequence numbers of both ends are the same, which
/// two connections never have by chance (RFC 6528). As made-up captures have them all the same, the
/// port of the client must be, too, which is kept where it can be, and hardly any time may pass.
struct Twins {
  private struct Entry {
    var slot: Int
    var born: UInt64
    var clock: Int64
    var port: UInt16
  }

  /// Handshakes that are remembered; then all are forgotten.
  private static let most = 4096
  /// How far apart the two are captured, at most.
  private static let reach: Int64 = 500_000

  private var entries: [UInt64: Entry] = [:]

  /// Whether the SYN and ACK of a connection is that of another one, which is told.
  mutating func isTwin(
    _ segment: Segment, _ slot: Int, _ connections: ContiguousArray<Connection>, _ clock: Int64
  ) -> Bool {
    let key = UInt64(segment.sequence.value) << 32 | UInt64(segment.acknowledgement.value)
    let born = connections[slot].born
    if let other = entries[key], other.born != born, !connections[other.slot].isFree,
      connections[other.slot].born == other.born, clock &- other.clock <= Self.reach,
      other.port == segment.destinationPort
    {
      return true
    }
    if entries.count >= Self.most { entries.removeAll() }
    entries[key] = Entry(
      slot: slot, born: born, clock: clock, port: segment.destinationPort)
    return false
  }
}
