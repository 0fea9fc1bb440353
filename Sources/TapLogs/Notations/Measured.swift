// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence

/// A string as the library `websockets` prints it: `'[33,1,5862354]' [14 bytes]`. It prints so many
/// characters of the string's notation at most; two thirds are its beginning, a third its end, and
/// `...` stands between.
struct Measured {
  /// Bytes that were sent.
  var length: Int
  /// Behind the string.
  var end: Int
  var isCut = false
  /// Bytes of `\U0001f600` but for the last.
  private static let longestEscape = 9
  private var start: Int
  private var close: Int
  private var cutAt = 0

  /// - Parameter start: where the list begins, behind the quote.
  init?(_ line: RawSpan, _ start: Int) {
    guard let size = Self.size(line), !size.isContinued else { return nil }
    self.init(line, start, size)
  }

  /// - Parameter start: behind the quote.
  init?(_ line: RawSpan, _ start: Int, _ size: Size) {
    guard start > 0, start <= size.start else { return nil }
    let quote = line.byte(at: start - 1)
    guard quote == .quote || quote == .apostrophe,
      let close = (start..<size.start).last(where: { line.byte(at: $0) == quote })
    else { return nil }
    (self.start, self.close, length, end) = (start, close, size.value, close + 1)
    var whole = Scratch()
    _ = Escape.unescape(
      line.extracting(0..<close), start, until: 0, isBytes: false, into: &whole)
    let elision = Self.elision(line, from: start - 1, to: close + 1)
    // Even if what is left is as long as what was sent, something may be missing: dots may stand
    // for an escape.
    guard whole.count != length || elision != nil else { return }
    isCut = true
    cutAt = elision ?? line.extracting(0..<close + 1).firstIndex(of: "...", from: start) ?? close
  }

  /// The string, or what stands before the cut; nil where its escapes are not understood.
  func content(_ line: RawSpan) -> Scratch? {
    var text = Scratch()
    var end = isCut ? cutAt : close
    // The cut may go through an escape: nothing of that is read.
    let least = isCut ? max(start, end - Self.longestEscape) : end
    while Escape.unescape(
      line.extracting(0..<end), start, until: 0, isBytes: false, into: &text) == nil
    {
      if end == least { return nil }
      end -= 1
      text.removeAll()
    }
    return text
  }

  /// The beginning, as JSON.
  func read(_ line: RawSpan) -> Scratch? {
    guard let text = content(line) else { return nil }
    if !isCut { return text }
    var json = Scratch()
    CutList.close(text.bytes, into: &json)
    return json
  }

  /// How many bytes a frame has, as it stands behind it.
  struct Size {
    /// Where its bracket stands.
    var start: Int
    var value: Int
    /// More frames of the same message follow.
    var isContinued: Bool
  }

  /// Bytes that loggers put behind it at most: a place in the source, the end of a record that was
  /// printed by a template, of a colour.
  private static let longestTrailer = 256

  /// ` [14 bytes]`, also ` [text, 14 bytes]` and ` [14 bytes, continued]`: the last one of the
  /// line.
  static func size(_ line: RawSpan) -> Size? {
    var last: Size?
    var at = max(2, line.byteCount - longestTrailer)
    while let bracket = line.firstIndex(of: .closeBracket, from: at) {
      last = size(line, endingAt: bracket + 1) ?? last
      at = bracket + 1
    }
    return last
  }

  private static func size(_ line: RawSpan, endingAt end: Int) -> Size? {
    // Most brackets end a list.
    guard line.byte(at: end - 2).isAlpha else { return nil }
    let open = line.before(end, from: max(0, end - 64)) { $0 != .openBracket }
    guard open > 1, end > open + 1 else { return nil }
    for part in line.extracting(open..<end - 1).copied().split(separator: .comma) {
      let words = part.split(separator: .space)
      guard words.count == 2, words[1].starts(with: "byte".utf8), words[0].count < 12,
        words[0].allSatisfy({ $0.isDigit })
      else { continue }
      let value = words[0].reduce(0) { $0 * 10 + Int($1 - 0x30) }
      let isContinued = line.extracting(open..<end - 1).copied().suffix(9)
        .elementsEqual("continued".utf8)
      return Size(start: open - 1, value: value, isContinued: isContinued)
    }
    return nil
  }

  /// Whether a size begins at a bracket.
  @inline(__always)
  static func isSize(_ line: RawSpan, _ bracket: Int) -> Bool {
    let at = line.behindDigits(bracket + 1)
    if at > bracket + 1 { return line.dropping(at).starts(with: " byte") }
    guard at < line.byteCount,
      line.byte(at: at) == UInt8(ascii: "t") || line.byte(at: at) == UInt8(ascii: "b")
    else { return false }
    return line.dropping(at).starts(with: "text, ") || line.dropping(at).starts(with: "binary, ")
  }

  /// Where `...` stands in place of what was left out: of 3n + 3 characters behind the first 2n.
  private static func elision(_ line: RawSpan, from open: Int, to end: Int) -> Int? {
    var starts: [Int] = []
    for at in open..<end where line.byte(at: at) & 0xC0 != 0x80 { starts.append(at) }
    guard starts.count > 6, starts.count % 3 == 0 else { return nil }
    let expected = starts[(starts.count - 3) / 3 * 2]
    return line.dropping(expected).starts(with: "...") ? expected : nil
  }
}
