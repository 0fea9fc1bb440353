// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The line that a program has printed, where it stands in a record of JSON, as loggers write them
/// and collectors keep them: `{"@timestamp":"…","message":"Sending CONNECT (…)"}`.
struct RecordedLine {
  /// Members that have it. The first of a record does.
  private static let names: [StaticString] = ["message", "msg", "event", "text", "log", "line"]

  let text: Scratch
  /// Where it stands, without its quotes.
  let range: Range<Int>

  /// Nil where the line is no record, or has no such member.
  init?(_ line: RawSpan) {
    var start = 0
    while start < line.byteCount, isJSONSpace(line.byte(at: start)) { start += 1 }
    guard start < line.byteCount, line.byte(at: start) == 0x7B else { return nil }
    var strings = RecordString.Strings(from: start)
    while let name = strings.next(line) {
      let word = name.content(line)
      guard Self.names.contains(where: { word.equals($0) }),
        Self.isValue(line, behind: name.close), let value = strings.next(line)
      else { continue }
      guard let text = value.text(line) else { return nil }
      var end = text.count
      while end > 0, isJSONSpace(text.bytes.byte(at: end - 1)) { end -= 1 }
      var whole = text
      whole.truncate(end)
      (self.text, range) = (whole, value.open + 1..<value.close)
      return
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
