// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Messages that are members of records.
extension LogReader {
  /// Lines of programs that stand in the strings of a record, or in the fields of a table, as what
  /// those have printed.
  ///
  /// - Returns: whether one of them has a message.
  mutating func readStrings(_ line: LogLine, _ sink: any EvidenceSink) -> Bool {
    var hasMessage = false
    if let brace = line.text.firstIndex(of: 0x7B) {
      var strings = RecordString.Strings(from: brace)
      while let string = strings.next(line.text) {
        guard let text = string.text(line.text) else { continue }
        let range = string.open..<string.close
        if readString(text.bytes, range, line, sink) { hasMessage = true }
      }
    }
    if hasMessage { return true }
    var fields = CSVField.Fields()
    while let (text, range) = fields.next(line.text) {
      if readString(text.bytes, range, line, sink) { hasMessage = true }
    }
    return hasMessage
  }

  /// Whether a line may be a record, or of a table: its first string is in no list.
  static func mayHoldStrings(_ line: RawSpan) -> Bool {
    guard let quote = line.firstIndex(of: 0x22) else { return false }
    if quote == 0 { return true }
    switch line.byte(at: quote - 1) {
    case 0x7B, 0x2C, 0x3B, 0x09, 0x7C: return line.extracting(0..<quote).firstIndex(of: 0x5B) == nil
    default: return false
    }
  }

  /// - Parameter range: where it stands with its first quotation mark.
  private mutating func readString(
    _ text: RawSpan, _ range: Range<Int>, _ line: LogLine, _ sink: any EvidenceSink
  ) -> Bool {
    guard
      LogFormats.hasFrame(text) || LogFormats.leads.survey(text).hasAnchor
        || PacketStart.next(text, from: 0) != nil
    else { return false }
    factReader.clock.begin()
    let (start, end) = (range.lowerBound + 1, range.upperBound)
    let moment = factReader.clock.time(line.text, 0, start, end, line.origin.record)?.moment
    return readAll(
      LogLine(text, above: line.above, line.origin, hasAnchor: true), of: moment, sink)
  }
}
