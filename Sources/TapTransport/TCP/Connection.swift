// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One TCP connection as an observer sees it: two halves and the layer above (RFC 9293 §3.3.2).
/// `low` is the end whose address and port make the smaller number.
///
/// Queries made for nearly every packet are `mutating`, so that the flow table lends its entry
/// instead of copying it.
struct Connection {
  // What each segment needs comes first, together with the beginning of the halves, for the cache.

  var key: WideKey
  /// Serial number of the connection, in order of creation.
  let born: UInt64
  /// Flow number for the layers above.
  let number: UInt32
  var above: any Layer = NullLayer()
  /// The layer above is final, as far as it has said.
  var isSettled = true
  var hasLayer = false
  var isClosed = false
  var wasReset = false
  /// Which end reset it.
  var resetFromLow = false
  var clientIsLow: Bool
  /// It continues after a reset that did not take effect.
  var isRevival = false
  /// A SYN was seen.
  var isFromStart = false
  /// The last packet of the connection, and its number in the order of capture.
  var last: PacketStamp
  var lastTurn: UInt64
  /// The flow table knows that it is closed.
  var isNotedClosed = false
  /// The slot is free.
  var isFree = false
  /// What `low` sent, and what `high` sent.
  var low = Half()
  var high = Half()
  /// A SYN that may not come from this connection's ends.
  @Apart var proposal: Proposal?
  /// A reset that may not take effect, or not yet.
  @Apart var suspicion: PendingReset?
  /// The same connection captured with other addresses (NAT), under which it is reported.
  @Apart var twin: TranslatedConnections.Original?
  /// The deadline under which this connection is entered in `Deadlines`.
  var scheduled = Int64.max

  init(
    key: WideKey, born: UInt64, number: UInt32, clientIsLow: Bool, last: PacketStamp,
    lastTurn: UInt64
  ) {
    (self.key, self.born, self.number) = (key, born, number)
    (self.clientIsLow, self.last, self.lastTurn) = (clientIsLow, last, lastTurn)
  }

  @inline(__always) func context(fromLow: Bool, _ stamp: PacketStamp) -> StreamContext {
    StreamContext(
      flow: number, direction: fromLow == clientIsLow ? .toServer : .toClient,
      stamp: stamp)
  }

  /// Whether a segment is a second capture of the same packet: it comes too soon for a
  /// retransmission.
  mutating func isCopy(
    _ segment: Segment, _ packet: RawSpan, fromLow: Bool, _ clock: Int64
  ) -> Bool {
    guard segment.length > 0, clock &- last.clock < 1_000_000 else { return false }
    return fromLow
      ? Self.isCopy(segment, packet, of: low) : Self.isCopy(segment, packet, of: high)
  }

  private static func isCopy(
    _ segment: Segment, _ packet: RawSpan, of half: borrowing Half
  ) -> Bool {
    guard half.hasSpoken else { return false }
    let start = half.position(of: segment.first)
    guard start >= 0, start &+ Int64(segment.length) <= half.offset else { return false }
    let bytes = packet.extracting(segment.range).dropping(segment.headerLength)
    let found = half.digests.compare(bytes, at: segment.first)
    return found.same > 0 && found.different == 0
  }

  /// Whether a segment between the same two ends in another network must belong to this connection:
  /// its sequence and acknowledgment numbers are both near what was seen.
  func fits(_ segment: Segment, fromLow: Bool) -> Bool {
    let (own, other) = fromLow ? (low, high) : (high, low)
    let hasAnswer = segment.flags.contains(.ack) && other.isKnown
    if segment.flags.contains(.syn) {
      if own.isKnown { return own.base == segment.first }
      return hasAnswer && (0...other.offset).contains(other.position(of: segment.acknowledgement))
    }
    guard own.isKnown || hasAnswer else { return false }
    let isOwn = !own.isKnown || own.isNear(segment.sequence)
    return isOwn && (!hasAnswer || other.isNear(segment.acknowledgement))
  }

  @inline(__always) var isWhole: Bool { low.isWhole && high.isWhole }

  /// Bytes are missing, so the layer above may have to be told of a gap.
  var hasHole: Bool { !isClosed && (low.hasHole || high.hasHole) }

  mutating func deadline(_ shared: borrowing Shared) -> Int64 {
    if isClosed { return .max }
    return min(low.deadline(shared), high.deadline(shared), suspicion?.deadline ?? .max)
  }

  /// Notes what a segment acknowledges.
  ///
  /// - Returns: whether something of the other end has to be given up (see `expire`) before the
  ///   segment is received.
  @inline(__always)
  mutating func acknowledge(
    _ segment: Segment, fromLow: Bool, _ stamp: PacketStamp, _ shared: Shared
  ) -> Bool {
    guard segment.flags.contains(.ack), !isClosed else { return false }
    let number = segment.acknowledgement
    return fromLow
      ? high.acknowledge(number, stamp, shared) : low.acknowledge(number, stamp, shared)
  }

  /// Receives the next segment of either end. Not for resets, and for a SYN only if it fits (see
  /// `isNew`).
  ///
  /// - Returns: true when nothing needs attention until the next segment.
  @inline(__always)
  mutating func receive(
    _ segment: Segment, _ packet: RawSpan, fromLow: Bool, _ stamp: PacketStamp,
    _ shared: inout Shared, _ listener: any Listener
  ) -> Bool {
    let context = context(fromLow: fromLow, stamp)
    if isClosed {
      let bytes = packet.extracting(segment.range).dropping(segment.headerLength)
      let mayContinue = wasReset && fromLow != resetFromLow && low.fin < 0 && high.fin < 0
      if fromLow {
        Self.receiveAfterClose(segment, bytes, &low, mayContinue, context, listener)
      } else {
        Self.receiveAfterClose(segment, bytes, &high, mayContinue, context, listener)
      }
      return isNotedClosed
    }
    // Cheap segments, such as those of the handshake, show early how checksums are.
    if segment.length == 0 {
      let header = packet.extracting(segment.range)
      if fromLow { low.checksums.learn(header) } else { high.checksums.learn(header) }
    }
    if fromLow {
      low.seeBarrier(segment, high)
      Reassembler.receive(segment, packet, &low, &above, context, &shared, listener)
      if low.disordered > 0 { shared.learn(from: &low, stamp) }
    } else {
      high.seeBarrier(segment, low)
      Reassembler.receive(segment, packet, &high, &above, context, &shared, listener)
      if high.disordered > 0 { shared.learn(from: &high, stamp) }
    }
    if low.isHeld || high.isHeld { release(&shared, listener, reached: stamp.time) }
    if !isSettled {
      settle()
      if suspicion != nil { reconsider(segment, fromLow: fromLow, &shared, listener) }
    }
    if low.isFinished && high.isFinished { close(context, listener) }
    return !isClosed && isWhole
  }

  /// The fast path for nearly every segment: the next one, complete, on a connection where nothing
  /// is missing or closed; or an acknowledgment of bytes that were seen.
  ///
  /// - Returns: false when it is anything else; nothing was done then.
  @inline(__always)
  mutating func receiveNext(
    _ segment: Segment, _ packet: RawSpan, fromLow: Bool, _ stamp: PacketStamp, _ turn: UInt64,
    _ listener: any Listener
  ) -> Bool {
    guard segment.flags.subtracting([.ack, .psh]).isEmpty, segment.flags.contains(.ack),
      segment.captured == segment.length, hasLayer, isSettled, !isClosed
    else { return false }
    let context = context(fromLow: fromLow, stamp)
    let isNext =
      fromLow
      ? Self.receiveNext(segment, packet, &low, &high, &above, context, listener)
      : Self.receiveNext(segment, packet, &high, &low, &above, context, listener)
    if isNext { (last, lastTurn) = (stamp, turn) }
    return isNext
  }

  @inline(__always)
  private static func receiveNext(
    _ segment: Segment, _ packet: RawSpan, _ own: inout Half, _ other: inout Half,
    _ above: inout any Layer, _ context: StreamContext, _ listener: any Listener
  ) -> Bool {
    guard own.hasSpoken, segment.sequence == own.next, own.isWhole, own.fin < 0, other.isKnown,
      other.isWhole, other.next.distance(to: segment.acknowledgement) <= 0
    else { return false }
    if segment.length == 0 {
      own.checksums.learn(packet.extracting(segment.range))
      return true
    }
    return Reassembler.receiveNext(segment, packet, &own, &above, context, listener)
  }

  /// Holds the innermost layer directly, once those before it only pass bytes on.
  @inline(never) private mutating func settle() {
    while true {
      switch above.settlement {
      case .notYet: return
      case .by(let next): above = next
      case .final:
        isSettled = true
        return
      }
    }
  }

  /// Replaces the layer above, if there is one that is still called.
  mutating func replaceLayer(_ layer: (any Layer) -> any Layer) {
    if !hasLayer || isClosed { return }
    above = layer(above)
    isSettled = false
    settle()
  }

  /// One end reset the connection (RFC 9293 §3.5.2).
  ///
  /// - Parameters:
  ///   - sequence: the sequence number of the reset, which shows how far the other end has
  ///     acknowledged the sender (RFC 9293 §3.10.7.1); nil where that is not known.
  ///   - number: what the reset acknowledges of the other end; nil where it does not.
  mutating func reset(
    fromLow: Bool, at sequence: SequenceNumber?, acknowledging number: SequenceNumber?,
    _ stamp: PacketStamp, _ shared: inout Shared, _ listener: any Listener
  ) {
    defer { endSuspicion(listener) }
    if let sequence {
      if fromLow { low.notice(reset: sequence) } else { high.notice(reset: sequence) }
    }
    if let number {
      if fromLow {
        high.notice(receivedUntil: number)
      } else {
        low.notice(receivedUntil: number)
      }
    }
    flush(.reset, &shared, listener)
    if isClosed { return }
    followEarly(listener)
    reportMissingSide(listener)
    let (own, other) = fromLow ? (low, high) : (high, low)
    // A side that has closed its socket resets what comes for it then (RFC 9293 §3.6.1): its FIN
    // was the end.
    let isLate = own.isFinished && other.acknowledged < other.offset
    let delivery = context(fromLow: fromLow, stamp).delivery(own.offset)
    above.finish(isLate ? .closed : .reset, delivery, listener)
    (wasReset, resetFromLow) = (true, fromLow)
    endWaits(listener)
    release()
  }

  /// No more will come: the evidence ends, or another connection uses the ports.
  mutating func end(
    _ ending: Ending, _ reason: Reassembler.Reason, _ shared: inout Shared,
    _ listener: any Listener
  ) {
    if isClosed { return }
    if suspicion != nil { return takeEffect(&shared, listener) }
    flush(reason, &shared, listener)
    if isClosed { return }
    reportMissingSide(listener)
    var delivery = context(fromLow: clientIsLow, last).delivery(0)
    delivery.origin.direction = .unknown
    above.finish(ending, delivery, listener)
    endWaits(listener)
    release()
  }

  mutating func close(_ context: StreamContext, _ listener: any Listener) {
    if isClosed { return }
    reportMissingSide(listener)
    var delivery = context.delivery(0)
    delivery.origin.direction = .unknown
    above.finish(.closed, delivery, listener)
    endWaits(listener)
    release()
  }

  /// Swaps the roles of the low and the high end.
  mutating func turnAround() {
    swap(&low, &high)
    clientIsLow.toggle()
    suspicion?.fromLow.toggle()
    proposal?.fromLow.toggle()
    resetFromLow.toggle()
  }

  private mutating func endWaits(_ listener: any Listener) {
    low.wait.end(listener)
    high.wait.end(listener)
    endSuspicion(listener)
  }

  /// A closed connection is kept only to recognise late packets.
  private mutating func release() {
    isClosed = true
    above = NullLayer()
  }
}
