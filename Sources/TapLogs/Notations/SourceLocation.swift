// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The place in a program's source that logged a line: `protocol.py:755`, `Session:42`.
enum SourceLocation {
  /// The limits of a line number in digits, and of a file name in bytes.
  private static let mostDigits = 6
  private static let longest = 64

  /// Where the location begins that ends at `end`; nil for none.
  static func start(_ text: RawSpan, endingAt end: Int) -> Int? {
    var at = text.before(end, from: max(0, end - mostDigits)) { $0.isDigit }
    let suffix = at - 4
    guard at < end, suffix > 0, text.dropping(suffix).starts(with: ".py:") else { return nil }
    at = suffix
    while at > 0, suffix - at < longest, text.byte(at: at - 1).isOfName { at -= 1 }
    return at < suffix ? at : nil
  }

  /// Where the blank stands before the place that the console of a browser puts behind a text:
  /// ` app.js:12:9` in Firefox, ` (app.js, line 12)` in Safari, `", source: http://… (12)` in the
  /// log of Chromium; nil for none.
  static func consoleStart(_ text: RawSpan, endingAt end: Int) -> Int? {
    let isClosed = end > 0 && text.byte(at: end - 1) == UInt8(ascii: ")")
    let last = isClosed ? end - 1 : end
    let digits = text.beforeDigits(last)
    guard digits < last, digits > 1 else { return nil }
    let before = text.extracting(0..<digits)
    if !isClosed {
      let line = before.beforeDigits(digits - 1)
      guard before.byte(at: digits - 1) == .colon, line < digits - 1, line > 0,
        before.byte(at: line - 1) == .colon
      else { return nil }
      return before.extracting(0..<line - 1).beforeWord(line - 1)
    }
    for words in [", line ", " ("] as [StaticString] {
      let name = digits - words.utf8CodeUnitCount
      guard name > 0, before.dropping(name).starts(with: words),
        let start = before.beforeWord(name)
      else { continue }
      if words.utf8CodeUnitCount > 2 {
        return before.byte(at: start + 1) == UInt8(ascii: "(") ? start : nil
      }
      let source = "\", source:".utf8.count
      guard start >= source, before.dropping(start - source).starts(with: "\", source:") else {
        return nil
      }
      return start - source
    }
    return nil
  }

  /// Whether a text is a location and nothing else, apart from a colon at its end.
  static func isAll(of text: RawSpan) -> Bool {
    let last = text.byteCount - 1
    let end = last > 0 && text.byte(at: last) == .colon ? last : text.byteCount
    return start(text, endingAt: end) == 0
  }

  /// Whether a name with what follows it stands where loggers print the place without a suffix,
  /// `DEBUG Session:42 - `, `DEBUG | client:send:5 - `, `DEBUG [main] websockets.client:42 `:
  /// behind the level of the line, with at most a thread between, and with the name of a class, a
  /// function or a module. `session:42` may be an id.
  ///
  /// - Parameter value: what follows the colon behind the name.
  static func isNamed(_ text: RawSpan, _ name: Range<Int>, _ value: Range<Int>) -> Bool {
    guard value.lowerBound == name.upperBound + 1,
      text.byte(at: name.upperBound) == .colon, let end = lineEnd(text, value)
    else { return false }
    let start = text.before(name.lowerBound) { $0.isOfName }
    let isOfModule = start < name.lowerBound && text.byte(at: name.lowerBound - 1) == .period
    if !isOfModule {
      guard
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text.byte(at: name.lowerBound))
          || !text.byte(at: value.lowerBound).isDigit
      else { return false }
      let rest = text.dropping(end)
      guard rest.starts(with: " - ") || rest.starts(with: ": ") else { return false }
    }
    return isBehindLevel(text, start)
  }

  /// The end of a line's number, behind which only a colon may stand. The name of a function may
  /// be before it: `send:42`.
  private static func lineEnd(_ text: RawSpan, _ value: Range<Int>) -> Int? {
    var at = value.lowerBound
    if text.byte(at: at).isAlpha || text.byte(at: at) == UInt8(ascii: "_") {
      while at < value.upperBound, text.byte(at: at).isWord { at += 1 }
      guard at < value.upperBound, text.byte(at: at) == .colon else { return nil }
      at += 1
    }
    let digits = at
    while at < value.upperBound, text.byte(at: at).isDigit { at += 1 }
    guard (1...mostDigits).contains(at - digits) else { return nil }
    let isLast = at == value.upperBound || at + 1 == value.upperBound && text.byte(at: at) == .colon
    return isLast ? at : nil
  }

  /// Whether the word before is a level, `DEBUG | `, `[DEBUG] `, `DEBUG [main] `.
  private static func isBehindLevel(_ text: RawSpan, _ start: Int) -> Bool {
    var end = start
    for _ in 0..<2 {
      while end > 0, text.byte(at: end - 1) == .space || text.byte(at: end - 1) == UInt8(ascii: "|")
      { end -= 1 }
      let isBracketed = end > 0 && text.byte(at: end - 1) == .closeBracket
      if isBracketed { end -= 1 }
      var begin = text.before(end, from: max(0, end - longest)) { $0.isAlpha }
      if begin < end, LogSources.isNameOfLevel(text.extracting(begin..<end)) { return true }
      guard isBracketed else { return false }
      while begin > 0, end - begin < longest, text.byte(at: begin - 1) != .openBracket {
        begin -= 1
      }
      guard begin > 0, text.byte(at: begin - 1) == .openBracket else { return false }
      end = begin - 1
    }
    return false
  }
}

extension RawSpan {
  /// Where the blank stands before the word that ends there; nil for none.
  fileprivate func beforeWord(_ end: Int) -> Int? {
    let start = before(end) { $0 > 0x20 }
    return start < end && start > 0 ? start - 1 : nil
  }
}
