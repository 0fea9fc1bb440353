// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What pytest reports about failed tests: first the source of each test, which is not a log, then
/// under headings what the test has logged. With `log_cli`, it has printed that before.
///
///     -------------------------------- live log call ---------------------------------
///     =================================== FAILURES ===================================
///     __________________________________ test_login __________________________________
///     ------------------------------ Captured log call -------------------------------
struct PytestReport {
  /// Whether lines were logged, and how they come to stand there.
  enum Section { case other, live, captured }

  /// The lines belong to such a report, until the next heading of its rank.
  private(set) var isOpen = false
  /// The lines are source code, or comments on it.
  private(set) var isSource = false
  private(set) var section = Section.other
  /// Tests print what they log at once.
  private(set) var isLive = false

  /// Looks whether a line is a heading.
  mutating func note(_ line: RawSpan) {
    guard let last = line.lastUnspaced, last > 8 else { return }
    let rule = line.byte(at: last)
    guard rule == UInt8(ascii: "=") || rule == .hyphen || isOpen && rule == UInt8(ascii: "_"),
      line.byte(at: last - 1) == rule
    else { return }
    let text = line.extracting(0..<last + 1).dropping(LinePrefix.stampEnd(line))
    guard text.byteCount > 8, text.byte(at: 0) == rule, text.byte(at: 1) == rule else { return }
    switch rule {
    case UInt8(ascii: "="):
      isOpen = ([" FAILURES =", " ERRORS ="] as [StaticString]).contains {
        LogMarks.last($0, in: text) != nil
      }
      (isSource, section) = (isOpen, .other)
    case UInt8(ascii: "_"): (isSource, section) = (true, .other)
    case _ where isOpen:
      isSource = LogMarks.last("- Captured ", in: text) == nil
      section = LogMarks.last("- Captured log ", in: text) == nil ? .other : .captured
    default:
      guard LogMarks.last("- live log ", in: text) != nil else { return }
      (section, isLive) = (.live, true)
    }
  }
}
