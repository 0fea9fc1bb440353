// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One direction of a connection: what its sender has sent, as far as it was seen. Positions are
/// 64-bit stream offsets; unlike sequence numbers, they do not wrap around.
struct Half: Sendable {
  /// A hole that was given up: bytes that arrive for it now are too late.
  struct Hole: Sendable, BitwiseCopyable {
    var start: Int64
    var end: Int64
    var wasReported = false
    /// Only an acknowledgment showed it.
    var isOnlyAcknowledged = false
    /// When the receiver acknowledged it; `.max` where it did not.
    var acknowledgedAt = Int64.max
  }

  /// RFC 7323 §2.3: no window is larger than 1 GiB, so no genuine byte is further ahead.
  static let reach: Int64 = 1 << 30

  // What each segment needs comes first, so that it fits in few cache lines.

  /// The sequence number of the next expected byte.
  var next = SequenceNumber(0)
  var isKnown = false
  var sawSYN = false
  /// Segments of its sender were captured, not just acknowledgments of them.
  var hasSpoken = false
  /// `next` comes from a segment without payload, which may have been a keep-alive.
  var isGuess = false
  /// The stream offset of the next expected byte.
  var offset: Int64 = 0
  /// Offset of the FIN; negative while none was seen.
  var fin: Int64 = -1
  /// The highest offset that the receiver has acknowledged.
  var acknowledged: Int64 = 0
  /// Bytes up to here were on the wire, in packets that the snap length cut.
  var cutUntil: Int64 = 0
  var checksums = Checksums()
  /// Digests of the segments that were delivered.
  var digests = Digests()
  var waiting = Waiting()
  /// The sequence number of stream offset 0.
  var base = SequenceNumber(0)
  /// The packet with the FIN, if that could not be reported at once.
  @Apart var finSeen: PacketStamp?
  /// FIN was reached, and reported to the layer above.
  var isFinished = false
  var reportedTooEarly = false
  var reportedTooFar = false
  /// The receiver has acknowledged less once afterwards.
  var isContradicted = false
  /// Bytes came after their acknowledgment: acknowledgments are not taken as proof of a hole that
  /// soon.
  var isRefuted = false
  /// When a hole was noticed after which no bytes wait.
  var noticed: Int64 = 0
  /// The hole up to here is given up at `markDeadline`, as the receiver has acknowledged it.
  var mark: Int64 = 0
  var markDeadline: Int64 = .max
  /// After `markDeadline`, the receiver has acknowledged as much once more.
  var isConfirmed = false
  /// The packet with the acknowledgment.
  @Apart var witness: PacketStamp?
  /// Bytes or a FIN came from ahead of the stream, and the receiver then acknowledged no more than
  /// was captured.
  var wasUnacknowledged = false
  /// Since then, the stream has gone on below them.
  var hasPassedBy = false
  /// Tells the listener that bytes or a FIN wait.
  var wait = WaitNotice()
  /// The barrier of the segment that is being received; see `Half+Order`.
  var barrier = Int64.min
  /// How far the other end was captured; and `ignored`: up to which offset it is not waited for any
  /// more.
  var reached: Int64 = 0
  var ignored = Int64.min
  var otherHasSpoken = false
  /// There is no proof that the first bytes that were captured are the first that were sent.
  var isBeginningGuessed = false
  /// The first bytes therefore wait for a moment, as the other end's SYN was captured.
  var isBeginningUnsure = false
  /// A SYN came later, and showed that the first bytes captured were not the first sent.
  var hasMissedBeginning = false
  /// How often in a row the other end was waited for in vain; 3 stands for 3 or more.
  var holdsInVain: UInt8 = 0
  /// When the receiver acknowledged bytes that were not captured yet; how often such bytes came
  /// after all, since that was counted; and how late they were at most, in nanoseconds.
  var acknowledgedAt = Int64.max
  var disordered = 0
  var lateness: Int64 = 0
  /// How many of the `disordered` came after their bytes were given up.
  var tooLate = 0
  /// The expected segment, if it came with a wrong checksum and another copy is waited for. One at
  /// most.
  var damaged: ContiguousArray<Waiting.Piece> = []
  /// The last few holes that were given up, by offset.
  var holes: ContiguousArray<Hole> = []

  mutating func begin(at number: SequenceNumber, isGuess: Bool = false) {
    (next, base, offset, isKnown) = (number, number, 0, true)
    self.isGuess = isGuess
  }

  /// Whether a number lies within a usual window around the expected one.
  func isNear(_ number: SequenceNumber) -> Bool {
    (-1 << 22...1 << 22).contains(next.distance(to: number))
  }

  @inline(__always) func position(of number: SequenceNumber) -> Int64 {
    offset &+ next.distance(to: number)
  }

  @inline(__always) mutating func advance(_ octets: Int64) {
    next = SequenceNumber(next.value &+ UInt32(truncatingIfNeeded: octets))
    offset &+= octets
  }

  /// Nothing is known to be missing.
  @inline(__always) var isWhole: Bool {
    waiting.isEmpty && cutUntil <= offset && acknowledged <= offset && fin <= offset
  }

  /// Bytes are missing for which a gap may have to be reported.
  var hasHole: Bool { !isWhole && holeEnd > offset }

  /// The end of the hole that begins at `offset`, as far as there is evidence of it; `offset` when
  /// there is no hole.
  var holeEnd: Int64 {
    if let first = waiting.first { return first.start }
    let end = max(offset, cutUntil, fin)
    // One byte more may be a FIN that was not captured: it takes a sequence number, too.
    return fin < 0 && acknowledged > end &+ 1 ? acknowledged : end
  }

  /// Whether there is evidence that the sender has come exactly this far; a FIN takes a number.
  func isEvident(_ position: Int64) -> Bool {
    if isFinished && position == offset &+ 1 { return true }
    if isGuess && offset == 0 && position == 1 { return true }
    if let last = waiting.last, position == last.end &+ Int64(last.cut) { return true }
    return position == acknowledged || position == cutUntil || fin >= 0 && position == fin &+ 1
  }

  /// The receiver has acknowledged the whole hole.
  var isMarked: Bool { mark > offset && (waiting.first.map { mark >= $0.start } ?? true) }

  /// When the hole has to be given up; `.max` when there is none.
  func deadline(_ shared: borrowing Shared) -> Int64 {
    if isHeld { return holdDeadline(shared) }
    guard hasHole else { return .max }
    if isDamageAcknowledged { return .min }
    // The receiver lacks the missing bytes, too, so a retransmission may still come.
    if isUnacknowledged && !isMarked && !hasPassedBy { return .max }
    if isOnlyAcknowledged { return isConfirmed && isMarked ? markDeadline : .max }
    var deadline = Int64.max
    if let first = waiting.first {
      deadline = first.stamp.clock.raised(by: shared.limits.gapTimeout)
    } else if max(cutUntil, fin) > offset {
      deadline = noticed.raised(by: shared.limits.gapTimeout)
    }
    return isMarked ? min(deadline, markDeadline) : deadline
  }

  /// How far to give up once the deadline has passed, and whether because of an acknowledgment.
  func due(_ clock: Int64) -> (end: Int64, isAcknowledged: Bool) {
    guard isMarked, markDeadline <= clock else { return (holeEnd, false) }
    return (waiting.first?.start ?? min(holeEnd, mark), true)
  }

  /// A packet was cut: bytes up to `position` were sent.
  mutating func notice(cutUntil position: Int64, _ clock: Int64) {
    if max(cutUntil, fin) <= offset { noticed = clock }
    cutUntil = max(cutUntil, fin < 0 ? position : min(position, fin))
  }

  mutating func notice(fin position: Int64, _ stamp: PacketStamp) {
    guard fin < 0, position >= offset, position >= cutUntil, position &- offset <= Self.reach,
      waiting.last.map({ $0.end <= position }) ?? true
    else { return }
    if cutUntil <= offset { noticed = stamp.clock }
    if position > offset && waiting.isEmpty { forgetUnacknowledged() }
    if position > offset || !waiting.isEmpty { finSeen = stamp }
    fin = position
  }

  /// If bytes arrive for the hole that was given up last, goes back there, provided that only an
  /// acknowledgment showed the hole and nothing was delivered after it. Returns how many of its
  /// bytes are not missing then.
  mutating func takeBack(from position: Int64, to end: Int64) -> Int64 {
    guard let hole = holes.last, hole.isOnlyAcknowledged, hole.end == offset, !isFinished,
      position < hole.end, end > hole.start
    else { return 0 }
    let start = max(position, hole.start)
    let count = offset &- start
    holes[holes.count &- 1].end = start
    if start == hole.start { holes.removeLast() }
    advance(-count)
    // If bytes are really missing, the receiver will acknowledge them again.
    (acknowledged, mark, isRefuted) = (offset, 0, true)
    return count
  }

  /// Remembers a hole that was given up; only the last few are kept.
  mutating func remember(_ hole: Hole) {
    if holes.count == 64 { holes.removeFirst(16) }
    holes.append(hole)
  }
}
