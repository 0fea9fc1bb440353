// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The packet in which something was seen.
struct PacketStamp: Sendable, BitwiseCopyable {
  var time: Instant
  var number: UInt64
  var input: UInt16
  var precision: UInt8
  /// The evidence ends inside the packet, which was reported.
  var isInterrupted: Bool
  /// The transport's clock at that moment, from which waiting times count.
  var clock: Int64

  init(_ packet: Packet, clock: Int64) {
    (time, number) = (packet.time, packet.number)
    (input, precision) = (packet.input, packet.precision)
    isInterrupted = packet.isInterrupted
    self.clock = clock
  }

  @inline(__always)
  func origin(flow: UInt32, _ direction: Direction, offset: Int64) -> Origin {
    Origin(
      time: time, record: number, offset: UInt64(bitPattern: offset), flow: flow, input: input,
      direction: direction, precision: precision)
  }
}

/// What all flows of one transport share.
struct Shared: Sendable {
  let limits: Limits
  /// Capture time in nanoseconds. It never runs back a little, even where records are slightly out
  /// of order.
  var clock = Int64.min
  /// By how much one direction was captured later than the other, at most, judged by
  /// acknowledgments.
  var lateness: Int64 = 0
  /// How often bytes were captured after their acknowledgment, and where that happened first.
  var disordered = 0
  var firstDisordered: PacketStamp?
  /// How many of these came after their bytes were given up.
  var tooLate = 0
  /// Memory of all segments that wait, over all flows.
  var waitingBytes = 0

  init(_ limits: Limits) { self.limits = limits }

  /// How long to wait for bytes that their receiver has acknowledged. Longer while nothing of their
  /// sender was captured: it may be late, or missing altogether.
  func patience(hasSpoken: Bool) -> Int64 {
    let expected =
      hasSpoken ? 2 * min(lateness, limits.clockSkew / 2) : limits.clockSkew / 2
    return max(limits.acknowledgedGapTimeout, expected)
  }

  /// Takes over what a direction has shown about packets captured out of order.
  mutating func learn(from half: inout Half, _ stamp: PacketStamp) {
    disordered &+= half.disordered
    firstDisordered = firstDisordered ?? stamp
    tooLate &+= half.tooLate
    lateness = max(lateness, half.lateness)
    (half.disordered, half.tooLate) = (0, 0)
  }

  /// Whether all flows together keep too much waiting. Each has its own bound, but many times that
  /// bound would be too much.
  var isCrowded: Bool { waitingBytes > limits.reorderedBytes }

  /// Follows the times of packets. A small step back is reordering, and does not change the clock;
  /// a large one means that the clock of the capturing host was set.
  mutating func advance(to time: Instant) {
    guard time.isKnown else { return }
    // A deadline of `.max` never passes.
    let now = min(time.nanoseconds, .max - 1)
    if now > clock || clock.lowered(by: limits.gapTimeout) > now { clock = now }
  }
}

extension Int64 {
  func raised(by amount: Int64) -> Int64 {
    let (sum, isTooLarge) = addingReportingOverflow(amount)
    return isTooLarge ? (amount > 0 ? .max : .min) : sum
  }

  func lowered(by amount: Int64) -> Int64 {
    let (difference, isTooSmall) = subtractingReportingOverflow(amount)
    return isTooSmall ? (amount > 0 ? .min : .max) : difference
  }
}
