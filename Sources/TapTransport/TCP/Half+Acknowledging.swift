// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What acknowledgments show about bytes that were not captured. An acknowledgment may be captured
/// before the bytes it acknowledges, or be forged, so one alone does not prove a hole.
extension Half {
  /// Only an acknowledgment shows that there is a hole.
  var isOnlyAcknowledged: Bool {
    acknowledged > offset && waiting.isEmpty && max(cutUntil, fin) <= offset
  }

  /// The receiver accepted a segment with a wrong checksum, or a copy of it that was not captured.
  var isDamageAcknowledged: Bool { damaged.first.map { acknowledged >= $0.end } ?? false }

  /// The receiver has acknowledged no more than was captured, although bytes or a FIN came from
  /// further ahead, which may be forged.
  var isUnacknowledged: Bool { wasUnacknowledged && (!waiting.isEmpty || fin > offset) }

  /// Bytes come from ahead of the stream: acknowledgments before them do not count as a denial.
  mutating func forgetUnacknowledged() { (wasUnacknowledged, hasPassedBy) = (false, false) }

  /// Longer than a sender takes to retransmit what its receiver reports as missing (RFC 6298), in
  /// nanoseconds.
  private static let retransmissionTime: Int64 = 5_000_000_000

  /// Whether the waiting bytes are not part of the stream: for longer than a retransmission takes,
  /// the stream has gone on below them, and the receiver has not acknowledged them.
  func isStray(_ clock: Int64) -> Bool {
    guard isUnacknowledged, hasPassedBy, !isMarked else { return false }
    let seen = waiting.first?.stamp.clock ?? noticed
    return clock >= seen.raised(by: Self.retransmissionTime)
  }

  /// Notes an acknowledgment by the receiver.
  ///
  /// - Returns: whether a hole has to be given up now, before the segment that carries it is
  ///   received.
  @inline(__always)
  mutating func acknowledge(
    _ number: SequenceNumber, _ stamp: PacketStamp, _ shared: Shared
  ) -> Bool {
    // Nearly always it acknowledges the last byte seen, or an earlier one.
    if isKnown && next.distance(to: number) <= 0 && acknowledged <= offset {
      if number == next && !isWhole && !isHeld { wasUnacknowledged = true }
      return false
    }
    return acknowledgeMore(number, stamp, shared)
  }

  @inline(never)
  private mutating func acknowledgeMore(
    _ number: SequenceNumber, _ stamp: PacketStamp, _ shared: Shared
  ) -> Bool {
    if !isKnown {
      begin(at: number)
      acknowledgedAt = stamp.clock
      return false
    }
    let position = position(of: number)
    if isGuess && offset == 0 && position == 1 && waiting.isEmpty {
      // A keep-alive repeats the byte before (RFC 9293 §3.8.4); its answer shows the real position.
      begin(at: number)
      return false
    }
    if position < acknowledged && acknowledged > offset {
      contradict(position)
      return false
    }
    guard position > offset, position &- offset <= Self.reach else { return false }
    isContradicted = false
    if acknowledged <= offset { acknowledgedAt = stamp.clock }
    acknowledged = position
    watch(stamp, shared)
    if isOnlyAcknowledged && !isRefuted && stamp.clock >= markDeadline { isConfirmed = true }
    return isConfirmed && isMarked || isDamageAcknowledged
  }

  /// An empty segment of the sender confirms that it has sent what the receiver acknowledged.
  mutating func confirm(_ number: SequenceNumber) {
    if !isRefuted && isMarked && position(of: number) == acknowledged { isConfirmed = true }
  }

  /// A reset has the number that its receiver expects (RFC 9293 §3.10.7.1): everything before it
  /// was sent and received. One byte more may be a FIN.
  mutating func notice(reset number: SequenceNumber) {
    guard isKnown, fin < 0 else { return }
    let position = position(of: number)
    let end = max(offset, waiting.last?.end ?? 0, cutUntil)
    if position > end &+ 1 && position &- offset <= Self.reach {
      acknowledged = max(acknowledged, position)
    }
  }

  /// The receiver resets the connection, and acknowledges what it has received by then.
  mutating func notice(receivedUntil number: SequenceNumber) {
    guard isKnown, fin < 0, isNear(number) else { return }
    acknowledged = max(acknowledged, position(of: number))
  }

  /// Whether bytes or a FIN were received that were not captured by now.
  ///
  /// - Parameter number: what the receiver acknowledges, if it does.
  func isBehind(_ number: SequenceNumber?) -> Bool {
    // A guessed position may be wrong by one.
    guard isKnown, hasSpoken, !isGuess || offset > 0 else { return false }
    var received = acknowledged
    if let number, isNear(number) { received = max(received, position(of: number)) }
    return received > frontier
  }

  /// RFC 9293 §3.4: acknowledgments are cumulative and never go back. A single lower one may be the
  /// order of the capture; two mean that the receiver never got more.
  private mutating func contradict(_ position: Int64) {
    if isContradicted && isOnlyAcknowledged { (acknowledged, mark) = (max(position, offset), 0) }
    isContradicted.toggle()
    acknowledgedAt = .max
  }

  /// Acknowledgments near a number are not of this stream.
  mutating func disown(_ number: SequenceNumber, _ reach: Int64) {
    guard isOnlyAcknowledged, abs(position(of: number) &- acknowledged) <= reach else { return }
    (acknowledged, mark) = (offset, 0)
  }

  /// The sender shows where its stream begins, before any of it was delivered. Bytes before what
  /// was taken for the beginning, because of an acknowledgment or a waiting segment, do not come
  /// too late then. Returns by how much all known positions move.
  mutating func rebase(to first: SequenceNumber) -> Int64 {
    let position = position(of: first)
    guard offset == 0, position < 0, position >= -Self.reach, !sawSYN, holes.isEmpty else {
      return 0
    }
    begin(at: first)
    let shift = -position
    waiting.shift(by: shift)
    if fin >= 0 { fin &+= shift }
    if cutUntil > 0 { cutUntil &+= shift }
    for index in damaged.indices { damaged[index].start &+= shift }
    acknowledged = max(acknowledged, 0) &+ shift
    mark = 0
    return shift
  }

  /// Bytes come that were acknowledged before: measures how late they are.
  mutating func measureLateness(_ clock: Int64) {
    // If the acknowledgments were wrong, their time shows nothing.
    if isRefuted || isContradicted { return }
    disordered &+= 1
    if acknowledgedAt <= clock { lateness = max(lateness, clock &- acknowledgedAt) }
    acknowledgedAt = .max
  }

  /// Bytes of a hole come after all that was given up because its receiver had acknowledged it.
  mutating func measureLateness(in hole: Hole, from position: Int64, _ clock: Int64) {
    // Of the first bytes of a hole, the acknowledgment's time is known. Others alone may have been
    // sent again, and show nothing.
    guard hole.acknowledgedAt <= clock, position <= hole.start || lateness > 0 else { return }
    (disordered, tooLate) = (disordered &+ 1, tooLate &+ 1)
    if position <= hole.start { lateness = max(lateness, clock &- hole.acknowledgedAt) }
  }

  /// Starts the deadline of a hole that the receiver has acknowledged.
  mutating func watch(_ stamp: PacketStamp, _ shared: Shared) {
    let end = holeEnd
    guard acknowledged > offset, end > offset else { return }
    let wanted = waiting.first?.start ?? offset &+ 1
    guard acknowledged >= wanted, mark < wanted else { return }
    mark = acknowledged
    markDeadline = stamp.clock.raised(by: shared.patience(hasSpoken: hasSpoken))
    isConfirmed = false
    witness = stamp
  }
}
