// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

extension CredentialNames {
  /// How a name is spelled, read backwards from the separator between it and its value.
  struct Spelling {
    /// The quote around it; 0 for none.
    var quote: UInt8 = 0
    /// Backslashes before each quote: more the deeper the string is nested in other strings.
    var level = 0
    /// It is the name of an HTTP field.
    var isField = false
    /// It occurs in prose, too: `invalid token: expired`.
    var isWord = false
    /// It names no credential, but what stands behind it may; see `LabelledValue`.
    var isLabel = false

    /// Nil when neither a name of a credential nor a label stands there.
    init?(before separator: Int, _ text: RawSpan, _ names: borrowing NameTable) {
      var at = separator
      while at > 0, text.byte(at: at - 1) <= 0x20 { at -= 1 }
      if at > 0, Self.isQuote(text.byte(at: at - 1)) {
        quote = text.byte(at: at - 1)
        at -= 1
        while at > 0, text.byte(at: at - 1) == UInt8(ascii: "\\") {
          at -= 1
          level += 1
        }
      }
      // Forms of Rails, Phoenix and PHP have the name of a field in brackets: `user[password]=`.
      let closing = Self.bracket(UInt8(ascii: "]"), text, endingAt: at)
      at -= closing
      // Compare hashes first: most words are no name of a credential.
      if Self.isRuledOut(text, endingAt: at, names) { return nil }
      let end = at
      var (mark, markBefore) = (NameMark(), NameMark())
      var first: UInt8 = 0
      while at > 0,
        let (letter, length) = Self.letter(text, endingAt: at, isQuoted: quote != 0)
      {
        at -= length
        if letter == 0 { continue }
        (markBefore, first) = (mark, letter)
        mark.add(letter)
        if !names.mayEnd(with: mark) || mark.count > names.longest + 1 { return nil }
      }
      if closing > 0, Self.bracket(.openBracket, text, endingAt: at) == 0 { return nil }
      // In a JSON string, the escape `\n` may stand right before a name: the lines of an HTTP head.
      let isBehindSlash = at > 0 && text.byte(at: at - 1) == UInt8(ascii: "\\")
      let isEscape = quote == 0 && isBehindSlash && Self.isEscape(first)
      let word = isEscape ? markBefore : mark
      guard names.mayContain(word) else { return nil }
      isLabel = LabelledValue.isLabel(word)
      if isLabel { return }
      var letters: [UInt8] = []
      _ = Self.eachLetter(text, ByteRange(at, end), isQuoted: quote != 0) { letters.append($0) }
      letters.reverse()
      if isEscape { letters.removeFirst() }
      guard names.letters.contains(letters) else { return nil }
      if quote != 0 || closing > 0 { return }
      let name = String(decoding: letters, as: Unicode.UTF8.self)
      isField = ["authorization", "cookie", "setcookie"].contains(name)
      isWord = ["token", "bearer", "credential", "credentials"].contains(name)
    }

    /// Whether the letters of the last eight bytes end no name. Only of small letters and `_`
    /// behind eight bytes without an escape; false for all else.
    @inline(__always)
    private static func isRuledOut(
      _ text: RawSpan, endingAt end: Int, _ names: NameTable
    ) -> Bool {
      guard end >= 16 else { return false }
      let ones: UInt64 = 0x0101_0101_0101_0101
      let (word, before) = (text.word(at: end - 8), text.word(at: end - 16))
      // The highest bit of a byte says that it is less than `_`, or more than `z`.
      let odd = ~(word &+ ones &* 0x21) | (word &+ ones &* 0x05) | word
      let slashes = before ^ ones &* UInt64(UInt8(ascii: "\\"))
      let percents = before ^ ones &* UInt64(UInt8(ascii: "%"))
      let escapes = (slashes &- ones) & ~slashes | (percents &- ones) & ~percents
      if (odd | escapes) & (ones &* 0x80) != 0 { return false }
      var mark = NameMark()
      var at = end
      while at > end - 8 {
        at -= 1
        let letter = text.byte(at: at)
        if letter == UInt8(ascii: "`") { return false }
        if letter == UInt8(ascii: "_") { continue }
        mark.add(letter)
        if !names.mayEnd(with: mark) { return true }
      }
      return false
    }

    /// How long the bracket is that ends there, as it is or escaped for a form (`%5B`); 0 for none.
    @inline(__always)
    private static func bracket(_ bracket: UInt8, _ text: RawSpan, endingAt end: Int) -> Int {
      guard end > 0 else { return 0 }
      let last = text.byte(at: end - 1)
      if last == bracket { return 1 }
      guard end >= 3, text.byte(at: end - 3) == UInt8(ascii: "%"),
        hex(text.extracting(end - 2..<end)) == UInt16(bracket)
      else { return 0 }
      return 3
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
    }

    /// The letter of an escape for a control character (RFC 8259 §7).
    private static func isEscape(_ letter: UInt8) -> Bool {
      switch letter {
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"),
        UInt8(ascii: "f"):
        true
      default: false
      }
    }

    /// Goes over the letters of a name in lower case, the last one first.
    ///
    /// - Returns: whether all of it is such letters and what is ignored.
    static func eachLetter(
      _ text: RawSpan, _ name: ByteRange, isQuoted: Bool, _ body: (UInt8) -> Void
    ) -> Bool {
      var at = name.end
      while at > name.start {
        guard let (letter, length) = letter(text, endingAt: at, isQuoted: isQuoted) else {
          return false
        }
        at -= length
        if letter != 0 { body(letter) }
      }
      return true
    }

    /// The character that ends at `end`, in lower case (0 for one that is ignored), and its length
    /// in bytes; nil where the name begins.
    @inline(__always)
    private static func letter(
      _ text: RawSpan, endingAt end: Int, isQuoted: Bool
    ) -> (letter: UInt8, length: Int)? {
      let byte = text.byte(at: end - 1)
      // The fast path takes `g` to `z` only: `a` to `f` and digits may be part of an escape.
      return byte &- UInt8(ascii: "g") < 20
        ? (byte, 1) : rareLetter(byte, text, endingAt: end, isQuoted: isQuoted)
    }

    @inline(never)
    private static func rareLetter(
      _ byte: UInt8, _ text: RawSpan, endingAt end: Int, isQuoted: Bool
    ) -> (letter: UInt8, length: Int)? {
      if end >= 6, text.byte(at: end - 6) == UInt8(ascii: "\\"),
        text.byte(at: end - 5) == UInt8(ascii: "u"),
        let code = hex(text.extracting(end - 4..<end))
      {
        return meaning(UInt8(exactly: code) ?? 1, isQuoted).map { ($0, 6) }
      }
      if end >= 3, text.byte(at: end - 3) == UInt8(ascii: "%"),
        let code = hex(text.extracting(end - 2..<end))
      {
        return meaning(UInt8(exactly: code) ?? 1, isQuoted).map { ($0, 3) }
      }
      return meaning(byte, isQuoted).map { ($0, 1) }
    }

    private static func meaning(_ byte: UInt8, _ isQuoted: Bool) -> UInt8? {
      if byte == UInt8(ascii: " ") && !isQuoted { return nil }
      if isIgnored(byte) { return 0 }
      return isLetterOrDigit(lower(byte)) ? lower(byte) : nil
    }

    private static func hex(_ digits: RawSpan) -> UInt16? {
      UInt16(String(decoding: digits.copied(), as: Unicode.UTF8.self), radix: 16)
    }
  }
}
