// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What acknowledgements say of bytes that were not captured. They may be captured ahead of what
/// they acknowledge, and may be false: where nothing else speaks of a hole, one is not enough.
extension Half {
  /// An acknowledgement is all the evidence that there is of a hole.
  var isOnlyAcknowledged: Bool {
    acknowledged > offset && waiting.isEmpty && max(cutUntil, fin) <= offset
  }

  /// The receiver took what came with a wrong checksum, or a copy that was not captured.
  var isDamageAcknowledged: Bool { damaged.first.map { acknowledged >= $0.end } ?? false }

  /// The receiver has seen no more than we have, though more was sent, or so it seems.
  var isDenied: Bool { wasDenied && (!waiting.isEmpty || fin > offset) }

  /// Something comes ahead of the stream: the receiver has said nothing of it yet.
  mutating func forgetDenial() { (wasDenied, hasPassedBy) = (false, false) }

  /// No sender leaves a hole that its receiver reports alone for so long (RFC 6298).
  private static let retransmissionTime: Int64 = 5_000_000_000

  /// What waits was never sent by who sends the rest: that goes on below, where the receiver is,
  /// too, and has done so for long.
  func isStray(_ clock: Int64) -> Bool {
    guard isDenied, hasPassedBy, !isMarked else { return false }
    let seen = waiting.first?.stamp.clock ?? noticed
    return clock >= seen.raised(by: Self.retransmissionTime)
  }

  /// Takes note of an acknowledgement by the receiver.
  ///
  /// - Returns: whether a hole is to be given up now, ahead of what comes along with it.
  @inline(__always)
  mutating func acknowledge(
    _ number: SequenceNumber, _ stamp: PacketStamp, _ shared: Shared
  ) -> Bool {
    // Nearly always it acknowledges what was seen last, or something before it.
    if isKnown && next.distance(to: number) <= 0 && acknowledged <= offset {
      if number == next && !isWhole && !isHeld { wasDenied = true }
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
      // A keep-alive repeats the byte before (RFC 9293 §3.8.4); its answer says where we are.
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

  /// An empty segment of the sender says that it has sent what the receiver acknowledged.
  mutating func confirm(_ number: SequenceNumber) {
    if !isRefuted && isMarked && position(of: number) == acknowledged { isConfirmed = true }
  }

  /// A reset has the number that its receiver awaits (RFC 9293 §3.10.7.1): what lies before it was
  /// sent and taken. One byte may be a FIN.
  mutating func notice(reset number: SequenceNumber) {
    guard isKnown, fin < 0 else { return }
    let position = position(of: number)
    let end = max(offset, waiting.last?.end ?? 0, cutUntil)
    if position > end &+ 1 && position &- offset <= Self.reach {
      acknowledged = max(acknowledged, position)
    }
  }

  /// RFC 9293 §3.4: acknowledgements are cumulative and never go back. Once may be the order of the
  /// capture; who says it twice has never received more.
  private mutating func contradict(_ position: Int64) {
    if isContradicted && isOnlyAcknowledged { (acknowledged, mark) = (max(position, offset), 0) }
    isContradicted.toggle()
    acknowledgedAt = .max
  }

  /// The sender says where its stream begins for us, before anything of it was delivered: bytes
  /// before what was taken for the beginning, by an acknowledgement or a segment that waits, are
  /// none that came too late. Answers by how much all that is known moves.
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

  /// Bytes come that were acknowledged before: says by how much they are late.
  mutating func measureLateness(_ clock: Int64) {
    // Where it said what was wrong, nothing follows from when it said so.
    if isRefuted || isContradicted { return }
    disordered &+= 1
    if acknowledgedAt <= clock { lateness = max(lateness, clock &- acknowledgedAt) }
    acknowledgedAt = .max
  }

  /// Starts the clock for a hole that the receiver has acknowledged.
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
