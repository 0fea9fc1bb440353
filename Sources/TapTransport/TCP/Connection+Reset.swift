// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Resets. Some do not concern the connection: late ones, and those of attackers who guess.
extension Connection {
  /// A reset that may be meant for the connection.
  struct PendingReset: Sendable, BitwiseCopyable {
    var fromLow: Bool
    /// The sequence number of the reset, which shows how far the other end has acknowledged its
    /// sender (RFC 9293 §3.10.7.1); nil once that end acknowledges less.
    var sequence: SequenceNumber?
    var stamp: PacketStamp
    /// Bytes of both ends by then.
    var octets: Int64
  }

  enum Verdict {
    case believed
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
      if ahead == 0 || ahead > 0 && own.isEvident(own.offset &+ ahead) { return .believed }
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
    suspicion = PendingReset(
      fromLow: fromLow, sequence: segment.sequence, stamp: stamp,
      octets: low.offset &+ high.offset)
    // So that the next segments come to where the reset is reconsidered.
    isSettled = false
  }

  /// If the connection goes on, it was not reset.
  mutating func reconsider(_ segment: Segment, fromLow: Bool) {
    guard var suspicion else { return }
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
}
