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
    var facts = LogFacts(of: whole)
    factReader.clock.begin()
    if let (match, _) = NamedFields.find(line, only: place.choice.logFormat) {
      if match.form.seldom.isEmpty { return false }
      let outcome = readNamed(whole, &facts, sink)
      if outcome == .noMessage { tally.unread += 1 }
      return outcome != .other
    }
    guard factReader.rules.takesWords else { return false }
    if let start = LogRareNotations.length(line), mark(line, start, &facts) {
      tally.unread += 1
      return true
    }
    return false
  }

  /// Whether the words before an offset say who sends.
  private mutating func mark(_ line: RawSpan, _ start: Int, _ facts: inout LogFacts) -> Bool {
    let prefix = line.extracting(0..<start)
    facts.skeleton = LogRules.skeleton(prefix)
    facts.match = factReader.rules.match(prefix, facts.skeleton)
    if facts.match == nil { factReader.askMembers(line, start, &facts) }
    return facts.match != nil
  }
}
