// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reassembles fragmented IP datagrams (RFC 791 §3.2, RFC 8200 §4.5): a bounded number of them, of
/// which the oldest is given up first. It does not know what they carry, except that the first
/// fragment of a UDP datagram has the port that the others are for.
struct Fragments {
  /// RFC 8200 §4.5: a datagram that is incomplete after 60 seconds is given up. Identifications are
  /// reused, and old fragments must not be mixed with new ones.
  private static let patience: Int64 = 60_000_000_000

  /// How many reassembled datagrams are kept to recognise copies, which follow soon, as from two
  /// interfaces.
  private static let wholeKept = 8

  /// In the order of their first fragments.
  private var partial: ContiguousArray<PartialDatagram> = []
  private var held = 0
  /// The last few that were reassembled, to recognise copies of their fragments.
  private var whole: ContiguousArray<PartialDatagram> = []
  /// UDP datagrams whose first fragment has not come, so that their port is not known yet.
  private var early: ContiguousArray<PartialDatagram> = []

  enum Outcome {
    case waiting
    case contradictory
    case whole(PartialDatagram)
  }

  /// Whether fragments of this datagram wait for others.
  func hasBegun(_ key: WideKey) -> Bool { partial.contains { $0.key == key } }

  mutating func receive(
    _ bytes: RawSpan, _ fragment: Fragment, of datagram: Datagram, _ key: WideKey,
    _ stamp: PacketStamp, _ shared: Shared, _ listener: any Listener
  ) -> Outcome {
    giveUpOld(shared.clock, listener)
    let index = partial.firstIndex { $0.key == key } ?? partial.count
    if index == partial.count {
      let isCopy = whole.contains {
        $0.key == key && $0.holds(bytes, at: fragment.offset)
          && stamp.clock <= $0.firstSeen.clock.raised(by: Self.patience)
      }
      if isCopy { return .waiting }
      partial.append(PartialDatagram(key: key, firstSeen: stamp))
    }
    let before = partial[index].octets.count
    guard partial[index].add(bytes, length: datagram.length, fragment) else {
      if partial[index].octets.isEmpty { partial.remove(at: index) }
      return .contradictory
    }
    if partial[index].differs && !partial[index].reportedDifference {
      partial[index].reportedDifference = true
      listener.finding(
        .fragmentsDiffer, .warning, stamp.origin(flow: 0, .unknown, offset: 0),
        "a fragment of an IP datagram overlaps another one and says something else; what came"
          + " first is used, and many receivers drop such a datagram")
    }
    if fragment.offset == 0 { partial[index].upper = partial[index].upper ?? datagram.upper }
    held &+= partial[index].octets.count &- before
    if partial[index].isComplete {
      held &-= partial[index].octets.count
      let joined = partial.remove(at: index)
      if whole.count == Self.wholeKept { whole.removeFirst() }
      whole.append(joined)
      return .whole(joined)
    }
    while partial.count > shared.limits.fragmentedDatagrams
      || held > shared.limits.fragmentBytes && partial.count > 1
    {
      giveUp(0, "too many datagrams are incomplete", listener)
    }
    return .waiting
  }

  /// Keeps a fragment of UDP that came before the first one.
  mutating func keepEarly(
    _ bytes: RawSpan, _ fragment: Fragment, of datagram: Datagram, _ key: WideKey,
    _ stamp: PacketStamp, _ shared: Shared, _ listener: any Listener
  ) {
    dropEarly(shared.clock, listener)
    let index = early.firstIndex { $0.key == key } ?? early.count
    if index == early.count { early.append(PartialDatagram(key: key, firstSeen: stamp)) }
    early[index].fragments &+= 1
    if !early[index].add(bytes, length: datagram.length, fragment) {
      early[index].fragments &-= 1
      if early[index].fragments == 0 { early.remove(at: index) }
      return listener.count(.packetMalformed, 1)
    }
    if early.count > shared.limits.earlyDatagrams {
      listener.count(.packetNotTCP, early.removeFirst().fragments)
    }
  }

  /// The first fragment of a UDP datagram has come; returns whether to reassemble it. If not, it is
  /// counted, with the fragments that came before it.
  mutating func beginUDP(
    _ key: WideKey, isTunnel: Bool, _ clock: Int64, _ listener: any Listener
  ) -> Bool {
    dropEarly(clock, listener)
    let known = early.firstIndex { $0.key == key }.map { early.remove(at: $0) }
    if !isTunnel {
      listener.count(.packetNotTCP, 1 &+ (known?.fragments ?? 0))
    } else if let known {
      partial.append(known)
      held &+= known.octets.count
    }
    return isTunnel
  }

  private mutating func dropEarly(_ clock: Int64, _ listener: any Listener) {
    while let first = early.first, first.firstSeen.clock < clock.lowered(by: Self.patience) {
      listener.count(.packetNotTCP, early.removeFirst().fragments)
    }
  }

  /// Gives up all incomplete datagrams.
  mutating func finish(_ why: String, _ listener: any Listener) {
    for datagram in early { listener.count(.packetNotTCP, datagram.fragments) }
    early.removeAll()
    while !partial.isEmpty { giveUp(0, why, listener) }
  }

  private mutating func giveUpOld(_ clock: Int64, _ listener: any Listener) {
    while let first = partial.first, first.firstSeen.clock < clock.lowered(by: Self.patience) {
      giveUp(0, "the rest did not come within 60 seconds", listener)
    }
  }

  private mutating func giveUp(_ index: Int, _ why: String, _ listener: any Listener) {
    let lost = partial.remove(at: index)
    held &-= lost.octets.count
    let origin = lost.firstSeen.origin(flow: 0, .unknown, offset: 0)
    listener.finding(
      .fragmentsDropped, .note, origin,
      "a fragmented IP datagram that begins here was given up, as \(why): \(lost.remains)")
  }
}
