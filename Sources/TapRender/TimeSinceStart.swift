// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Seconds since the first line, as text. What most lines have in common with the one before them,
/// the whole seconds, is kept as it was written.
struct TimeSinceStart {
  private var start: Int64?
  /// Nanoseconds since 1970 of the second that `word` stands for.
  private var second = Int64.max
  /// The seconds with blanks before them and the point behind, as they lie in memory.
  private var word: UInt64 = 0
  private var count = 0

  var isCounting: Bool { start != nil }

  /// Counts from this time, unless it counts already.
  mutating func begin(at time: Instant) {
    if start == nil && time.isKnown { start = time.nanoseconds }
  }

  @inline(__always)
  mutating func append(_ time: Instant, _ precision: UInt8, to text: inout TextBuffer) {
    let fraction = time.nanoseconds &- second
    if precision == 6 && fraction >= 0 && fraction < 1_000_000_000 {
      text.append(word: word, count: count)
      text.append(decimal: UInt64(fraction) / 1000, width: 6)
    } else {
      appendAnew(time, precision, to: &text)
    }
  }

  @inline(never)
  private mutating func appendAnew(
    _ time: Instant, _ precision: UInt8, to text: inout TextBuffer
  ) {
    let first = start ?? time.nanoseconds
    start = first
    let (since, isTooLong) = time.nanoseconds.subtractingReportingOverflow(first)
    if isTooLong { return text.append("  ?") }
    let begin = text.count
    TimeText.append(seconds: since, precision: precision, columns: 3, to: &text)
    guard since >= 0, precision == 6 else { return }
    let written = text.bytes.extracting(begin..<text.count &- 6)
    guard written.byteCount <= 8 else { return }
    (word, count) = (0, written.byteCount)
    for at in 0..<count { word |= UInt64(written.byte(at: at)) << UInt64(at * 8) }
    second = first &+ since / 1_000_000_000 &* 1_000_000_000
  }
}
