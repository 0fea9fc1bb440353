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
    // Bytes to go over: those of objects inside of each other would be gone over for each of them.
    var left = limits.openLists * line.text.byteCount
    while left > 0, let start = line.text.firstIndex(of: 0x7B, from: at) {
      let end = ListEnd.json(line.text, start)
      left -= (end ?? line.text.byteCount) - start
      at = start + 1
      factReader.match(line.text, begin..<start, &facts)
      if facts.match == nil { factReader.askMembers(line.text, start, &facts) }
      facts.begin = begin
      guard var found = lists.object(line.text, start, end, &facts) else { continue }
      take(found, line, &facts)
      (begin, at, hasMessage) = (found.end, found.end, true)
      lists.giveBack(&found)
    }
    if !hasMessage { (facts.match, facts.begin) = (nil, 0) }
    return hasMessage
  }
}
