// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Orders segments across the two directions. A segment that acknowledges bytes that were not
/// captured yet was sent after them: if two cards or two machines captured, one of them is late. It
/// waits for that offset of the other end's stream, its *barrier*, but not for long, as the bytes
/// may be missing for good.
extension Half {
  /// How far this end has come, in terms of acknowledgments: FIN takes a number.
  var frontier: Int64 { isFinished ? offset &+ 1 : offset }

  /// The next bytes are here, and only wait for the other end.
  var isHeld: Bool { waiting.first.map { $0.start <= offset } ?? false }

  func isPassable(_ barrier: Int64) -> Bool {
    barrier <= max(reached, ignored) && !isBeginningUnsure
  }

  /// When to stop waiting for the other end.
  func holdDeadline(_ shared: Shared) -> Int64 {
    let seen = waiting.first?.stamp.clock ?? shared.clock
    let hasSpoken = otherHasSpoken || isBeginningUnsure
    return seen.raised(by: shared.patience(hasSpoken: hasSpoken))
  }

  /// Notes what a segment of this end acknowledges of the other end.
  mutating func seeBarrier(_ segment: Segment, _ other: Half) {
    (reached, otherHasSpoken) = (other.frontier, other.hasSpoken)
    barrier = .min
    if isBeginningGuessed && offset == 0 && other.sawSYN {
      (isBeginningUnsure, isBeginningGuessed) = (true, false)
    }
    guard segment.flags.contains(.ack), other.isKnown,
      segment.length > 0 || segment.flags.contains(.fin)
    else { return }
    let offset = other.position(of: segment.acknowledgement)
    // A guessed position of the other end may be wrong by one.
    let isGuess = other.isGuess && other.offset == 0 && offset == 1
    guard offset > max(reached, ignored), offset &- reached <= Self.reach, !isGuess else {
      return
    }
    // Nothing at all was captured of the other end: after three waits, do not wait for it any more.
    if !other.hasSpoken && holdsInVain >= 3 { return }
    barrier = offset
  }

  /// How far to give up a hole at once. Where nothing but acknowledgments tell of it, the other end
  /// sent something between them: each gap stands before what acknowledges it.
  func holeEnd(before other: Half) -> Int64 {
    guard isOnlyAcknowledged, other.isHeld, let barrier = other.waiting.first?.barrier,
      barrier > offset
    else { return holeEnd }
    return min(barrier, holeEnd)
  }

  /// Stops waiting for the other end.
  mutating func letGo() {
    guard let first = waiting.first else { return }
    if isBeginningUnsure { return isBeginningUnsure = false }
    ignored = max(ignored, first.barrier)
    if holdsInVain < 3 { holdsInVain &+= 1 }
    waiting.liftBarrier()
  }
}
