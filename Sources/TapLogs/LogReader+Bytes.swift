// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that have bytes on them, and no words that say so.
extension LogReader {
  /// Answers whether there is any message of bytes.
  mutating func readBytes(
    _ line: LogLine, _ facts: inout LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    var hasMessage = false
    var at = 0
    while let found = finder.nextBytes(line.text, from: at) {
      at = found.message.end
      let prefix = line.text.extracting(0..<found.message.place.lowerBound)
      facts.skeleton = LogRules.skeleton(prefix)
      facts.match = factReader.rules.match(prefix, facts.skeleton)
      // What only begins as a message is one where the line says who sends it.
      if found.isMalformed && facts.match == nil { continue }
      if !found.frame.isCut {
        take(found.message, line, &facts, sink)
        hasMessage = true
        continue
      }
      let candidate = factReader.candidate(found.message, .binary, line, &facts)
      let start = found.message.place.lowerBound
      if message(found.frame, candidate, line, start, &facts, sink) { hasMessage = true }
    }
    return hasMessage
  }
}
