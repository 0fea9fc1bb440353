// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// What Go's encoding/json makes of `<`, `>` and `&`, so that a record of a log, such as Docker's,
/// may stand in a page of HTML: `\u003c`, `\u003e` and `\u0026`. They are the arrows of many marks.
enum RecordEscapes {
  private static let escapes: [(text: StaticString, octet: UInt8)] = [
    ("\\u003c", 0x3C), ("\\u003e", 0x3E), ("\\u0026", 0x26),
  ]

  /// Whether a line may have some: it has a record.
  @inline(__always)
  static func mayStand(on line: RawSpan) -> Bool {
    record(line).map { LogMarks.last("\\u00", in: line.dropping($0)) != nil } ?? false
  }

  /// Where the record begins that the line is; nil where its first brace is of something else.
  private static func record(_ line: RawSpan) -> Int? {
    guard let brace = line.firstIndex(of: 0x7B) else { return nil }
    var before = brace
    while before > 0, isJSONSpace(line.byte(at: before - 1)) { before -= 1 }
    guard before > 0 else { return brace }
    switch line.byte(at: before - 1) {
    case 0x2C, 0x5B, 0x3A, 0x28, 0x22, 0x27: return nil
    default: return brace
    }
  }

  /// The line with what they stand for; nil when it has none.
  static func undone(_ line: RawSpan) -> Scratch? {
    guard var at = record(line) else { return nil }
    var text = Scratch()
    var done = 0
    while let slash = line.firstIndex(of: 0x5C, from: at), slash + 1 < line.byteCount {
      // What stands behind a backslash is escaped by it, another backslash, too.
      let rest = line.dropping(slash)
      guard let escape = escapes.first(where: { rest.starts(with: $0.text) }) else {
        at = slash + 2
        continue
      }
      text.append(line.extracting(done..<slash))
      text.append(escape.octet)
      at = slash + escape.text.utf8CodeUnitCount
      done = at
    }
    if done == 0 { return nil }
    text.append(line.dropping(done))
    return text
  }
}
