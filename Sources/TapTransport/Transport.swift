// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// From packets to the ordered bytes of each TCP connection: link layer, IP (RFC 791, RFC 8200) and
/// TCP (RFC 9293), as an observer sees them.
///
/// It does no I/O, and keeps nothing of a packet but segments that came too early. The `Chooser`
/// chooses a connection's layer when its first byte is seen, or known to be missing.
public struct Transport {
  private let chooser: any Chooser
  var flows: FlowTable
  var fragments = Fragments()
  var networks: NetworkNumbers
  var deadlines = Deadlines()
  /// The transport's clock when silence began; see `quiet`.
  var quietSince = Int64.min
  var shared: Shared
  /// Slot of the last packet's connection; negative for none.
  private var lastSlot = -1
  /// The last packet is a fragment that waits for others.
  var isFragment = false
  /// Counts packets, to find the connections that were idle longest.
  private var turn: UInt64 = 0
  /// When to search for idle connections next, if there are many connections.
  private var nextSearch = Int64.min
  var unknownLinkTypes: ContiguousArray<UInt16> = []
  var hasReportedCut = false
  /// Tunnels that are not read: how many packets of each kind, and the first one.
  var unreadTunnels: ContiguousArray<(kind: UnreadTunnel, packets: Int, first: PacketStamp)> =
    []
  /// Reported at the end, which saves a call for each packet.
  private var packets = 0
  private var payloadBytes = 0
  /// Packets that were captured twice, and the last of them.
  private var copies = 0
  private var lastCopy: PacketStamp?

  public init(chooser: any Chooser, limits: Limits = Limits()) {
    self.chooser = chooser
    shared = Shared(limits)
    flows = FlowTable(limits)
    networks = NetworkNumbers(limits)
  }

  /// The next packet of the evidence, in order of capture.
  public mutating func receive(_ bytes: RawSpan, _ packet: Packet, _ listener: any Listener) {
    packets &+= 1
    turn &+= 1
    (lastSlot, isFragment) = (-1, false)
    shared.advance(to: packet.time)
    if shared.clock >= deadlines.first { expire(listener) }
    if packet.linkType == LinkType.ethernet.rawValue, let usual = Segment.predict(in: bytes) {
      return receive(
        bytes, usual.segment, usual.addresses, PacketStamp(packet, clock: shared.clock), listener)
    }
    receiveUnusual(bytes, packet, listener)
  }

  /// Replaces the layers of all connections.
  public mutating func replaceLayers(_ layer: (any Layer) -> any Layer) {
    for slot in flows.inOrder() { flows.connections[slot].replaceLayer(layer) }
  }

  /// The serial number of the last packet's connection, from 1, never reused. 0 where it belongs to
  /// none, nil where it is a fragment that waits for others.
  public var lastConversation: UInt64? {
    lastSlot >= 0 ? flows.connections[lastSlot].born : isFragment ? nil : 0
  }

  /// The evidence ends: gives up every hole and finishes every connection, in order of creation.
  public mutating func finish(_ listener: any Listener) {
    reportCopies(listener)
    reportSkew(listener)
    reportTunnels(listener)
    listener.count(.packet, packets)
    listener.count(.payloadByte, payloadBytes)
    (packets, payloadBytes) = (0, 0)
    fragments.finish("the capture ends", listener)
    for slot in flows.inOrder() {
      end(slot, .endOfEvidence, .end, listener)
      flows.remove(slot)
    }
    listener.account(.afterClose, flows.keptOctets)
    flows.keptOctets = 0
  }

  /// A few duplicates may be chance; a tenth of all packets means that the capture was made that
  /// way.
  private mutating func reportCopies(_ listener: any Listener) {
    guard let last = lastCopy, copies >= 10, copies >= packets / 10 else { return }
    listener.finding(
      .duplicates, .note, last.origin(flow: 0, .unknown, offset: 0),
      "at least \(copies) of \(packets) packets are in the capture twice, as on 'any', on a bridge,"
        + " before and behind NAT, or of captures that were merged; each is shown once")
  }

  /// Reported once. For each stream, its gaps show the effect.
  @inline(never)
  mutating func reportCut(
    _ what: String, _ stamp: PacketStamp, _ listener: any Listener
  ) {
    hasReportedCut = true
    listener.finding(
      .cutPackets, .warning, stamp.origin(flow: 0, .unknown, offset: 0),
      "packets were cut short when they were captured: this one has \(what); capture with a"
        + " larger snap length (tcpdump -s 0)")
  }

  /// Receives the TCP segment of a packet.
  @inline(__always)
  mutating func receive(
    _ bytes: RawSpan, _ segment: Segment, _ addresses: FlowTable.Addresses,
    _ stamp: PacketStamp, _ listener: any Listener
  ) {
    payloadBytes &+= segment.captured
    if segment.captured < segment.length && !hasReportedCut && !stamp.isInterrupted {
      reportCut(
        "\(segment.captured) of its \(segment.length) bytes", stamp, listener)
    }
    let pair = FlowTable.SocketPair(addresses, segment)
    let known = flows.slot(pair.key)
    if let known { lastSlot = known }
    if let known,
      flows.connections[known].receiveNext(
        segment, bytes, fromLow: pair.fromLow, stamp, turn, listener)
    {
      return
    }
    receiveSlowly(segment, bytes, pair, known, stamp, listener)
  }

  /// The slow path: a segment that begins, ends or repeats something, or comes too early.
  @inline(never)
  private mutating func receiveSlowly(
    _ segment: Segment, _ packet: RawSpan, _ pair: FlowTable.SocketPair, _ place: Int?,
    _ stamp: PacketStamp, _ listener: any Listener
  ) {
    let (key, fromLow) = (pair.key, pair.fromLow)
    // Without a SYN, the lower port is taken for the server's: clients use high ports.
    let clientIsLow =
      pair.low.port == pair.high.port ? fromLow : pair.low.port > pair.high.port

    var known = place
    if known == nil && (key.isInTunnel || !flows.relatives.isEmpty) {
      known = flows.relative(key, segment, fromLow: fromLow)
    }
    if var slot = known, let proposal = flows.connections[slot].proposal,
      proposal.isAccepted(by: segment, fromLow: fromLow)
    {
      renew(&slot, key, proposal, listener)
      known = slot
    }
    if let known, !segment.flags.contains(.syn), var original = flows.connections[known].twin {
      let isRepeated = TranslatedConnections.isRepeated(
        segment, packet, isOfClient: fromLow == flows.connections[known].clientIsLow, &original,
        flows.connections)
      flows.connections[known].twin = isRepeated ? original : nil
      if isRepeated {
        (copies, lastCopy) = (copies &+ 1, stamp)
        return listener.account(.repeated, segment.captured)
      }
    }
    if segment.flags.contains(.rst) {
      return reset(known, segment, fromLow: fromLow, stamp, listener)
    }
    if let known,
      flows.connections[known].isCopy(
        segment, packet, fromLow: fromLow, stamp.clock)
    {
      (copies, lastCopy) = (copies &+ 1, stamp)
    }
    var slot = known ?? add(key, clientIsLow: clientIsLow, stamp, listener)
    if segment.flags.contains(.syn), flows.connections[slot].isNew(segment, fromLow: fromLow) {
      if flows.connections[slot].propose(segment, fromLow: fromLow, stamp) { return }
      replace(&slot, key, clientIsLow: clientIsLow, stamp, listener)
    }
    if known != nil, segment.flags.contains(.syn),
      flows.connections[slot].isInVain(segment, fromLow: fromLow, stamp.clock)
    {
      reportAttempt(slot, isUnanswered: true, stamp, listener)
    }
    if segment.captured > 0, begins(segment, packet, slot, fromLow: fromLow, stamp) {
      flows.connections[slot].disown(segment, fromLow: fromLow)
      replace(&slot, key, clientIsLow: fromLow, stamp, listener)
      flows.connections[slot].isFromStart = true
    } else if flows.connections[slot].isLongOver(segment, fromLow: fromLow, stamp) {
      replace(&slot, key, clientIsLow: clientIsLow, stamp, listener)
    }
    if flows.connections[slot].isRevived(by: segment, fromLow: fromLow) {
      revive(slot, stamp, listener)
    }
    if segment.flags.isSuperset(of: [.syn, .ack]), segment.length == 0,
      !flows.connections[slot].hasLayer,
      let (copy, original) = flows.twins.pair(slot, segment, flows.connections, shared.clock)
    {
      flows.connections[copy].twin = original
      (copies, lastCopy) = (copies &+ 1, stamp)
    }
    lastSlot = slot
    receive(segment, packet, slot, fromLow: fromLow, stamp, listener)
  }

  /// Whether a segment begins another connection with the same ends, although no SYN was captured.
  private mutating func begins(
    _ segment: Segment, _ packet: RawSpan, _ slot: Int, fromLow: Bool, _ stamp: PacketStamp
  ) -> Bool {
    let isElsewhere = flows.connections[slot].isElsewhere(segment, fromLow: fromLow, stamp)
    guard isElsewhere || flows.connections[slot].isApart(segment, fromLow: fromLow) else {
      return false
    }
    let bytes = packet.extracting(segment.range).dropping(segment.headerLength)
    return isElsewhere ? chooser.isBeginning(bytes) : chooser.isSoleBeginning(bytes)
  }

  /// Another connection uses the same addresses and ports as a known one.
  private mutating func replace(
    _ slot: inout Int, _ key: WideKey, clientIsLow: Bool, _ stamp: PacketStamp,
    _ listener: any Listener
  ) {
    end(slot, .closed, .replaced, listener)
    flows.remove(slot)
    slot = add(key, clientIsLow: clientIsLow, stamp, listener)
  }

  /// The proposed SYN did open another connection.
  private mutating func renew(
    _ slot: inout Int, _ key: WideKey, _ proposal: Connection.Proposal, _ listener: any Listener
  ) {
    replace(&slot, key, clientIsLow: proposal.fromLow, proposal.stamp, listener)
    let nothing: [UInt8] = []
    receive(
      proposal.segment, nothing.span.bytes, slot, fromLow: proposal.fromLow, proposal.stamp,
      listener)
  }

  /// The connection was not reset after all.
  private mutating func revive(
    _ slot: Int, _ stamp: PacketStamp, _ listener: any Listener
  ) {
    flows.connections[slot].revive(stamp, listener)
    open(slot, listener)
    flows.connections[slot].resume(&shared, listener)
  }

  private mutating func receive(
    _ segment: Segment, _ packet: RawSpan, _ slot: Int, fromLow: Bool, _ stamp: PacketStamp,
    _ listener: any Listener
  ) {
    // Mutating calls only: reading a property through the subscript would copy the connection.
    if flows.connections[slot].prepare(segment, fromLow: fromLow, stamp, turn) {
      open(slot, listener)
    }
    if flows.connections[slot].acknowledge(segment, fromLow: fromLow, stamp, shared) {
      open(slot, listener)
      flows.connections[slot].expire(&shared, listener)
    }
    let isDone = flows.connections[slot].receive(
      segment, packet, fromLow: fromLow, stamp, &shared, listener)
    if !isDone { attend(slot, listener) }
  }

  /// Something is missing or has ended, so the connection needs attention.
  @inline(never)
  private mutating func attend(_ slot: Int, _ listener: any Listener) {
    schedule(slot)
    if flows.connections[slot].isClosed { noteClosed(slot) }
    if shared.isCrowded { relieve(listener) }
  }

  private mutating func reset(
    _ known: Int?, _ segment: Segment, fromLow: Bool, _ stamp: PacketStamp,
    _ listener: any Listener
  ) {
    // RFC 9293 §3.5.3: the data of a reset is an explanation, not part of the stream.
    if segment.captured > 0 { listener.account(.afterClose, segment.captured) }
    guard let slot = known, !flows.connections[slot].isClosed else { return }
    let verdict = flows.connections[slot].judge(reset: segment, fromLow: fromLow)
    if verdict == .ignored { return }
    flows.connections[slot].last = stamp
    if verdict == .suspected {
      return flows.connections[slot].suspect(segment, fromLow: fromLow, stamp)
    }
    if verdict == .early {
      flows.connections[slot].hold(reset: segment, fromLow: fromLow, stamp, shared, listener)
      return schedule(slot)
    }
    if flows.connections[slot].hasHole { open(slot, listener) }
    if flows.connections[slot].isRefusal(fromLow: fromLow) {
      reportAttempt(slot, isUnanswered: false, stamp, listener)
    }
    flows.connections[slot].reset(
      fromLow: fromLow, at: segment.sequence, acknowledging: segment.acknowledged, stamp,
      &shared, listener)
    noteClosed(slot)
  }

  private mutating func add(
    _ key: WideKey, clientIsLow: Bool, _ stamp: PacketStamp, _ listener: any Listener
  ) -> Int {
    let isFull = flows.count >= shared.limits.connections
    flows.removeClosed(shared.clock, needsRoom: isFull)
    if isFull && flows.count >= shared.limits.connections {
      evictIdlest(stamp, listener)
    } else if flows.count > shared.limits.connections / 2 && shared.clock >= nextSearch {
      evictIdle(stamp, listener)
    }
    listener.count(.stream, 1)
    return flows.add(key, clientIsLow: clientIsLow, stamp, turn: turn)
  }

  /// Makes room for several connections at once, as the search for idle ones takes a while.
  @inline(never)
  private mutating func evictIdlest(_ stamp: PacketStamp, _ listener: any Listener) {
    let victims = flows.idlest(max(shared.limits.connections / 16, 1))
    evict(
      Array(victims),
      "more than \(shared.limits.connections) connections at once: %"
        + " idle longest had to be forgotten", stamp, listener)
  }

  /// Forgets connections that have been idle too long, and schedules the next search.
  @inline(never)
  private mutating func evictIdle(_ stamp: PacketStamp, _ listener: any Listener) {
    let limits = shared.limits
    nextSearch = shared.clock.raised(by: limits.idleTime / 16)
    let victims = flows.idle(since: shared.clock.lowered(by: limits.idleTime))
    if victims.isEmpty { return }
    evict(
      victims,
      "\(flows.count) connections at once: % idle for more than"
        + " \(limits.idleTime / 1_000_000_000) seconds were forgotten", stamp, listener)
  }

  /// - Parameter reason: `%` stands for their number.
  private mutating func evict(
    _ victims: [Int], _ reason: String, _ stamp: PacketStamp, _ listener: any Listener
  ) {
    for slot in victims {
      end(slot, .endOfEvidence, .evicted, listener)
      flows.remove(slot)
    }
    let count = "\(victims.count) that \(victims.count == 1 ? "was" : "were")"
    var finding = Finding(
      .connectionsEvicted, .note, stamp.origin(flow: 0, .unknown, offset: 0),
      reason.replacing("%", with: count))
    finding.evicted = UInt64(victims.count)
    listener.finding(finding)
  }

  /// Chooses the layer of the connection.
  mutating func open(_ slot: Int, _ listener: any Listener) {
    if flows.connections[slot].hasLayer || flows.connections[slot].isClosed { return }
    let ends = flows.endpoints(slot)
    let isFromStart = flows.connections[slot].isFromStart
    flows.connections[slot].hasLayer = true
    flows.connections[slot].isSettled = false
    var opening = Opening(
      .stream, client: ends.client, server: ends.server, isFromStart: isFromStart)
    opening.network = networks.network(of: flows.connections[slot].key.network)
    flows.connections[slot].above = chooser.layer(for: opening)
    flows.connections[slot].reportOpening(listener)
  }

  private mutating func end(
    _ slot: Int, _ ending: Ending, _ reason: Reassembler.Reason, _ listener: any Listener
  ) {
    if flows.connections[slot].hasHole { open(slot, listener) }
    flows.connections[slot].end(ending, reason, &shared, listener)
  }

  mutating func noteClosed(_ slot: Int) {
    if flows.connections[slot].isNotedClosed { return }
    flows.connections[slot].isNotedClosed = true
    flows.noteClosed(slot, shared.clock)
  }

  mutating func schedule(_ slot: Int) {
    let deadline = flows.connections[slot].deadline(shared)
    guard deadline < flows.connections[slot].scheduled else { return }
    flows.connections[slot].scheduled = deadline
    // Entries of removed connections go when their time comes, which never happens if the clock
    // stands still.
    if deadlines.count > 1024 + 2 * flows.connections.count {
      let connections = flows.connections
      deadlines.keep {
        !connections[$0.slot].isFree && connections[$0.slot].born == $0.born
          && connections[$0.slot].scheduled == $0.deadline
      }
    }
    deadlines.add(
      Deadlines.Entry(deadline: deadline, slot: slot, born: flows.connections[slot].born))
  }
}
