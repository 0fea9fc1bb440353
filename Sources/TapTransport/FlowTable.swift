// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The known connections, by their two ends. All that it knows of TCP is when a connection may be
/// forgotten.
///
/// Tunnels: the network that a tunnel names (VNI, GRE key) is part of the key, as the same
/// addresses are other hosts there; so are VLAN tags and MPLS labels, where they may be. One
/// connection may have several of these (Cilium and OVN number by direction; the interface *any*
/// sees it inside and outside of the tunnel; a mirror port may tag one direction only). So a
/// segment with an unknown key is compared with connections of the same ends: if its sequence and
/// acknowledgment numbers both fit, the key becomes another name of that connection (`relative`).
/// Packets without tunnels, tags and labels do not pay for this. `TranslatedConnections` finds
/// connections that were captured before and after NAT.
struct FlowTable {
  /// Closed connections are kept this long, so that late packets are not taken for new connections.
  private static let linger: Int64 = 30_000_000_000

  /// One end in numbers: an IPv4 address, or the interned number of an IPv6 address, and the port.
  struct End: Sendable, BitwiseCopyable {
    var address: UInt32
    var port: UInt16

    @inline(__always) var order: UInt64 { UInt64(address) << 16 | UInt64(port) }
  }

  /// The two addresses of a packet, without ports.
  struct Addresses: BitwiseCopyable {
    let source: UInt32
    let destination: UInt32
    var isIPv6 = false
    /// The number of the innermost network or place (`NetworkNumbers`); 0 for none.
    var network: UInt32 = 0

    /// The key by which fragments of a datagram are matched: those of IPv4 by their protocol, too
    /// (RFC 791 §3.2), as senders may number each protocol by itself.
    func key(of fragment: Fragment, upper: UInt8) -> WideKey {
      let version: UInt64 = isIPv6 ? 1 << 32 : UInt64(upper) << 16
      return WideKey(
        UInt64(source) << 32 | UInt64(destination),
        UInt64(network) << 33 | version | UInt64(fragment.identification))
    }
  }

  /// The two ends of a connection (RFC 9293 §4: it is identified by a pair of sockets).
  struct SocketPair {
    let key: WideKey
    let low: End
    let high: End
    /// Which end sent the segment.
    let fromLow: Bool

    @inline(__always) init(_ addresses: Addresses, _ segment: Segment) {
      let sender = End(address: addresses.source, port: segment.sourcePort)
      let receiver = End(address: addresses.destination, port: segment.destinationPort)
      fromLow = sender.order <= receiver.order
      low = fromLow ? sender : receiver
      high = fromLow ? receiver : sender
      key = FlowTable.key(low, high, isIPv6: addresses.isIPv6, network: addresses.network)
    }
  }

  private struct Closed {
    var slot: Int
    var born: UInt64
    var clock: Int64
  }

  var connections = Slab<Connection>()
  var slots = IDTable<Int32>(minimumCapacity: 64)
  private var free: ContiguousArray<Int> = []
  private var closed: ContiguousArray<Closed> = []
  /// How many entries of `closed` were handled.
  private var closedHead = 0
  var twins = TranslatedConnections()
  /// Bytes that were kept after a reset, of connections that are already forgotten.
  var keptOctets = 0
  private var births: UInt64 = 0
  private var addresses: Interner
  /// Connections with several keys, or with the same ends as others.
  var relatives = TunnelKeys()
  private let addressBytes: Int
  /// IPv6 addresses were renumbered: numbers that others remember are invalid.
  var wasRenumbered = false

  init(_ limits: Limits) {
    // Two addresses of 16 bytes each, and twice that, so that renumbering is rare.
    addressBytes = min(max(limits.connections, 16), 1 << 24) * 64
    addresses = Interner(maximumBytes: addressBytes)
  }

  /// Connections in the table, closed ones included.
  var count: Int { slots.count &- relatives.aliases }

  /// Whether there was any connection at all.
  var hasHadAny: Bool { births > 0 }

  @inline(__always)
  static func key(_ low: End, _ high: End, isIPv6: Bool, network: UInt32) -> WideKey {
    WideKey(
      UInt64(low.address) << 32 | UInt64(high.address),
      UInt64(network) << 33 | (isIPv6 ? 1 << 32 : 0) | UInt64(low.port) << 16
        | UInt64(high.port))
  }

  @inline(__always) func slot(_ key: WideKey) -> Int? { slots[key].map { Int($0) } }

  /// The two addresses of a packet, by number.
  @inline(__always)
  mutating func addresses(
    of datagram: Datagram, in bytes: RawSpan, _ network: UInt32
  ) -> Addresses {
    let (source, destination) =
      datagram.isIPv6
      ? intern(
        bytes.extracting(datagram.source..<datagram.source &+ 16),
        bytes.extracting(datagram.destination..<datagram.destination &+ 16))
      : (bytes.uint32(at: datagram.source), bytes.uint32(at: datagram.destination))
    return Addresses(
      source: source, destination: destination, isIPv6: datagram.isIPv6, network: network)
  }

  private mutating func intern(_ source: RawSpan, _ destination: RawSpan) -> (UInt32, UInt32) {
    var first = addresses.number(of: source)
    var second = addresses.number(of: destination)
    if first == 0 || second == 0 {
      renumber()
      first = addresses.number(of: source)
      second = addresses.number(of: destination)
    }
    return (UInt32(bitPattern: first), UInt32(bitPattern: second))
  }

  /// Forgets the addresses of connections that were removed, and renumbers the others.
  private mutating func renumber() {
    var fresh = Interner(maximumBytes: addressBytes)
    var moved = IDTable<Int32>(minimumCapacity: slots.count)
    var known = TunnelKeys()
    for slot in connections.indices where !connections[slot].isFree {
      let old = connections[slot].key
      var key = old
      if old.low >> 32 & 1 != 0 {
        func end(_ number: UInt64, _ port: UInt64) -> End {
          let number = fresh.number(of: addresses[Int32(truncatingIfNeeded: number)])
          return End(
            address: UInt32(bitPattern: number), port: UInt16(truncatingIfNeeded: port))
        }
        var low = end(old.high >> 32, old.low >> 16)
        var high = end(old.high, old.low)
        if low.order > high.order {
          swap(&low, &high)
          connections[slot].turnAround()
        }
        key = Self.key(
          low, high, isIPv6: true, network: UInt32(truncatingIfNeeded: old.low >> 33))
        connections[slot].key = key
      }
      moved[key] = Int32(truncatingIfNeeded: slot)
      if key.isInTunnel { known.add(key) }
    }
    // The other keys of a connection are found again with its next segment.
    (addresses, slots, relatives, wasRenumbered) = (fresh, moved, known, true)
  }

  /// The client and server of a connection, with full addresses.
  func endpoints(_ slot: Int) -> (client: Endpoint, server: Endpoint) {
    let key = connections[slot].key
    let isIPv6 = key.low >> 32 & 1 != 0
    let low = Endpoint(
      address: address(UInt32(key.high >> 32), isIPv6),
      port: UInt16(truncatingIfNeeded: key.low >> 16))
    let high = Endpoint(
      address: address(UInt32(truncatingIfNeeded: key.high), isIPv6),
      port: UInt16(truncatingIfNeeded: key.low))
    return connections[slot].clientIsLow ? (low, high) : (high, low)
  }

  private func address(_ number: UInt32, _ isIPv6: Bool) -> [UInt8] {
    if isIPv6 { return addresses[Int32(bitPattern: number)].copied() }
    return [
      UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
      UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
    ]
  }

  mutating func add(
    _ key: WideKey, clientIsLow: Bool, _ stamp: PacketStamp, turn: UInt64
  ) -> Int {
    births &+= 1
    let slot = free.popLast() ?? connections.count
    func connection() -> Connection {
      Connection(
        key: key, born: births, number: UInt32(truncatingIfNeeded: slot &+ 1),
        clientIsLow: clientIsLow, last: stamp, lastTurn: turn)
    }
    if slot == connections.count {
      connections.append(connection())
    } else {
      connections[slot] = connection()
    }
    slots[key] = Int32(truncatingIfNeeded: slot)
    if key.isInTunnel { relatives.add(key) }
    return slot
  }

  /// Frees the slot; the layer above must have been reported.
  mutating func remove(_ slot: Int) {
    _ = slots.removeValue(for: connections[slot].key)
    if !relatives.isEmpty { removeRelatives(of: slot) }
    keptOctets &+= connections[slot].keptOctets
    connections[slot].isFree = true
    connections[slot].low = Half()
    connections[slot].high = Half()
    connections[slot].above = NullLayer()
    free.append(slot)
  }

  /// Notes that a connection was closed. It is removed when it has lingered, or when room is
  /// needed.
  mutating func noteClosed(_ slot: Int, _ clock: Int64) {
    closed.append(Closed(slot: slot, born: connections[slot].born, clock: clock))
  }

  /// Frees closed connections: those that have lingered, and one more if `needsRoom`.
  mutating func removeClosed(_ clock: Int64, needsRoom: Bool) {
    var needsRoom = needsRoom
    while closedHead < closed.count {
      let entry = closed[closedHead]
      let isCurrent =
        !connections[entry.slot].isFree && connections[entry.slot].born == entry.born
        && connections[entry.slot].isClosed
      if isCurrent {
        guard needsRoom || entry.clock.raised(by: Self.linger) <= clock else { break }
        remove(entry.slot)
        needsRoom = false
      }
      closedHead &+= 1
    }
    if closedHead > 64 && closedHead > closed.count / 2 {
      closed.removeSubrange(0..<closedHead)
      closedHead = 0
    }
  }

  /// The connections that have been idle longest, the longest first.
  func idlest(_ count: Int) -> ArraySlice<Int> {
    connections.indices.filter { !connections[$0].isFree }
      .sorted { connections[$0].lastTurn < connections[$1].lastTurn }.prefix(count)
  }

  /// Open connections without a packet since a time.
  func idle(since clock: Int64) -> [Int] {
    connections.indices.filter {
      !connections[$0].isFree && !connections[$0].isClosed && connections[$0].last.clock < clock
    }
  }

  /// All there are, in order of creation.
  func inOrder() -> [Int] {
    connections.indices.filter { !connections[$0].isFree }
      .sorted { connections[$0].born < connections[$1].born }
  }
}
