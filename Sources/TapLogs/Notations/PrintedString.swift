// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence

/// A list in a string as Python and JavaScript print it: in single quotes or in backticks, so that
/// the quotes in it are not escaped, and only the quotes of the string show that its escapes are to
/// be undone. The string may be in the text of others, as records of JSON have it.
struct PrintedString {
  /// The list, and what else is in its string; where the string does not end, what there is of it.
  private(set) var text = Scratch()
  /// From its quote to behind the string.
  let place: Range<Int>
  /// The line ends before the string does.
  let isCut: Bool
  /// The text goes on to the end of the string.
  private var isToEnd = true

  /// Bytes of a known string that are undone at once: an object in it is seldom longer.
  private static let piece = 4 << 10
  /// Bytes that are searched for the quote before a list.
  private static let furthest = 256

  /// Behind the string.
  var end: Int { place.upperBound }

  /// Nil when no such string is around the list, or nothing in it is escaped.
  ///
  /// - Parameters:
  ///   - start: of the list.
  ///   - known: a string on the line that was found before; the text goes on at least to the end of
  ///     the list, so that many lists in one string are gone over once.
  init?(_ line: RawSpan, _ start: Int, within known: Range<Int>? = nil) {
    let isKnown = known?.contains(start) == true
    guard let open = isKnown ? known?.lowerBound : Self.opening(line, start) else { return nil }
    let quote = line.byte(at: open)
    // Most strings have no escape.
    let set = UInt64(quote) * 0x0001_0001_0001_0001 | 0x5C00_5C00_5C00_5C00
    let first = line.firstIndex(ofAny: set, from: start)
    guard first + 1 < line.byteCount, line.byte(at: first) == .backslash else { return nil }
    // An escape of its own quote is none of a string around it.
    let depth =
      line.byte(at: first + 1) == quote ? 0 : EscapedList.depth(line, start, isInLiteral: true)
    let isBytes = Self.isBytes(line, open)
    if isKnown, let known {
      (place, isCut) = (known, false)
      var (stop, most) = (start, Self.piece)
      repeat {
        stop = min(known.upperBound - 1, start + most)
        most *= 4
        isToEnd = stop == known.upperBound - 1
        let part = Self.undone(line.extracting(start..<stop), depth: depth, isBytes: isBytes)
        if part == nil && isToEnd { return nil }
        text = part ?? Scratch()
      } while !isToEnd && ListEnd.json(text.bytes, 0) == nil
    } else {
      guard let found = Self.end(line, start, quote, depth: depth),
        let all = Self.undone(line.extracting(start..<found.end), depth: depth, isBytes: isBytes)
      else { return nil }
      isCut = found.close == nil
      place = open..<(isCut ? found.end : found.end + 1)
      text = all
    }
    // What was sent has no line breaks in its strings: these escapes are its own.
    if Self.hasControls(text.bytes) { return nil }
  }

  /// - Parameters:
  ///   - depth: how many strings of JSON it is inside of.
  ///   - isBytes: the innermost literal is of bytes.
  /// - Returns: nil where an escape is not understood, or cut.
  private static func undone(_ printed: RawSpan, depth: Int, isBytes: Bool) -> Scratch? {
    var text = Scratch()
    text.append(printed)
    for layer in 0...depth {
      var inner = Scratch()
      guard
        Escape.unescape(
          text.bytes, 0, until: 0, isBytes: isBytes && layer == depth, into: &inner) != nil
      else { return nil }
      text = inner
    }
    return text
  }

  /// Where an object ends on the line that is the first part of the text: with the string, unless
  /// more follows than white space. No language escapes a brace.
  func end(_ line: RawSpan, ofObject start: Int, _ count: Int) -> Int {
    let isLast = (count..<text.count).allSatisfy { text.bytes.byte(at: $0).isJSONSpace }
    if isToEnd && isLast { return end }
    var braces = (0..<count).count { text.bytes.byte(at: $0) == .closeBrace }
    var at = start
    while braces > 0, let brace = line.firstIndex(of: .closeBrace, from: at), brace < end {
      (at, braces) = (brace + 1, braces - 1)
    }
    return at
  }

  /// Whether a list may be in such a string, as far as the bytes beside it show.
  @inline(__always)
  static func mayBegin(_ line: RawSpan, _ start: Int) -> Bool {
    start > 0 && isQuote(line.byte(at: start - 1))
  }

  @inline(__always)
  static func isQuote(_ byte: UInt8) -> Bool { byte == .apostrophe || byte == UInt8(ascii: "`") }

  private static let quotes: UInt64 = 0x2760_2760_2760_2760

  /// The quote before the list that opens its string: right before it, or before words.
  private static func opening(_ line: RawSpan, _ start: Int) -> Int? {
    let near = line.extracting(max(0, start - furthest)..<start)
    if near.firstIndex(ofAny: quotes, from: 0) == near.byteCount { return nil }
    var at = start
    while at > 0, start - at < furthest {
      at -= 1
      let byte = line.byte(at: at)
      guard isQuote(byte) else { continue }
      // Behind a word it is an apostrophe, or ends a string.
      if at == 0 || at == start - 1 { return at }
      let before = line.byte(at: at - 1)
      let isFree = !before.isOfIdentifier || isPrefixed(line, at)
      return isFree && before != .backslash && !line.byte(at: at + 1).isJSONSpace ? at : nil
    }
    return nil
  }

  /// Whether a letter before the quote is one of Python's: `b'…'`, `u'…'`.
  private static func isPrefixed(_ line: RawSpan, _ quote: Int) -> Bool {
    LiteralString.begins(line, quote - 1)
      && (quote < 2 || !line.byte(at: quote - 2).isOfIdentifier)
  }

  private static func isBytes(_ line: RawSpan, _ quote: Int) -> Bool {
    quote > 0 && line.byte(at: quote - 1) | 0x20 == UInt8(ascii: "b") && isPrefixed(line, quote)
  }

  /// Where the string ends: at its quote, at that of a string around it, or with the line. Nil when
  /// there is no escape in it.
  ///
  /// - Parameter depth: how many strings of JSON it is inside of.
  private static func end(
    _ line: RawSpan, _ start: Int, _ quote: UInt8, depth: Int
  ) -> (end: Int, close: UInt8?)? {
    var at = start
    var hasEscape = false
    while at < line.byteCount {
      let byte = line.byte(at: at)
      if byte == .backslash {
        hasEscape = true
        let first = at
        while at < line.byteCount, line.byte(at: at) == .backslash { at += 1 }
        guard at < line.byteCount else { break }
        let slashes = at - first
        // Each string around has doubled those of this one.
        let isEscaped = slashes >> depth & 1 == 1
        if line.byte(at: at) == quote && !isEscaped { continue }
        if line.byte(at: at) == .quote && depth > 0 && slashes & 1 == 0 { return (first, nil) }
      } else if byte == quote {
        return hasEscape ? (at, quote) : nil
      } else if byte == .lineFeed && quote != UInt8(ascii: "`") {
        break
      } else if byte == .quote && depth > 0 {
        return hasEscape ? (at, nil) : nil
      }
      at += 1
    }
    return hasEscape ? (min(at, line.byteCount), nil) : nil
  }

  /// Whether controls stand in strings of what should be JSON.
  private static func hasControls(_ text: RawSpan) -> Bool {
    var isInString = false
    var at = 0
    while at < text.byteCount {
      let byte = text.byte(at: at)
      if byte == .quote { isInString.toggle() }
      if byte == .backslash { at += 1 } else if isInString && byte < 0x20 { return true }
      at += 1
    }
    return false
  }
}
