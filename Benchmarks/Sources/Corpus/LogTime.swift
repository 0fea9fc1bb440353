// SPDX-License-Identifier: Apache-2.0

/// The clock of a generated log, which advances with each line, and its notations.
struct LogTime {

  /// Starts on 2026-11-20; a log spans at most a month.
  private var day = 1
  private var milliseconds = 8 * 3_600_000

  mutating func advance(_ random: inout Random) {
    milliseconds += random.below(4)
    if milliseconds < 86_400_000 { return }
    milliseconds -= 86_400_000
    day = day % 28 + 1
  }

  /// Milliseconds since the start.
  var uptime: UInt64 { UInt64(day * 86_400_000 + milliseconds) }

  /// `2026-11-20 23:34:50,123`
  func appendISO(_ divider: UInt8, _ point: UInt8, to text: inout [UInt8]) {
    text.append("2026-11-")
    append(day, 2, to: &text)
    text.append(divider)
    appendClock(to: &text)
    text.append(point)
    append(milliseconds % 1000, 3, to: &text)
  }

  /// `Nov 20 23:34:50`
  func appendSyslog(to text: inout [UInt8]) {
    text.append("Nov ")
    append(day, 2, to: &text)
    text.append(0x20)
    appendClock(to: &text)
  }

  /// `20/Nov/2026:23:34:50 +0000`
  func appendAccess(to text: inout [UInt8]) {
    append(day, 2, to: &text)
    text.append("/Nov/2026:")
    appendClock(to: &text)
    text.append(" +0000")
  }

  private func appendClock(to text: inout [UInt8]) {
    let seconds = milliseconds / 1000
    append(seconds / 3600, 2, to: &text)
    text.append(0x3A)
    append(seconds / 60 % 60, 2, to: &text)
    text.append(0x3A)
    append(seconds % 60, 2, to: &text)
  }

  private func append(_ value: Int, _ digits: Int, to text: inout [UInt8]) {
    if digits > 1 { append(value / 10, digits - 1, to: &text) }
    text.append(UInt8(truncatingIfNeeded: 0x30 + value % 10))
  }
}
