// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Whether what looks like a time stands where a logger puts one.
enum LogPlace {
  /// Whether a date counts as a time: not where it is the value of a name that stands for no time.
  static func isOfDate(_ line: RawSpan, _ at: Int) -> Bool {
    guard let divider = divider(line, at), let range = LogTimeNames.word(line, before: divider)
    else {
      return true
    }
    if LogTimeNames.rank(line.extracting(range)) != nil { return true }
    // `INFO:2026-11-20`
    return line.byte(at: divider) == .colon && divider == range.upperBound
      && !(range.lowerBound > 0 && line.byte(at: range.lowerBound - 1).isQuoting)
  }

  /// Whether a clock (`23:34:50`) counts as a time: it may be part of an address, or a duration.
  static func isOfClock(_ line: RawSpan, _ at: Int) -> Bool {
    let end = line.before(at) { $0 == .space || $0.isQuoting }
    if end > 0, line.byte(at: end - 1) == .colon || line.byte(at: end - 1) == UInt8(ascii: "=") {
      return false
    }
    guard let word = LogTimeNames.word(line, before: end) else { return true }
    return !LogTimeNames.isDuration(line.extracting(word))
  }

  /// Whether a word may be that of a day or a month: a number, or one of these, follows it.
  static func mayBeName(_ line: RawSpan, _ start: Int) -> Bool {
    var at = line.behind(start) { $0.isAlpha }
    guard (3...9).contains(at - start) else { return false }
    let end = at
    while at < line.byteCount, at - end < 3, [.space, .comma, .period].contains(line.byte(at: at)) {
      at += 1
    }
    guard at > end, at < line.byteCount else { return false }
    return line.byte(at: at).isDigit || line.byte(at: at).isUppercase
  }

  /// The colon or equals sign before a value.
  static func divider(_ line: RawSpan, _ at: Int) -> Int? {
    let end = line.before(at) { $0.isAroundValue }
    guard end > 0, line.byte(at: end - 1) == .colon || line.byte(at: end - 1) == UInt8(ascii: "=")
    else {
      return nil
    }
    return end - 1
  }

  /// Whether a clock stands behind what may be a date in a notation that is not read.
  static func isBehindDate(_ line: RawSpan, _ begin: Int, _ clock: Int) -> Bool {
    var end = clock
    while end > begin, clock - end < 5, isDivider(line.byte(at: end - 1)) { end -= 1 }
    if end == clock { return false }
    let word = word(line, begin, end)
    if isDate(line.extracting(word)) { return true }
    // `Okt 20 ` and `20 Okt `, in some language.
    let before = line.before(word.lowerBound, from: begin) { isDivider($0) }
    let other = self.word(line, begin, before)
    if other.isEmpty || other.lowerBound > begin + 12 { return false }
    let (one, two) = (line.extracting(word), line.extracting(other))
    return isDay(one) && isWord(two) || isDay(two) && isWord(one)
  }

  /// The word that ends at an offset.
  private static func word(_ line: RawSpan, _ begin: Int, _ end: Int) -> Range<Int> {
    let start = line.before(end, from: begin) { !isDivider($0) }
    return start..<end
  }

  private static func isDivider(_ byte: UInt8) -> Bool {
    switch byte {
    case .space, .tab, .comma, .openBracket, .closeBracket, UInt8(ascii: "|"), .quote,
      UInt8(ascii: "T"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether a word looks like a date: two or three numbers with dividers (four are an address), or
  /// as many digits as a date or a year has.
  private static func isDate(_ word: RawSpan) -> Bool {
    guard !word.isEmpty, word.byte(at: 0).isDigit else { return false }
    var (groups, digits, isIn) = (0, 0, false)
    for at in 0..<word.byteCount {
      let byte = word.byte(at: at)
      if byte.isDigit {
        digits += 1
        if !isIn { groups += 1 }
        isIn = true
        continue
      }
      isIn = false
      let isBetween = (0x2D...0x2F).contains(byte) || byte >= 0x80 || byte.isAlpha
      if !isBetween { return false }
    }
    if groups > 1 { return groups < 4 }
    let isYear = digits == 4 && (word.starts(with: "19") || word.starts(with: "20"))
    return digits == word.byteCount && (digits == 6 || digits == 8 || isYear)
  }

  private static func isDay(_ word: RawSpan) -> Bool {
    guard (1...3).contains(word.byteCount), word.byte(at: 0).isDigit else { return false }
    return (1..<word.byteCount).allSatisfy {
      word.byte(at: $0).isDigit && $0 < 2 || word.byte(at: $0) == .period
    }
  }

  private static func isWord(_ word: RawSpan) -> Bool {
    guard (3...12).contains(word.byteCount) else { return false }
    return (0..<word.byteCount).allSatisfy {
      let byte = word.byte(at: $0)
      return byte.isAlpha || byte >= 0x80 || byte == .period
    }
  }
}
