// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Orders segments across the two directions. One that acknowledges bytes not captured yet was sent
/// after them: where two cards or two machines capture, one of them is late. It waits at that
/// offset of the other end's stream, its *barrier*, but not for long, as bytes may be missing for
/// good.
extension Half {
  /// How far this end has come, for who acknowledges it: FIN takes a number.
  var frontier: Int64 { isFinished ? offset &+ 1 : offset }

  /// What is next is here, and waits for the other end only.
  var isHeld: Bool { waiting.first.map { $0.start <= offset } ?? false }

  func isPassable(_ barrier: Int64) -> Bool {
    barrier <= max(reached, ignored) && !isBeginningUnsure
  }

  /// When the other end is waited for no more.
  func holdDeadline(_ shared: Shared) -> Int64 {
    let seen = waiting.first?.stamp.clock ?? shared.clock
    let hasSpoken = otherHasSpoken || isBeginningUnsure
    return seen.raised(by: shared.patience(hasSpoken: hasSpoken))
  }

  /// Takes note of what a segment of this end acknowledges of the other.
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
    // Who guesses where the other end is may be wrong by one.
    let isGuess = other.isGuess && other.offset == 0 && offset == 1
    guard offset > max(reached, ignored), offset &- reached <= Self.reach, !isGuess else {
      return
    }
    // Nothing at all was captured of the other end: three times is enough.
    if !other.hasSpoken && holdsInVain >= 3 { return }
    barrier = offset
  }

  /// What waits for the other end waits no longer.
  mutating func letGo() {
    guard let first = waiting.first else { return }
    if isBeginningUnsure { return isBeginningUnsure = false }
    ignored = max(ignored, first.barrier)
    if holdsInVain < 3 { holdsInVain &+= 1 }
    waiting.liftBarrier()
  }
}
