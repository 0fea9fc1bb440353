// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that are read for what `LogRareNotations` finds.
extension LogReader {
  /// Answers whether there is something on the line.
  mutating func readSeldom(_ line: RawSpan, _ origin: Origin, _ sink: any EvidenceSink) -> Bool {
    // It was told that the line stands there.
    told = line.byteCount
    defer { told = 0 }
    let whole = LogLine(line, above: line.extracting(0..<0), origin, hasAnchor: true)
    var page = LogFacts(of: whole)
    facts.clock.begin()
    if let (match, _) = NamedFields.find(line, only: place.choice.logFormat) {
      if match.form.seldom.isEmpty { return false }
      let outcome = readNamed(whole, &page, sink)
      if outcome == .noMessage { tally.unread += 1 }
      return outcome != .other
    }
    guard facts.rules.takesWords else { return false }
    if let start = LogRareNotations.length(line), mark(line, start, &page) {
      tally.unread += 1
      return true
    }
    return false
  }

  /// Whether the words before an offset say who sends.
  private mutating func mark(_ line: RawSpan, _ start: Int, _ page: inout LogFacts) -> Bool {
    let prefix = line.extracting(0..<start)
    page.skeleton = LogRules.skeleton(prefix)
    page.match = facts.rules.match(prefix, page.skeleton)
    if page.match == nil { facts.askMembers(line, start, &page) }
    return page.match != nil
  }
}
