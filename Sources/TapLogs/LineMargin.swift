// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What a mail, a pager or grep puts before every line of a text, also before lines that go on:
/// `> `, the number of the line, the name of the file. Nothing but the line before tells such a
/// margin from what belongs to the text.
enum LineMargin {
  /// Digits of a line's number.
  private static let mostDigits = 9

  /// The length of the margin of a line that goes on; nil where it has none as the first has one.
  static func length(_ line: RawSpan, of first: RawSpan) -> Int? {
    guard line.byteCount > 0, first.byteCount > 0 else { return nil }
    if line.byte(at: 0) == 0x3E { return first.byte(at: 0) == 0x3E ? quoted(line) : nil }
    var name = 0
    if let file = LogSources.file(first) {
      guard file.upperBound < line.byteCount,
        line.extracting(file).equals(first.extracting(file))
      else { return nil }
      name = file.upperBound + 1
    }
    guard let (number, end) = numbered(line, name), let (before, _) = numbered(first, name) else {
      return name > 0 ? name : nil
    }
    return number > before ? end : nil
  }

  /// The length of what stands before the text of a line, and in the same way before that of
  /// another, a time and the like too; 0 for nothing.
  static func shared(_ line: RawSpan, with other: RawSpan) -> Int {
    let name = LinePrefix.length(line)
    if name > 0 {
      let isSame =
        other.byteCount >= name && line.extracting(0..<name).equals(other.extracting(0..<name))
      return isSame ? name : 0
    }
    return LinePrefix.stamp(line, as: other) ?? (length(other) > 0 ? length(line) : 0)
  }

  /// The length of the margin that a line seems to have; 0 for none.
  static func length(_ line: RawSpan) -> Int {
    if line.byteCount > 0, line.byte(at: 0) == 0x3E { return quoted(line) }
    let name = LogSources.file(line).map { $0.upperBound + 1 } ?? 0
    return numbered(line, name)?.end ?? name
  }

  /// Behind `> `, or several of them.
  private static func quoted(_ line: RawSpan) -> Int {
    var (at, end) = (0, 0)
    while at < line.byteCount, line.byte(at: at) == 0x3E || line.byte(at: at) == 0x20 && at == end {
      at += 1
      if line.byte(at: at - 1) == 0x3E { end = at }
    }
    return at
  }

  /// The number of a line, as `cat -n`, `grep -n` and bat have it, and where its text begins.
  private static func numbered(_ line: RawSpan, _ start: Int) -> (number: Int, end: Int)? {
    var at = start
    while at < line.byteCount, line.byte(at: at) == 0x20 { at += 1 }
    var number = 0
    let digits = at
    while at < line.byteCount, line.byte(at: at) &- 0x30 < 10, at - digits < mostDigits {
      number = number * 10 + Int(line.byte(at: at) - 0x30)
      at += 1
    }
    guard at > digits, at < line.byteCount else { return nil }
    switch line.byte(at: at) {
    // Lines around those that were found have hyphens.
    case 0x09, 0x3A, 0x2D: return (number, at + 1)
    default: break
    }
    while at < line.byteCount, line.byte(at: at) == 0x20 { at += 1 }
    let rest = line.dropping(at)
    let bar = rest.starts(with: "|") ? 1 : rest.starts(with: "\u{2502}") ? 3 : 0
    if bar == 0 { return nil }
    at += bar
    return (number, at < line.byteCount && line.byte(at: at) == 0x20 ? at + 1 : at)
  }
}
