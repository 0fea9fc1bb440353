// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A string as the library `websockets` prints it: `'[33,1,5862354]' [14 bytes]`. It prints so many
/// characters of the string's notation at most; two thirds are its beginning, a third its end, and
/// `...` stands between.
struct Measured {
  /// Octets that were sent.
  var length: Int
  /// Behind the string.
  var end: Int
  var isCut = false
  private var start: Int
  private var close: Int
  private var cutAt = 0

  /// - Parameter start: where the list begins, behind the quote.
  init?(_ line: RawSpan, _ start: Int) {
    guard start > 0 else { return nil }
    let quote = line.byte(at: start - 1)
    guard quote == 0x22 || quote == 0x27, let size = Self.size(line),
      let close = (start..<size.start).last(where: { line.byte(at: $0) == quote })
    else { return nil }
    (self.start, self.close, length, end) = (start, close, size.value, close + 1)
    var whole = Scratch()
    _ = LiteralString.unescape(
      line.extracting(0..<close), start, until: 0, isBytes: false, into: &whole)
    guard whole.count != length else { return }
    isCut = true
    cutAt = Self.cut(line, start - 1, close + 1)
  }

  /// The beginning, as JSON.
  func read(_ line: RawSpan, into json: inout Scratch) -> Bool {
    var text = Scratch()
    let end = isCut ? cutAt : close
    guard
      LiteralString.unescape(
        line.extracting(0..<end), start, until: 0, isBytes: false, into: &text) != nil
    else { return false }
    if isCut { CutList.close(text.bytes, into: &json) } else { json.append(text.bytes) }
    return true
  }

  /// ` [14 bytes]`, also ` [text, 14 bytes]`, at the end of the line.
  private static func size(_ line: RawSpan) -> (start: Int, value: Int)? {
    var end = line.byteCount
    while end > 0, ListStart.isSpace(line.byte(at: end - 1)) { end -= 1 }
    var open = end
    while open > 0, end - open < 64, line.byte(at: open - 1) != 0x5B { open -= 1 }
    guard open > 1, end > open, line.byte(at: end - 1) == 0x5D else { return nil }
    let text = line.extracting(open..<end).copied()
    let digits = text.split(separator: 0x20).dropLast().last ?? []
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }), digits.count < 12,
      text.dropLast().suffix(6).elementsEqual(" bytes".utf8)
        || text.dropLast().suffix(5).elementsEqual(" byte".utf8)
    else { return nil }
    return (open - 1, digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
  }

  /// Where `...` stands: of 3n + 3 characters behind the first 2n, else where it stands first.
  private static func cut(_ line: RawSpan, _ open: Int, _ end: Int) -> Int {
    var starts: [Int] = []
    for at in open..<end where line.byte(at: at) & 0xC0 != 0x80 { starts.append(at) }
    let expected = (starts.count - 3) / 3 * 2
    if starts.count > 6, starts.count % 3 == 0, line.dropping(starts[expected]).starts(with: "...")
    {
      return starts[expected]
    }
    var at = open
    while at + 3 <= end {
      if line.dropping(at).starts(with: "...") { return at }
      at += 1
    }
    return end - 1
  }
}
