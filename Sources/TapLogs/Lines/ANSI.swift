// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Escape sequences of terminals (ECMA-48): colours, cursor movements, titles.
enum ANSI {
  /// The line without them.
  static func stripped(_ line: RawSpan) -> Scratch {
    var text = Scratch()
    var at = 0
    while let escape = line.firstIndex(of: 0x1B, from: at) {
      text.append(line.extracting(at..<escape))
      at = end(line, escape)
    }
    text.append(line.dropping(at))
    return text
  }

  /// Whether a line has sequences whose first character is written in letters: `\u001b[32m`,
  /// `\x1b[32m`, `^[[32m`.
  static func hasSpelledOutSequences(_ line: RawSpan) -> Bool {
    var at = 0
    while let bracket = line.firstIndex(of: .openBracket, from: at) {
      if notation(line, bracket, from: 0) != nil { return true }
      at = bracket + 1
    }
    return false
  }

  /// Where the notation of an escape begins that stands before a bracket.
  @inline(__always)
  static func notation(_ line: RawSpan, _ bracket: Int, from start: Int) -> Int? {
    guard bracket - start >= 2 else { return nil }
    switch line.byte(at: bracket - 1) {
    case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "3"), UInt8(ascii: "e"), .openBracket:
      return written(line, bracket, from: start)
    default: return nil
    }
  }

  private static let notations: [StaticString] = [
    "\\u001b", "\\u001B", "\\x1b", "\\x1B", "\\033", "\\e", "^[",
  ]

  private static func written(_ line: RawSpan, _ bracket: Int, from start: Int) -> Int? {
    for notation in notations {
      let first = bracket - notation.utf8CodeUnitCount
      guard first >= start, line.dropping(first).starts(with: notation) else { continue }
      // In a string in a string, the backslash is escaped itself.
      var begin = first
      while begin > start, line.byte(at: begin) == .backslash,
        line.byte(at: begin - 1) == .backslash
      {
        begin -= 1
      }
      return begin
    }
    return nil
  }

  /// The line without sequences that are written in letters.
  static func withoutSpelledOutSequences(_ line: RawSpan) -> Scratch {
    var text = Scratch()
    var (run, at) = (0, 0)
    while let bracket = line.firstIndex(of: .openBracket, from: at) {
      at = bracket + 1
      guard let begin = notation(line, bracket, from: run) else { continue }
      text.append(line.extracting(run..<begin))
      at = endOfParameters(line, bracket)
      run = at
    }
    text.append(line.dropping(run))
    return text
  }

  /// The longest notation of an escape that `behind` passes over, with its bracket.
  private static let longestNotation = 16

  /// Where the sequences end that stand at a place, as they are or written in letters.
  static func behind(_ line: RawSpan, _ start: Int) -> Int {
    var at = start
    while at < line.byteCount {
      if line.byte(at: at) == 0x1B {
        at = end(line, at)
        continue
      }
      let near = line.extracting(0..<min(line.byteCount, at + longestNotation))
      guard let bracket = near.firstIndex(of: .openBracket, from: at),
        notation(line, bracket, from: at) == at
      else { return at }
      at = endOfParameters(line, bracket)
    }
    return at
  }

  /// Where the sequence of a colour begins that ends at an offset; that offset where none does.
  @inline(__always)
  static func start(_ line: RawSpan, ofSequenceEndingAt end: Int) -> Int {
    guard end > 2, line.byte(at: end - 1) == UInt8(ascii: "m") else { return end }
    let first = line.before(end - 1) { $0.isDigit || $0 == UInt8(ascii: ";") }
    guard first > 1, line.byte(at: first - 1) == .openBracket, line.byte(at: first - 2) == 0x1B
    else { return end }
    return first - 2
  }

  /// Behind a bracket: parameters, then one final byte.
  private static func endOfParameters(_ line: RawSpan, _ bracket: Int) -> Int {
    let at = line.behind(bracket + 1) { $0 &- 0x20 < 0x20 }
    return min(at + 1, line.byteCount)
  }

  private static func end(_ line: RawSpan, _ escape: Int) -> Int {
    var at = escape + 1
    guard at < line.byteCount else { return at }
    switch line.byte(at: at) {
    case .openBracket: return endOfParameters(line, at)
    case .closeBracket:
      // Up to BEL or ST.
      while at < line.byteCount, line.byte(at: at) != 0x07, line.byte(at: at) != 0x1B { at += 1 }
      return min(at + 1, line.byteCount)
    // Intermediate bytes, as in ESC ( B, then one final byte.
    case 0x20...0x2F:
      while at < line.byteCount, line.byte(at: at) &- 0x20 < 0x10 { at += 1 }
      return min(at + 1, line.byteCount)
    default: return at + 1
    }
  }
}
