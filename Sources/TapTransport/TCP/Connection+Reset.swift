// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Resets. Some are not meant for the connection: old ones, and those of attackers who guess.
extension Connection {
  /// A reset that may be meant for the connection.
  struct PendingReset: Sendable, BitwiseCopyable {
    var fromLow: Bool
    /// How far its receiver says that the sender has come; nil once the receiver acknowledges
    /// less.
    var sequence: SequenceNumber?
    var stamp: PacketStamp
    /// What both ends had said by then.
    var octets: Int64
  }

  enum Verdict {
    case believed
    /// Believed if neither end goes on.
    case suspected
    case ignored
  }

  /// A reset is considered when its number lies no further from what is awaited. RFC 9293 §3.5.3
  /// demands that it lies in the window, which a bystander does not know exactly.
  private static let resetReach: Int64 = 1 << 24

  /// RFC 9293 §3.10.7.4: a receiver believes the number that it awaits; of others it only knows
  /// that they are wrong.
  func judge(reset segment: Segment, fromLow: Bool) -> Verdict {
    let own = fromLow ? low : high
    let other = fromLow ? high : low
    if own.isKnown {
      let ahead = own.next.distance(to: segment.sequence)
      if ahead == 0 || ahead > 0 && own.isEvident(own.offset &+ ahead) { return .believed }
      if abs(ahead) <= Self.resetReach { return .suspected }
    }
    guard segment.flags.contains(.ack) else { return own.isKnown ? .ignored : .believed }
    // The answer to a SYN has no sequence number to show, but acknowledges it (RFC 9293 §3.10.7.1).
    if !other.isKnown { return own.isKnown ? .suspected : .believed }
    let ahead = other.next.distance(to: segment.acknowledgement)
    if ahead == 0 && !own.hasSpoken { return .believed }
    return abs(ahead) <= Self.resetReach ? .suspected : .ignored
  }

  /// Whether a reset by this end answers a SYN, so that there never was a connection (RFC 9293
  /// §3.5.2).
  func isRefusal(fromLow: Bool) -> Bool {
    isFromStart && !hasLayer && fromLow != clientIsLow && !(fromLow ? low : high).hasSpoken
  }

  /// Remembers a reset until it shows whether it was one.
  mutating func suspect(_ segment: Segment, fromLow: Bool, _ stamp: PacketStamp) {
    suspicion = PendingReset(
      fromLow: fromLow, sequence: segment.sequence, stamp: stamp,
      octets: low.offset &+ high.offset)
    // So that segments come by where it is reconsidered.
    isSettled = false
  }

  /// The connection goes on: it was not reset.
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
