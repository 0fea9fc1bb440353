// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The lines that programs have printed, where they stand in records of JSON, as loggers write them
/// and collectors keep them: `{"@timestamp":"…","message":"Sending CONNECT (…)"}`. A line may have
/// several records, and a record several members that have the same.
struct RecordedLines {
  /// Members that may have one.
  private static let names: [StaticString] = [
    "message", "msg", "event", "text", "log", "line", "original",
  ]

  private var strings: RecordString.Strings
  /// Behind the last one.
  private var end = 0
  /// What a member of its record has told; another may say the same, with or without a time.
  private var told: Scratch?

  /// Nil where the line begins with no record.
  init?(_ line: RawSpan) {
    var start = 0
    while start < line.byteCount, isJSONSpace(line.byte(at: start)) { start += 1 }
    guard start < line.byteCount, line.byte(at: start) == 0x7B else { return nil }
    strings = RecordString.Strings(from: start)
  }

  /// What was found last is a line of a program.
  mutating func note(told text: Scratch) { told = text }

  /// The next one of which nothing is told yet, and where it stands, without its quotes.
  mutating func next(_ line: RawSpan) -> (text: Scratch, range: Range<Int>)? {
    while let name = strings.next(line) {
      let word = name.content(line)
      guard Self.names.contains(where: { word.equals($0) }),
        Self.isValue(line, behind: name.close), let value = strings.next(line),
        let text = value.text(line)
      else { continue }
      let range = value.open + 1..<value.close
      if ReadTexts.hasBoundary(line.extracting(end..<name.open)) { told = nil }
      end = range.upperBound
      if let told, Self.isSame(told.bytes, text.bytes) { continue }
      return (text, range)
    }
    return nil
  }

  /// Whether the shorter of two texts is the end of the longer.
  private static func isSame(_ one: RawSpan, _ other: RawSpan) -> Bool {
    let (end, otherEnd) = (length(one), length(other))
    let count = min(end, otherEnd)
    return one.extracting(end - count..<end).equals(other.extracting(otherEnd - count..<otherEnd))
  }

  /// Without what ends its line.
  private static func length(_ text: RawSpan) -> Int {
    var end = text.byteCount
    while end > 0, isJSONSpace(text.byte(at: end - 1)) { end -= 1 }
    return end
  }

  /// Whether a string is the value of the member whose name ends there.
  private static func isValue(_ line: RawSpan, behind close: Int) -> Bool {
    var at = close + 1
    var isNamed = false
    while at < line.byteCount {
      let byte = line.byte(at: at)
      if byte == 0x3A && !isNamed {
        isNamed = true
      } else if !isJSONSpace(byte) {
        return isNamed && byte == 0x22
      }
      at += 1
    }
    return false
  }
}
