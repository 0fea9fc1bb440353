// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Resets. Some do not concern the connection: late ones, and those of attackers who guess.
extension Connection {
  /// A reset that may be meant for the connection, or that came too early.
  struct PendingReset: Sendable {
    var fromLow: Bool
    /// The sequence number of the reset, which shows how far the other end has acknowledged its
    /// sender (RFC 9293 §3.10.7.1); nil once that end acknowledges less.
    var sequence: SequenceNumber?
    /// What it acknowledges: how far its sender has received the other end.
    var acknowledged: SequenceNumber?
    var stamp: PacketStamp
    /// Bytes that both ends had sent by then.
    var octets: Int64
    /// When to stop waiting for what was sent before a reset that came too early; `.max` where only
    /// what comes next decides.
    var deadline = Int64.max
    /// Tells the listener that such a reset waits.
    var wait = WaitNotice()

    var isEarly: Bool { deadline < .max }
  }

  enum Verdict {
    case believed
    /// Believed as soon as what was sent before it has come, or does not come in time.
    case early
    /// Believed unless one of the ends goes on.
    case suspected
    case ignored
  }

  /// How far a reset's number may be from the expected one for the reset to be considered. RFC 9293
  /// §3.5.3 requires it to lie in the window, which an observer does not know exactly.
  private static let resetReach: Int64 = 1 << 24

  /// RFC 9293 §3.10.7.4: a receiver accepts a reset with the number that it expects. One with
  /// another number may be genuine where segments were not captured, so it is only suspected.
  func judge(reset segment: Segment, fromLow: Bool) -> Verdict {
    let own = fromLow ? low : high
    let other = fromLow ? high : low
    if own.isKnown {
      let ahead = own.next.distance(to: segment.sequence)
      if ahead == 0 || ahead > 0 && own.isEvident(own.offset &+ ahead) {
        return other.isBehind(segment.acknowledged) ? .early : .believed
      }
      if abs(ahead) <= Self.resetReach { return .suspected }
    }
    guard segment.flags.contains(.ack) else { return own.isKnown ? .ignored : .believed }
    // A reset that answers a SYN has no sequence number of its own, but acknowledges the SYN (RFC
    // 9293 §3.10.7.1).
    if !other.isKnown { return own.isKnown ? .suspected : .believed }
    let ahead = other.next.distance(to: segment.acknowledgement)
    if ahead == 0 && !own.hasSpoken { return .believed }
    return abs(ahead) <= Self.resetReach ? .suspected : .ignored
  }

  /// Whether a reset by this end answers a SYN, so that the connection was never established (RFC
  /// 9293 §3.5.2).
  func isRefusal(fromLow: Bool) -> Bool {
    isFromStart && !hasLayer && fromLow != clientIsLow && !(fromLow ? low : high).hasSpoken
  }

  /// Remembers a reset until it is clear whether it took effect.
  mutating func suspect(_ segment: Segment, fromLow: Bool, _ stamp: PacketStamp) {
    // Several in a row are one: each answers another segment.
    if suspicion?.isEarly == true { return }
    suspicion = PendingReset(
      fromLow: fromLow, sequence: segment.sequence, acknowledged: segment.acknowledged,
      stamp: stamp, octets: low.offset &+ high.offset)
    // So that the next segments come to where the reset is reconsidered.
    isSettled = false
  }

  /// Remembers a reset until what was sent before it has come.
  mutating func hold(
    reset segment: Segment, fromLow: Bool, _ stamp: PacketStamp, _ shared: Shared,
    _ listener: any Listener
  ) {
    if suspicion?.isEarly == true { return }
    suspect(segment, fromLow: fromLow, stamp)
    let origin = context(fromLow: fromLow, stamp).delivery(0).origin
    suspicion?.deadline = stamp.clock.raised(by: shared.patience(hasSpoken: true))
    suspicion?.wait.begin(origin, listener)
  }

  /// If the connection goes on, it was not reset.
  mutating func reconsider(
    _ segment: Segment, fromLow: Bool, _ shared: inout Shared, _ listener: any Listener
  ) {
    guard var suspicion else { return }
    if suspicion.isEarly {
      let isOwn = fromLow == suspicion.fromLow && segment.length > 0
      return reconsiderEarly(suspicion, isOwn ? segment : nil, &shared, listener)
    }
    if fromLow != suspicion.fromLow && segment.flags.contains(.ack) {
      suspicion.sequence = nil
      self.suspicion = suspicion
    }
    if low.offset &+ high.offset > suspicion.octets {
      self.suspicion = nil
    } else {
      isSettled = false
    }
  }

  /// - Parameter segment: bytes of the end that sent the reset; they may wait for the other end.
  private mutating func reconsiderEarly(
    _ early: PendingReset, _ segment: Segment?, _ shared: inout Shared,
    _ listener: any Listener
  ) {
    let (own, other) = early.fromLow ? (low, high) : (high, low)
    let position = early.sequence.map(own.position) ?? own.offset
    // Without an acknowledgment it answers a segment that acknowledged as much as its own number.
    let isAnswer = early.acknowledged == nil && own.isFinished
    let goesOn = segment.map { own.position(of: $0.sequence) >= position } ?? false
    if goesOn || position < own.offset {
      endSuspicion(listener)
    } else if other.isBehind(early.acknowledged) || isAnswer && own.acknowledged < position {
      isSettled = false
    } else {
      takeEffect(&shared, listener)
    }
  }

  /// The pending reset did take effect.
  mutating func takeEffect(_ shared: inout Shared, _ listener: any Listener) {
    guard let pending = suspicion else { return }
    reset(
      fromLow: pending.fromLow, at: pending.sequence, acknowledging: pending.acknowledged,
      pending.stamp, &shared, listener)
  }

  /// A reset that waited is reported behind what was sent before it, although its packet came
  /// first.
  func followEarly(_ listener: any Listener) {
    guard let suspicion, suspicion.isEarly else { return }
    var origin = context(fromLow: suspicion.fromLow, last).delivery(0).origin
    listener.follows(origin)
    origin.direction = .unknown
    listener.follows(origin)
  }

  mutating func endSuspicion(_ listener: any Listener) {
    if suspicion == nil { return }
    suspicion?.wait.end(listener)
    suspicion = nil
  }
}
