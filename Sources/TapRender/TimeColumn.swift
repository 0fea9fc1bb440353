// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The first column of a line, where it is not the time since the first message.
public struct TimeColumn: Sendable {
  /// By the letters that tshark gives them.
  public enum Mode: String, Sendable, CaseIterable {
    /// Since the first line with a time.
    case relative = "r"
    /// Date and time on the local clock.
    case absolute = "a"
    /// Since the line above.
    case delta = "d"
    /// Seconds since 1970-01-01 UTC.
    case epoch = "e"
    /// RFC 3339.
    case utc = "u"
  }

  private let mode: Mode
  private let zone: @Sendable (Int64) -> Int64
  private var previous = Instant.unknown
  private var clock = TimeText()
  /// What the zone said last, and for which minute: it changes between minutes only.
  private var minute = Int64.min
  private var offset: Int64 = 0

  init(_ mode: Mode, zone: @escaping @Sendable (Int64) -> Int64) {
    (self.mode, self.zone) = (mode, zone)
  }

  /// - Parameters:
  ///   - isLocal: its zone is not known: it is on the local clock already, as a log has it.
  ///   - origin: says what of the date is not known; that is left out on the local clock.
  @inline(never)
  mutating func append(
    _ time: Instant, _ precision: UInt8, isLocal: Bool = false, of origin: Origin = Origin(),
    to text: inout TextBuffer
  ) {
    let begin = text.count
    switch mode {
    case .relative, .delta:
      let (since, isTooLong) =
        previous.isKnown
        ? time.nanoseconds.subtractingReportingOverflow(previous.nanoseconds) : (0, false)
      previous = time
      if isTooLong { return text.append("  ?") }
      TimeText.append(seconds: since, precision: precision, columns: 3, to: &text)
    case .epoch:
      TimeText.append(seconds: time.nanoseconds, precision: precision, columns: 0, to: &text)
    case .utc: clock.append(utc: time, precision: precision, to: &text)
    case .absolute:
      let second = time.nanoseconds / 1_000_000_000
      if !isLocal && second / 60 != minute {
        minute = second / 60
        offset = zone(second)
      }
      clock.append(local: time, offset: isLocal ? 0 : offset, precision: precision, to: &text)
      if origin.lacksYear { Self.drop(origin.lacksDate ? 11 : 5, from: begin, of: &text) }
    }
  }

  /// Takes away the beginning of `1970-11-20 23:34:50`: the year, or all of the date.
  private static func drop(_ count: Int, from begin: Int, of text: inout TextBuffer) {
    let rest = text.bytes.extracting(begin + count..<text.count).copied()
    text.truncate(begin)
    text.append(rest.span.bytes)
  }
}
