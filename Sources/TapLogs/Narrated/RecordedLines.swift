// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The lines that programs have printed, where they stand in strings of records, as loggers write
/// them and collectors keep them: `{"@timestamp":"…","message":"Sending CONNECT (…)"}`. A line may
/// have several records, and a record several members that have the same.
struct RecordedLines {
  private var strings: RecordString.Strings
  /// Behind the last one.
  private var end = 0
  /// What a member of its record has described; another may say the same, with or without a time.
  private var reported: Scratch?

  /// The record is logfmt and not JSON, so that the line itself may describe a message.
  let isOfFields: Bool

  /// Nil where the line begins with no record, and has no fields of logfmt.
  init?(_ line: RawSpan) {
    if let fields = RecordString.fields(line) {
      (strings, isOfFields) = (fields, true)
      return
    }
    isOfFields = false
    let start = line.behindSpace(0)
    guard start < line.byteCount, line.byte(at: start) == .openBrace else { return nil }
    strings = RecordString.Strings(from: start)
  }

  /// What was found last is a line of a program.
  mutating func note(reported text: Scratch) { reported = text }

  /// The next string that may be one, unless its record has described it, and where it stands,
  /// without its quotes.
  mutating func next(
    _ line: RawSpan, _ narration: borrowing LogNarration
  ) -> (text: Scratch, range: Range<Int>)? {
    while let string = strings.next(line) {
      guard narration.mayReport(string.content(line)), let text = string.text(line) else {
        continue
      }
      if ReadTexts.hasBoundary(line.extracting(end..<string.open)) { reported = nil }
      end = string.close
      if let reported, ReadTexts.isSame(reported.bytes, text.bytes) { continue }
      return (text, string.open + 1..<string.close)
    }
    return nil
  }
}
