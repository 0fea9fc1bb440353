// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// In which packet something was seen.
struct PacketStamp: Sendable, BitwiseCopyable {
  var time: Instant
  var number: UInt64
  var input: UInt16
  var precision: UInt8
  /// The evidence ends inside the packet, which was told.
  var isInterrupted: Bool
  /// The transport's clock at that moment, for patience.
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

/// What all flows of one transport have in common.
struct Shared: Sendable {
  let limits: Limits
  /// Capture time in nanoseconds; runs forward even where the records do not quite.
  var clock = Int64.min
  /// How late packets of one direction were captured, at most, as the other shows.
  var lateness: Int64 = 0
  /// How often bytes were captured behind what acknowledges them, and where that showed first.
  var disordered = 0
  var firstDisordered: PacketStamp?
  /// What waits behind holes, in all flows.
  var waitingBytes = 0

  init(_ limits: Limits) { self.limits = limits }

  /// How long bytes are waited for that their receiver has acknowledged.
  /// More before anything of their sender was captured: it may be late, or missing altogether.
  func patience(hasSpoken: Bool) -> Int64 {
    max(limits.acknowledgedPatience, hasSpoken ? 2 * lateness : limits.skew / 2)
  }

  /// Takes over what a direction shows of the order in which packets were captured.
  mutating func learn(from half: inout Half, _ stamp: PacketStamp) {
    disordered &+= half.disordered
    firstDisordered = firstDisordered ?? stamp
    lateness = max(lateness, min(half.lateness, limits.skew / 2))
    half.disordered = 0
  }

  /// Bounds what many flows together keep waiting: each has its own bound, which many times over
  /// would be too much.
  var isCrowded: Bool { waitingBytes > limits.reorderedBytes }

  /// Follows the times of packets. A small step back is reordering and leaves the clock alone; a
  /// large one means that the clock of the capture was set.
  mutating func advance(to time: Instant) {
    guard time.isKnown else { return }
    if time.nanoseconds > clock || clock.lowered(by: limits.patience) > time.nanoseconds {
      clock = time.nanoseconds
    }
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
