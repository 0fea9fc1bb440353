// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// What the line above says of a message that has nothing on its own line: `Sending:`, and the list
/// below it.
extension LogReader {
  /// Asks the line above who sends. It has to introduce what follows: what is printed behind a
  /// message, `sent`, speaks of that one.
  mutating func askAbove(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts
  ) {
    guard page.match == nil, rules.takesWords, Self.introduces(before),
      ListStart.next(before, from: 0) == nil
    else { return }
    var words = Scratch()
    words.append(before)
    words.append(0x20)
    words.append(line.extracting(0..<start))
    let skeleton = LogRules.skeleton(words.bytes)
    guard var match = rules.match(words.bytes, skeleton), match.rule == nil || match.form.isGeneric
    else { return }
    if match.rule != nil {
      match = LogMatch(format: LogFormats.unmarked.format, rule: nil, way: match.way)
    }
    (page.match, page.skeleton, page.isSaidAbove) = (match, skeleton, true)
  }

  /// Whether a line ends with a colon or an arrow.
  private static func introduces(_ line: RawSpan) -> Bool {
    var end = line.byteCount
    while end > 0, isJSONSpace(line.byte(at: end - 1)) { end -= 1 }
    guard end > 0 else { return false }
    switch line.byte(at: end - 1) {
    case 0x3A, 0x3C, 0x3E, 0x80...: return true
    default: return false
    }
  }

  /// The connection and the source that the line above names.
  mutating func nameAbove(_ sight: inout LogCandidate, _ before: RawSpan, _ page: inout LogFacts) {
    if page.source == nil {
      page.source = sources.name(before, before.byteCount)
      sight.source = page.source ?? sight.source
    }
    if sight.writer.isEmpty {
      let text = before.dropping(LinePrefix.length(before))
      sight.writer = LogConnectionKeys.connection(text, &writers) ?? ""
    }
  }
}
