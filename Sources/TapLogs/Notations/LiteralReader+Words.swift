// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Values that are no lists: strings, numbers, words, and what stands in their place.
extension LiteralReader {
  private static let elisions: [StaticString] = [
    "Object", "Array", "Function", "Circular", "Getter", "class ",
  ]

  /// The booleans of Perl's JSON modules, as Data::Dumper prints them.
  private static let blessed: [(text: StaticString, json: StaticString)] = [
    (#"bless( do{\(my $o = 1)}, 'JSON::PP::Boolean' )"#, "true"),
    (#"bless( do{\(my $o = 0)}, 'JSON::PP::Boolean' )"#, "false"),
  ]

  /// `[Object]`, `[Array]`, `[Function: f]`: what Node prints in place of a value.
  mutating func elided(_ bytes: RawSpan, _ start: Int) -> Int? {
    let inner = bytes.dropping(start + 1)
    guard inner.byteCount > 0, inner.byte(at: 0).isAlpha,
      Self.elisions.contains(where: { inner.starts(with: $0) }),
      let end = bytes.firstIndex(of: .closeBracket, from: start)
    else { return nil }
    let next = bytes.behindSpace(end + 1)
    // `[Object: null prototype] { … }` is an object.
    if next < bytes.byteCount, bytes.byte(at: next) == .openBrace, inner.starts(with: "Object:") {
      return object(bytes, next, depth: 1)
    }
    leaveOut()
    isElided = true
    // What has functions is a value of a program.
    if !inner.starts(with: "Object]") && !inner.starts(with: "Array]") {
      (hasUnread, isOfProgram) = (true, true)
    }
    return end + 1
  }

  /// Strings; several behind each other are one that was broken into lines.
  mutating func strings(_ bytes: RawSpan, _ start: Int) -> Int? {
    guard var end = LiteralString.read(bytes, start, into: &json) else { return nil }
    while true {
      var next = bytes.behindSpace(end)
      guard next < bytes.byteCount else { return end }
      // `'…' +` of Node
      if bytes.byte(at: next) == UInt8(ascii: "+") { next = bytes.behindSpace(next + 1) }
      guard next < bytes.byteCount else { return end }
      let quote = bytes.byte(at: next)
      guard quote == .quote || quote == .apostrophe else { return cutString(bytes, next) ?? end }
      if next == end { return end }
      // The closing quote of the last string and the opening one of this are dropped.
      json.truncate(json.count - 1)
      let begin = json.count
      guard let after = LiteralString.read(bytes, next, into: &json) else { return nil }
      let part = json.bytes.dropping(begin + 1).copied()
      json.truncate(begin)
      json.append(part.span.bytes)
      end = after
    }
  }

  /// `'aaa'... 500 more characters`: more of the string that was just read is said to follow.
  private mutating func cutString(_ bytes: RawSpan, _ start: Int) -> Int? {
    guard LiteralWord.isElision(bytes.dropping(start)), let end = skip(bytes, start) else {
      return nil
    }
    json.truncate(json.count - 1)
    json.append("…\"")
    (isAbridged, isElided) = (true, true)
    return end
  }

  mutating func number(_ bytes: RawSpan, _ start: Int) -> Int? {
    var end = bytes.behind(start) { Self.isNumeric($0) }
    let digits = bytes.byte(at: start) == UInt8(ascii: "+") ? start + 1 : start
    let next = end < bytes.byteCount ? bytes.byte(at: end) : 0
    // A BigInt of JavaScript ends with an n, a long of Python 2 with an L.
    let isBig =
      (next == UInt8(ascii: "n") || next == UInt8(ascii: "L")) && end + 1 < bytes.byteCount
      && !bytes.byte(at: end + 1).isOfIdentifier
    if isBig || !next.isOfIdentifier {
      let text = bytes.extracting(digits..<end)
      // `2026-11-20` is none.
      guard end > digits, Self.isNumber(text) else { return nil }
      json.append(text)
      return isBig ? end + 1 : end
    }
    while end < bytes.byteCount, bytes.byte(at: end).isOfIdentifier { end += 1 }
    let word = bytes.extracting(start..<end)
    guard word.equals("-Infinity") || word.equals("-inf") else { return nil }
    json.append("-Infinity")
    isChanged = true
    return end
  }

  /// Whether signs stand where they may: at the beginning, and behind the letter of an exponent.
  private static func isNumber(_ text: RawSpan) -> Bool {
    for at in 1..<max(1, text.byteCount) {
      let byte = text.byte(at: at)
      if byte == .hyphen || byte == UInt8(ascii: "+"),
        text.byte(at: at - 1) | 0x20 != UInt8(ascii: "e")
      {
        return false
      }
    }
    return true
  }

  /// `True`, `None`, `undefined`, `Decimal('1.5')`, `<Buffer 01>`, `...`
  mutating func word(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int? {
    if let end = enumeration(bytes, start) { return end }
    if let end = orderedDictionary(bytes, start, depth: depth) { return end }
    if isOpen { return nil }
    let emptyObject: StaticString = "vim.empty_dict()"
    if bytes.dropping(start).starts(with: emptyObject) {
      json.append("{}")
      return start + emptyObject.utf8CodeUnitCount
    }
    for (text, json) in Self.blessed where bytes.dropping(start).starts(with: text) {
      self.json.append(json)
      return start + text.utf8CodeUnitCount
    }
    if let end = LiteralWord.more(bytes, start) {
      leaveOut()
      isElided = true
      let rest = bytes.dropping(start)
      if !rest.starts(with: "… ") && !rest.starts(with: "... ") { hasUnread = true }
      return end
    }
    let end = bytes.behind(start) { $0.isOfIdentifier }
    let word = bytes.extracting(start..<end)
    if let text = LiteralWord.json(word) {
      json.append(text)
      if text.utf8Start[0] < 0x61 { isChanged = true }
      return end
    }
    // Whatever the type prints of itself is passed over.
    guard let behind = skip(bytes, start) else { return nil }
    leaveOut()
    hasUnread = true
    if end > start && !Self.isClass(bytes, start, end) { isOfProgram = true }
    return behind
  }

  /// Whether a word is the name of a class, behind which Node prints a value: `Map(1) { … }`,
  /// `Uint8Array(2) [ … ]`, `Error: no`.
  private static func isClass(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
    guard bytes.byte(at: start).isUppercase else { return false }
    var behind = bytes.dropping(end)
    if behind.starts(with: "("), let close = behind.firstIndex(of: UInt8(ascii: ")")),
      behind.behindDigits(1) == close
    {
      behind = behind.dropping(close + 1)
    }
    return [" {", " [", ": "].contains { behind.starts(with: $0 as StaticString) }
  }

  /// `<MessageType.CALL: 48>`: such a member is sent as its value, a number or a string.
  private mutating func enumeration(_ bytes: RawSpan, _ start: Int) -> Int? {
    guard let first = LiteralWord.enumeration(bytes, start), first < bytes.byteCount else {
      return nil
    }
    let begin = json.count
    let isString = LiteralString.begins(bytes, first)
    if let end = isString ? strings(bytes, first) : number(bytes, first), end < bytes.byteCount,
      bytes.byte(at: end) == UInt8(ascii: ">")
    {
      isChanged = true
      return end + 1
    }
    json.truncate(begin)
    return nil
  }

  /// Where the comma or the bracket stands that ends what begins at `start`; nil when the text ends
  /// before.
  mutating func skip(_ bytes: RawSpan, _ start: Int) -> Int? {
    var depth = 0
    var at = start
    while at < bytes.byteCount {
      switch bytes.byte(at: at) {
      case .quote, .apostrophe, UInt8(ascii: "`"):
        if let end = Self.string(bytes, at) {
          at = end
          continue
        }
        // Else it is an apostrophe.
        if bytes.byte(at: at) != .apostrophe {
          at = bytes.byteCount
          continue
        }
      case .openBracket, .openBrace, UInt8(ascii: "("): depth += 1
      case .closeBracket, .closeBrace, UInt8(ascii: ")"):
        if depth == 0 { return at }
        depth -= 1
      case .comma: if depth == 0 { return at }
      default: break
      }
      at += 1
    }
    isOpen = true
    return nil
  }

  /// Behind the string that a quote begins; nil when it is an apostrophe, which nothing ends.
  private static func string(_ bytes: RawSpan, _ start: Int) -> Int? {
    let quote = bytes.byte(at: start)
    var at = start + 1
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte == quote { return at + 1 }
      if byte == .lineFeed { return nil }
      at += byte == .backslash ? 2 : 1
    }
    return nil
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == .period || byte == .hyphen || byte == UInt8(ascii: "+")
      || byte | 0x20 == UInt8(ascii: "e")
  }
}
