// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// What programs put around a list that they print, and what does not say who sends it.
enum LogWrapping {
  /// Where the words before a list end: what is wrapped around it stands behind them.
  static func start(_ prefix: RawSpan) -> Int {
    counted(prefix, message(prefix, quoted(prefix, listStart(prefix))))
  }

  /// Where the list in a string begins whose first object comes next, `b'[`, or the map of Erlang
  /// whose brace does.
  private static func listStart(_ prefix: RawSpan) -> Int {
    let end = prefix.byteCount
    if end > 0, SentJSON.signs.contains(prefix.byte(at: end - 1)) { return end - 1 }
    guard end > 1, prefix.byte(at: end - 1) == .openBracket,
      [.quote, .apostrophe].contains(prefix.byte(at: end - 2))
    else { return end }
    return end - 1
  }

  /// `WSMessage(type=<WSMsgType.TEXT: 1>, data=` of aiohttp.
  static let message: StaticString = "WSMessage("

  private static func message(_ prefix: RawSpan, _ end: Int) -> Int {
    guard end > 5, prefix.dropping(end - 5).starts(with: "data="),
      let start = LogMarks.last(message, in: prefix.extracting(0..<end))
    else { return end }
    return start
  }

  /// `b'` and `u"` of Python, `<<"` of Erlang, `a["` of SockJS.
  private static func quoted(_ prefix: RawSpan, _ count: Int) -> Int {
    let end = prefix.before(count) { $0.isQuoting }
    if end < count, end > 1, prefix.byte(at: end - 1) == UInt8(ascii: "<"),
      prefix.byte(at: end - 2) == UInt8(ascii: "<")
    {
      return end - 2
    }
    var first = end
    if end > 0, prefix.byte(at: end - 1) == .openBracket { first -= 1 }
    let isFrame = first < end || end == count
    guard first > 0, isFrame ? prefix.byte(at: first - 1) == UInt8(ascii: "a") : end < count else {
      return end
    }
    while first > 0, end - first < 3, prefix.byte(at: first - 1).isAlpha { first -= 1 }
    let letters = prefix.extracting(first..<end)
    guard first == 0 || !isOfPath(prefix.byte(at: first - 1)), !letters.isEmpty else { return end }
    if isFrame { return letters.byteCount <= 2 ? first : end }
    let isPrefix = (0..<letters.byteCount).allSatisfy {
      [UInt8(ascii: "b"), UInt8(ascii: "r"), UInt8(ascii: "u")].contains(
        letters.byte(at: $0) | 0x20)
    }
    return isPrefix ? first : end
  }

  /// `(5) ` and `Array(3) ` of the consoles of browsers.
  private static func counted(_ prefix: RawSpan, _ count: Int) -> Int {
    let end = prefix.beforeBlanks(count)
    guard end > 2, prefix.byte(at: end - 1) == UInt8(ascii: ")") else { return count }
    let digits = prefix.beforeDigits(end - 1)
    guard digits < end - 1, digits > 0, prefix.byte(at: digits - 1) == UInt8(ascii: "(") else {
      return count
    }
    let name = digits - 1
    if name >= 5, prefix.dropping(name - 5).starts(with: "Array") { return name - 5 }
    return name
  }

  /// Of a word of a program: `a.b$1`.
  private static func isOfPath(_ byte: UInt8) -> Bool {
    byte.isWord || byte == .period || byte == UInt8(ascii: "$")
  }
}
