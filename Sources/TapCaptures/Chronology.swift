// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Checks whether the times of a file's packets increase. Packets are passed on in file order
/// whatever their times; disorder is reported once, at the end of the file.
struct Chronology {
  /// The latest time so far.
  private var last = Int64.min
  /// How many packets are earlier than the one before them.
  private var steps: UInt64 = 0
  /// The largest of these steps, in nanoseconds.
  private var furthest: UInt64 = 0
  /// The first packet that is earlier than the one before.
  private var first: UInt64 = 0
  private var firstTime = Instant.unknown

  /// The next packet: only a comparison while the order is right.
  @inline(__always)
  mutating func follow(_ time: Instant, _ number: UInt64) {
    if time.nanoseconds < last {
      stepBack(time, number)
    } else {
      last = time.nanoseconds
    }
  }

  @inline(never)
  private mutating func stepBack(_ time: Instant, _ number: UInt64) {
    guard time.isKnown else { return }
    if steps == 0 { (first, firstTime) = (number, time) }
    steps += 1
    furthest = max(furthest, UInt64(bitPattern: last &- time.nanoseconds))
    last = time.nanoseconds
  }

  /// - Parameter patience: up to this step (nanoseconds), it is the reordering of packets between
  ///   CPUs or interfaces; a larger one means that a clock was set.
  func finish(_ place: Place, patience: Int64, _ sink: any EvidenceSink) {
    if steps == 0 { return }
    let far = DurationText.seconds(furthest, places: 9, dropsZeros: true)
    let isSmall = furthest <= UInt64(max(patience, 0))
    sink.finding(
      .timeBackwards, isSmall ? .note : .warning,
      place.origin(0, record: first, firstTime),
      "time runs backwards at \(counted(steps, "packet")), by up to \(far) s;"
        + " the first is packet \(first). The order of the file is kept")
  }
}
