// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One direction of a connection: what its sender sent, as far as it was seen. Positions are 64-bit
/// stream offsets; sequence numbers wrap around, they do not.
struct Half: Sendable {
  /// A hole that was given up: bytes that come for it now are too late.
  struct Hole: Sendable, BitwiseCopyable {
    var start: Int64
    var end: Int64
    var wasTold = false
    /// Nothing but an acknowledgement spoke of it.
    var isOnlyAcknowledged = false
  }

  /// RFC 7323 §2.3: no window is larger than 1 GiB, so nothing in flight is further ahead.
  static let reach: Int64 = 1 << 30

  // What each segment asks for stands together, first: it is in few lines of the cache.

  /// The sequence number of the byte that is awaited, and its stream offset.
  var next = SequenceNumber(0)
  var offset: Int64 = 0
  /// Offset of the FIN; negative while none was seen.
  var fin: Int64 = -1
  /// How far the receiver acknowledged.
  var acknowledged: Int64 = 0
  /// Bytes up to here were on the wire, in packets that were cut.
  var cutUntil: Int64 = 0
  var checksums = Checksums()
  /// What was delivered.
  var digests = Digests()
  var waiting = Waiting()
  /// The sequence number of stream offset 0.
  var base = SequenceNumber(0)
  var isKnown = false
  var sawSYN = false
  /// Segments of its sender were captured, not only those that acknowledge them.
  var hasSpoken = false
  /// `next` was taken from a segment without payload, which may have been a keep-alive.
  var isGuess = false
  /// FIN was reached, and told to the layer above.
  var isFinished = false
  var toldTooEarly = false
  var toldTooFar = false
  /// The receiver acknowledged less afterwards, once so far.
  var isContradicted = false
  /// Bytes came that the receiver had acknowledged before: it is not believed soon any more.
  var isRefuted = false
  /// When a hole with nothing behind it was noticed.
  var noticed: Int64 = 0
  /// Up to here the hole is given up at `markDeadline`, for the receiver has acknowledged it.
  var mark: Int64 = 0
  var markDeadline: Int64 = .max
  /// The receiver has acknowledged as much again when `markDeadline` had passed.
  var isConfirmed = false
  /// The packet that acknowledged.
  @Apart var witness: PacketStamp?
  /// Bytes, or a FIN, came ahead of the stream, and then the receiver acknowledged no more than
  /// was seen.
  var wasDenied = false
  /// Since they came, the stream went on below them.
  var hasPassedBy = false
  /// Bytes, or a FIN, wait.
  var wait = WaitNotice()
  /// Of the segment that is received now.
  var barrier = Int64.min
  /// How far the other end has come, and how far it seems to have come though it was not seen.
  var reached: Int64 = 0
  var ignored = Int64.min
  var otherHasSpoken = false
  /// Nothing says that the first bytes that were captured are the first that were sent.
  var isBeginningGuessed = false
  /// So they wait for a moment, as the other end's SYN was captured.
  var isBeginningUnsure = false
  /// A SYN came behind them, and said that they were not.
  var hasMissedBeginning = false
  /// How often the other end was waited for in vain, since it was not; three means more.
  var holdsInVain: UInt8 = 0
  /// When the receiver acknowledged what was not captured yet; how often it was afterwards, since
  /// this was counted, and how long.
  var acknowledgedAt = Int64.max
  var disordered = 0
  var lateness: Int64 = 0
  /// The segment that is awaited, as it came: with a wrong checksum, so that another copy is waited
  /// for. One at most.
  var damaged: ContiguousArray<Waiting.Piece> = []
  /// The last few, by offset.
  var holes: ContiguousArray<Hole> = []

  mutating func begin(at number: SequenceNumber, isGuess: Bool = false) {
    (next, base, offset, isKnown) = (number, number, 0, true)
    self.isGuess = isGuess
  }

  /// Whether a number lies within a usual window of what is awaited.
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

  /// Something is missing that may still be told.
  var hasHole: Bool { !isWhole && holeEnd > offset }

  /// The end of the hole at `offset`, as far as there is evidence of it; `offset` when there is no
  /// hole.
  var holeEnd: Int64 {
    if let first = waiting.first { return first.start }
    let end = max(offset, cutUntil, fin)
    // One byte more may be a FIN that was not captured: it takes a sequence number, too.
    return fin < 0 && acknowledged > end &+ 1 ? acknowledged : end
  }

  /// Whether something that was seen says that the sender has come so far; a FIN takes a number.
  func isEvident(_ position: Int64) -> Bool {
    if isFinished && position == offset &+ 1 { return true }
    if isGuess && offset == 0 && position == 1 { return true }
    if let last = waiting.last, position == last.end &+ Int64(last.cut) { return true }
    return position == acknowledged || position == cutUntil || fin >= 0 && position == fin &+ 1
  }

  /// The acknowledgement proves that the whole hole was sent and received.
  var isMarked: Bool { mark > offset && (waiting.first.map { mark >= $0.start } ?? true) }

  /// When the hole is to be given up, `.max` when there is none.
  func deadline(_ shared: borrowing Shared) -> Int64 {
    if isHeld { return holdDeadline(shared) }
    guard hasHole else { return .max }
    if isDamageAcknowledged { return .min }
    // The receiver has not got what is missing either: it may still come.
    if isDenied && !isMarked && !hasPassedBy { return .max }
    if isOnlyAcknowledged { return isConfirmed && isMarked ? markDeadline : .max }
    var deadline = Int64.max
    if let first = waiting.first {
      deadline = first.stamp.clock.raised(by: shared.limits.patience)
    } else if max(cutUntil, fin) > offset {
      deadline = noticed.raised(by: shared.limits.patience)
    }
    return isMarked ? min(deadline, markDeadline) : deadline
  }

  /// How far to give up when the deadline has passed, and whether because of an acknowledgement.
  func due(_ clock: Int64) -> (end: Int64, isAcknowledged: Bool) {
    guard isMarked, markDeadline <= clock else { return (holeEnd, false) }
    return (waiting.first?.start ?? min(holeEnd, mark), true)
  }

  /// A packet was cut, or a FIN came: there was something up to `position`.
  mutating func notice(cutUntil position: Int64, _ clock: Int64) {
    if max(cutUntil, fin) <= offset { noticed = clock }
    cutUntil = max(cutUntil, fin < 0 ? position : min(position, fin))
  }

  mutating func notice(fin position: Int64, _ clock: Int64) {
    guard fin < 0, position >= offset, position >= cutUntil, position &- offset <= Self.reach,
      waiting.last.map({ $0.end <= position }) ?? true
    else { return }
    if cutUntil <= offset { noticed = clock }
    if position > offset && waiting.isEmpty { forgetDenial() }
    fin = position
  }

  /// Goes back to the place in the hole that was given up last where bytes come after all, if only
  /// an acknowledgement spoke of it and nothing was delivered behind it; answers how many bytes of
  /// it are not missing, then.
  mutating func takeBack(from position: Int64, to end: Int64) -> Int64 {
    guard let hole = holes.last, hole.isOnlyAcknowledged, hole.end == offset, !isFinished,
      position < hole.end, end > hole.start
    else { return 0 }
    let start = max(position, hole.start)
    let count = offset &- start
    holes[holes.count &- 1].end = start
    if start == hole.start { holes.removeLast() }
    advance(-count)
    // What was acknowledged shows when the receiver acknowledges it again.
    (acknowledged, mark, isRefuted) = (offset, 0, true)
    return count
  }

  /// Remembers a hole that was given up, of the last few.
  mutating func remember(_ hole: Hole) {
    if holes.count == 64 { holes.removeFirst(16) }
    holes.append(hole)
  }
}
