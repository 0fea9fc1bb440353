// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that tests have logged while they ran, and that the report of those that have failed
/// prints once more (`PytestReport`).
struct LogTestReports {
  /// Where the last sections begin: lines are judged some lines behind their headings.
  private var sections: [(line: UInt64, section: PytestReport.Section)] = []
  /// How often messages were logged that are not printed again yet, by their fingerprints.
  private var logged: [UInt64: Int] = [:]

  private static let (mostSections, mostLogged) = (4, 1 << 16)

  mutating func begin(_ section: PytestReport.Section, at line: UInt64) {
    guard section != sections.last?.section ?? .other else { return }
    if sections.count == Self.mostSections { sections.removeFirst() }
    sections.append((line, section))
  }

  /// Whether a message stands in the report and was logged before.
  mutating func isEcho(_ candidate: LogCandidate, _ bytes: RawSpan) -> Bool {
    guard !sections.isEmpty,
      let section = sections.last(where: { $0.line < candidate.origin.record })?.section
    else { return false }
    switch section {
    case .other: return false
    case .live:
      let text = bytes.fingerprint
      if logged.count < Self.mostLogged || logged[text] != nil { logged[text, default: 0] += 1 }
      return false
    case .captured:
      guard let count = logged[bytes.fingerprint], count > 0 else { return false }
      logged[bytes.fingerprint] = count - 1
      return true
    }
  }
}
