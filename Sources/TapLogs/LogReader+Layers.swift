// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that several layers of a program print: one of them tells each.
extension LogReader {
  /// A row of another layer of the same program prints the same message.
  @inline(__always)
  mutating func isPrintedElsewhere(_ facts: LogFacts) -> Bool {
    guard let match = facts.match, match.form.isLayered, let layer = match.row?.layer, layer > 0
    else { return false }
    let known = tally.layers[match.format] ?? layer
    tally.layers[match.format] = min(known, layer)
    // What waits is printed by the uppermost layer, too.
    if layer == 1 { undecided.removeAll { $0.format == match.format } }
    return layer > known
  }

  /// Keeps a line of a lower layer until it is known whether a higher one prints the same; answers
  /// false once that is known.
  mutating func wait(
    _ line: LogLine, _ facts: LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    guard let match = facts.match, match.form.isLayered, let layer = match.row?.layer, layer > 1,
      tally.layers[match.format] == nil
    else { return false }
    undecided.append(
      LogLayers.Line(
        format: match.format, layer: layer, line: line.text.copied(), before: line.above.copied(),
        origin: facts.origin, height: height))
    told = line.text.byteCount
    if undecided.count >= LogLayers.most { decide(sink) }
    return true
  }

  /// The uppermost of the layers that have printed something tells the messages.
  mutating func decide(_ sink: any EvidenceSink) {
    let lines = undecided
    undecided.removeAll()
    for line in lines {
      tally.layers[line.format] = min(tally.layers[line.format] ?? line.layer, line.layer)
    }
    for line in lines {
      waitingContext.pass(before: line.origin.offset, sink)
      height = line.height
      let text = LogLine(
        line.line.span.bytes, above: line.before.span.bytes, line.origin, hasAnchor: true)
      let hasMessage = readAll(text, sink) || readStrings(text, sink)
      if !hasMessage { context(line: text.text, line.origin, sink) }
    }
    height = 1
    passContext(sink)
  }
}
