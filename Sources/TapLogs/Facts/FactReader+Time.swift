// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Where the time of a message stands.
extension FactReader {
  /// The time of the message that stands there: its own, that of its line, or of a line above
  /// that is the head of this one.
  mutating func time(
    of message: Range<Int>, on line: LogLine, _ facts: inout LineFacts
  ) -> LogMoment? {
    let begin = min(facts.message.begin, message.lowerBound)
    if begin == 0, let moment = wholeTimeAbove(line, facts) {
      (facts.time, facts.message.moment) = (moment, moment)
      return moment
    }
    if let (moment, isOfLine) = clock.time(
      of: message, from: begin, on: line.text, number: line.origin.record, &facts.records.plain)
    {
      if isOfLine { facts.time = moment }
      facts.message.moment = moment
      return moment
    }
    if !facts.hasAskedAbove {
      facts.hasAskedAbove = true
      if facts.time == nil && begin == 0 { facts.time = timeAbove(line, &facts) }
    }
    facts.message.moment = facts.time
    return facts.time
  }

  /// The time of a program that prints it on the line above, where syslog puts another before each
  /// line.
  private mutating func wholeTimeAbove(_ line: LogLine, _ facts: LineFacts) -> LogMoment? {
    guard facts.message.match?.rule?.placement.contains(.timedBefore) == true,
      !LogSources.areDifferent(line.text, line.above)
    else { return nil }
    let above = line.above.extracting(0..<Self.payloadStart(line.above))
    return clock.whole(above: above, of: line.text, number: line.origin.record)
  }

  private mutating func timeAbove(
    _ line: LogLine, _ facts: inout LineFacts
  ) -> LogMoment? {
    let margin = LineMargin.shared(line.text, with: line.above)
    let text = line.text.dropping(margin)
    let head = line.above.dropping(margin > 0 ? LineMargin.shared(line.above, with: line.text) : 0)
    let isContinued = text.byteCount > 0 && text.byte(at: 0).isJSONSpace
    let isSaid = facts.message.match?.rule?.placement.contains(.timedBefore) ?? isContinued
    guard isSaid || LogHead.isHead(head, of: text) else { return nil }
    return clock.above(head.extracting(0..<Self.payloadStart(head)), number: line.origin.record)
  }

  /// Where a payload begins on a line, or the end of the line: a time in a payload does not say
  /// when the line was written. A record that takes up the whole line is no payload.
  private static func payloadStart(_ line: RawSpan) -> Int {
    let list = ListStart.next(line, from: 0) ?? line.byteCount
    for at in 0..<min(list, max(line.byteCount - 1, 0)) {
      let (byte, next) = (line.byte(at: at), line.byte(at: at + 1))
      if byte == .openBracket && (next == .quote || next == .openBrace) { return at }
      if byte == .openBrace && next == .quote && at > 0 { return at }
    }
    return list
  }
}
