// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// How a connection begins, and how it is told from a later one with the same ports.
extension Connection {
  /// How far below the bytes seen a bare SYN may lie to count as an old one, captured out of order.
  private static let lateReach: Int64 = 1 << 16

  /// A jump of the sequence number inside an open connection counts as another connection only
  /// after at least this long. Then its ends, or the capture, were elsewhere in between.
  private static let patienceBetweenConnections: Int64 = 1_000_000_000

  /// For so long after the end of a connection, its segments may come late: what systems take for
  /// twice the maximum lifetime of a segment (RFC 9293 §3.6.1).
  private static let quietTime: Int64 = 60_000_000_000

  /// A SYN that repeats the one before sooner than this is a copy of the packet.
  private static let leastWait: Int64 = 500_000_000

  /// Whether this SYN opens another connection with the same addresses and ports.
  mutating func isNew(_ segment: Segment, fromLow: Bool) -> Bool {
    // Some systems repeat a refused SYN unchanged; taking a copy for another attempt does no harm.
    if wasReset && !hasLayer { return true }
    return fromLow
      ? Self.isNew(segment, low, isClosed: isClosed, hasLayer: hasLayer)
      : Self.isNew(segment, high, isClosed: isClosed, hasLayer: hasLayer)
  }

  private static func isNew(
    _ segment: Segment, _ half: borrowing Half, isClosed: Bool, hasLayer: Bool
  ) -> Bool {
    if half.sawSYN { return half.base != segment.first }
    if isClosed { return true }
    guard half.isKnown else { return !segment.flags.contains(.ack) && hasLayer }
    let distance = segment.first.distance(to: half.base)
    return distance < 0 || distance >= lateReach
  }

  /// Whether an end repeats its SYN because nobody answers (RFC 9293 §3.8.1).
  mutating func isInVain(_ segment: Segment, fromLow: Bool, _ clock: Int64) -> Bool {
    let wasAsked = fromLow ? low.sawSYN : high.sawSYN
    let isAnswered = fromLow ? high.hasSpoken : low.hasSpoken
    return wasAsked && !isAnswered && !hasLayer && !isClosed
      && !segment.flags.contains(.ack) && clock &- last.clock >= Self.leastWait
  }

  /// Whether this connection cannot have reached a segment's sequence number: it may belong to
  /// another connection with the same ends, whose SYN was not captured.
  mutating func isElsewhere(_ segment: Segment, fromLow: Bool, _ stamp: PacketStamp) -> Bool {
    if segment.flags.contains(.syn) { return false }
    let isFar =
      fromLow
      ? Self.isFar(segment, low, isClosed: isClosed)
      : Self.isFar(segment, high, isClosed: isClosed)
    return isFar
      && (isClosed || stamp.clock >= last.clock.raised(by: Self.patienceBetweenConnections))
  }

  /// Whether the numbers of a segment are outside of what was seen of both ends of an open
  /// connection: much is missing, or it belongs to another one.
  mutating func isApart(_ segment: Segment, fromLow: Bool) -> Bool {
    guard !isClosed, segment.flags.intersection([.syn, .ack]) == .ack else { return false }
    let (number, answer) = (segment.sequence, segment.acknowledgement)
    return fromLow
      ? Self.isApart(number, low) && Self.isApart(answer, high)
      : Self.isApart(number, high) && Self.isApart(answer, low)
  }

  private static func isApart(_ number: SequenceNumber, _ half: borrowing Half) -> Bool {
    guard half.isKnown else { return false }
    let position = half.position(of: number)
    return position < -lateReach || position > half.offset &+ lateReach
  }

  /// A segment turns out to belong to another connection: so does what its sender acknowledged just
  /// before it.
  mutating func disown(_ segment: Segment, fromLow: Bool) {
    guard segment.flags.contains(.ack) else { return }
    let number = segment.acknowledgement
    if fromLow { high.disown(number, Self.lateReach) } else { low.disown(number, Self.lateReach) }
  }

  /// Whether a segment that this connection cannot have reached comes so long after its end that it
  /// belongs to another one, whose beginning was not captured.
  mutating func isLongOver(_ segment: Segment, fromLow: Bool, _ stamp: PacketStamp) -> Bool {
    isClosed && stamp.clock >= last.clock.raised(by: Self.quietTime)
      && isElsewhere(segment, fromLow: fromLow, stamp)
  }

  private static func isFar(
    _ segment: Segment, _ half: borrowing Half, isClosed: Bool
  ) -> Bool {
    guard half.isKnown else { return false }
    if !isClosed { return !half.isNear(segment.sequence) }
    let position = half.position(of: segment.sequence)
    // FIN takes a sequence number, too.
    return position < 0 || position > half.offset &+ 1
  }

  /// Learns what a segment shows about the two ends, before anything of it is delivered.
  ///
  /// - Returns: whether a layer is needed that has not been chosen yet.
  @inline(__always)
  mutating func prepare(
    _ segment: Segment, fromLow: Bool, _ stamp: PacketStamp, _ turn: UInt64
  ) -> Bool {
    (last, lastTurn) = (stamp, turn)
    let isBeginning =
      fromLow ? !low.hasSpoken || low.offset == 0 : !high.hasSpoken || high.offset == 0
    if isBeginning || segment.flags.contains(.syn) { prepareSlowly(segment, fromLow: fromLow) }
    return segment.length > 0 && !hasLayer
  }

  @inline(never)
  private mutating func prepareSlowly(_ segment: Segment, fromLow: Bool) {
    let isSYN = segment.flags.contains(.syn)
    if isSYN && !hasLayer && !isFromStart {
      // A SYN comes from the client, a SYN with ACK goes to it.
      clientIsLow = segment.flags.contains(.ack) ? !fromLow : fromLow
    }
    isFromStart = isFromStart || isSYN
    let isGuess = !isSYN && segment.length == 0 && !segment.flags.contains(.fin)
    if fromLow {
      if isSYN && low.isKnown && !low.hasSpoken { low.measureLateness(last.clock) }
      let shift = Self.begin(&low, segment, isSYN: isSYN, isGuess: isGuess)
      if shift > 0 { high.waiting.shiftBarriers(by: shift) }
    } else {
      if isSYN && high.isKnown && !high.hasSpoken { high.measureLateness(last.clock) }
      let shift = Self.begin(&high, segment, isSYN: isSYN, isGuess: isGuess)
      if shift > 0 { low.waiting.shiftBarriers(by: shift) }
    }
  }

  /// Returns by how many bytes the beginning moved back.
  private static func begin(
    _ half: inout Half, _ segment: Segment, isSYN: Bool, isGuess: Bool
  ) -> Int64 {
    var shift: Int64 = 0
    if !half.isKnown {
      half.begin(at: segment.first, isGuess: isGuess)
      half.isBeginningGuessed = !isSYN
    } else if segment.length > 1 || isSYN {
      // Once the sender's bytes were seen, a far-off number does not belong to this stream.
      let isNear = half.base.distance(to: segment.first) > -lateReach
      if !half.hasSpoken || isNear { shift = half.rebase(to: segment.first) }
    }
    half.hasSpoken = true
    if isSYN {
      half.isBeginningUnsure = false
      half.sawSYN = half.sawSYN || half.base == segment.first
      half.hasMissedBeginning = !half.sawSYN
    }
    return shift
  }

  /// Reports what is unusual about the beginning, now that the connection has a layer.
  mutating func reportOpening(_ listener: any Listener) {
    if !isFromStart && !isRevival {
      listener.finding(
        .midstream, .note, context(fromLow: clientIsLow, last).delivery(0).origin,
        "the connection was open already when the capture began")
    }
    // A FIN that came before any payload.
    if low.isFinished {
      above.finish(.half, context(fromLow: true, last).delivery(low.offset), listener)
    }
    if high.isFinished {
      above.finish(.half, context(fromLow: false, last).delivery(high.offset), listener)
    }
  }

  /// Reports that only one side was captured, although acknowledgments show that the other has sent
  /// something.
  func reportMissingSide(_ listener: any Listener) {
    guard hasLayer, low.hasSpoken != high.hasSpoken else { return }
    let silent = low.hasSpoken ? high : low
    guard silent.isKnown, silent.offset > 0 else { return }
    let who = low.hasSpoken == clientIsLow ? "server" : "client"
    listener.finding(
      .oneDirection, .warning, context(fromLow: low.hasSpoken, last).delivery(0).origin,
      "no packet of the \(who) is in the capture, and it sent \(silent.offset) bytes, as with a"
        + " filter or a mirror port of one direction, or asymmetric routes; the requests or the"
        + " answers of this connection cannot be shown")
  }
}
