// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The lines that programs have printed, where they stand in records of JSON, as loggers write them
/// and collectors keep them: `{"@timestamp":"…","message":"Sending CONNECT (…)"}`. A line may have
/// several records, and a record several members that have it.
struct RecordedLines {
  /// Members that may have one.
  private static let names: [StaticString] = [
    "message", "msg", "event", "text", "log", "line", "original",
  ]

  private var strings: RecordString.Strings
  private var read = ReadTexts()

  /// Nil where the line begins with no record.
  init?(_ line: RawSpan) {
    var start = 0
    while start < line.byteCount, isJSONSpace(line.byte(at: start)) { start += 1 }
    guard start < line.byteCount, line.byte(at: start) == 0x7B else { return nil }
    strings = RecordString.Strings(from: start)
  }

  /// The next one, and where it stands, without its quotes.
  mutating func next(_ line: RawSpan) -> (text: Scratch, range: Range<Int>)? {
    while let name = strings.next(line) {
      let word = name.content(line)
      guard Self.names.contains(where: { word.equals($0) }),
        Self.isValue(line, behind: name.close), let value = strings.next(line),
        let text = value.text(line)
      else { continue }
      let range = value.open + 1..<value.close
      if read.isNew(text.bytes, at: range, on: line) { return (text, range) }
    }
    return nil
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
