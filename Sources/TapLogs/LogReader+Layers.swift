// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that wait until it is known which layer of their program is read.
extension LogReader {
  /// What waits and was sent before a message is reported before it.
  mutating func decideWhatWasOvertaken(
    by place: Range<Int>, _ line: LogLine, _ facts: inout LineFacts
  ) {
    if !taker.layers.waiting.isEmpty && taker.overtakes(place, line, &facts) { decideLayers() }
  }

  /// Reads the lines that waited until the layer of their program was known.
  mutating func decideLayers() {
    for waiting in taker.layers.decide() {
      taker.context.pass(before: waiting.origin.offset, sink)
      let line = LogLine(
        waiting.line.span.bytes, above: waiting.before.span.bytes, waiting.origin,
        anchors: waiting.anchors.union(.program), height: waiting.height)
      var facts = LineFacts(of: line)
      (facts.time, facts.outer) = (waiting.facts.time, waiting.facts.outer)
      (facts.source, facts.names) = (waiting.facts.source, waiting.facts.names)
      if !readMessages(line, &facts) && !readPrintedLines(line) {
        reportContext(line.text, line.origin)
      }
    }
    taker.passContext()
  }
}
