// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Objects among other words.
extension LogReader {
  /// All messages of a line that are objects. What is inside of one is none; what is inside of a
  /// record may be.
  mutating func readObjects(_ line: LogLine, _ facts: inout LogFacts) -> Bool {
    var hasMessage = false
    // Behind the last message, and where is looked.
    var (begin, at) = (0, 0)
    var tries = 0
    while tries < limits.openLists, let start = line.text.firstIndex(of: 0x7B, from: at) {
      tries += 1
      at = start + 1
      factReader.match(line.text, begin..<start, &facts)
      if facts.match == nil { factReader.askMembers(line.text, start, &facts) }
      facts.begin = begin
      guard var found = lists.object(line.text, start, &facts) else { continue }
      take(found, line, &facts)
      (begin, at, hasMessage) = (found.end, found.end, true)
      lists.giveBack(&found)
    }
    if !hasMessage { (facts.match, facts.begin) = (nil, 0) }
    return hasMessage
  }
}
