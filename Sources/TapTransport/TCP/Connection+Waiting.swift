// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Passes on what waits in both halves, in the order in which the ends sent it, as far as
/// acknowledgments show it.
extension Connection {
  /// Passes on what was waiting for the other end, which has now come far enough.
  ///
  /// - Parameter reached: when it did; unknown if something was given up instead.
  mutating func release(
    _ shared: inout Shared, _ listener: any Listener, reached: Instant = .unknown
  ) {
    let before = low.waiting.cost &+ high.waiting.cost
    while true {
      let offsets = (low.frontier, high.frontier)
      low.reached = high.frontier
      Reassembler.release(&low, &above, context(fromLow: true, last), listener, reached: reached)
      high.reached = low.frontier
      Reassembler.release(
        &high, &above, context(fromLow: false, last), listener, reached: reached)
      if offsets == (low.frontier, high.frontier) { break }
    }
    shared.waitingBytes &+= low.waiting.cost &+ high.waiting.cost &- before
  }

  /// Gives up everything that was waited for long enough, in both halves, the earliest first. At
  /// equal times, a hole comes before a segment that waits for the other half.
  mutating func expire(_ shared: inout Shared, _ listener: any Listener) {
    while true {
      let deadlines = (low.deadline(shared), high.deadline(shared))
      if min(deadlines.0, deadlines.1) > shared.clock { break }
      let isLow =
        deadlines.0 == deadlines.1 ? !low.isHeld : deadlines.0 < deadlines.1
      giveUpOne(inLow: isLow, &shared, listener)
      release(&shared, listener)
    }
    Reassembler.settle(&low, &above, context(fromLow: true, last), shared, listener)
    Reassembler.settle(&high, &above, context(fromLow: false, last), shared, listener)
    if low.isFinished && high.isFinished { close(context(fromLow: true, last), listener) }
    if let suspicion, suspicion.deadline <= shared.clock { takeEffect(&shared, listener) }
  }

  private mutating func giveUpOne(
    inLow isLow: Bool, _ shared: inout Shared, _ listener: any Listener
  ) {
    if isLow {
      Reassembler.giveUpOne(&low, &above, context(fromLow: true, last), &shared, listener)
    } else {
      Reassembler.giveUpOne(&high, &above, context(fromLow: false, last), &shared, listener)
    }
  }

  /// Gives up everything that is waited for, holes first.
  mutating func flush(
    _ reason: Reassembler.Reason, _ shared: inout Shared, _ listener: any Listener
  ) {
    while true {
      release(&shared, listener)
      let isLow =
        low.hasHole && (!high.hasHole || low.waitsLonger(than: high))
        || !high.hasHole && low.isHeld && (!high.isHeld || low.waitsLonger(than: high))
      let context = context(fromLow: isLow, last)
      if isLow {
        let end = low.holeEnd(before: high)
        Reassembler.giveUp(end, reason, &low, &above, context, &shared, listener)
      } else if high.hasHole || high.isHeld {
        let end = high.holeEnd(before: low)
        Reassembler.giveUp(end, reason, &high, &above, context, &shared, listener)
      } else {
        break
      }
    }
    Reassembler.finishLate(&low, &above, context(fromLow: true, last), listener)
    Reassembler.finishLate(&high, &above, context(fromLow: false, last), listener)
    if low.isFinished && high.isFinished { close(context(fromLow: true, last), listener) }
  }
}

extension Half {
  /// Whether what waits here was captured before what waits there.
  func waitsLonger(than other: Half) -> Bool {
    guard let own = waiting.first?.stamp.number else { return other.waiting.isEmpty }
    return own <= other.waiting.first?.stamp.number ?? 0
  }
}
