// SPDX-License-Identifier: Apache-2.0

internal import TapBytes

/// Takes the parts of a time from the beginning of some bytes.
struct LogDigits: ~Escapable {
  private let bytes: RawSpan
  var at = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  /// The next byte; 0 at the end.
  var peek: UInt8 { at < bytes.byteCount ? bytes.byte(at: at) : 0 }

  /// Whether the byte at `index` is a digit.
  private func isDigit(_ index: Int) -> Bool {
    index < bytes.byteCount && bytes.byte(at: index).isDigit
  }

  var isLetter: Bool { peek.isAlpha }

  mutating func rewind() { at = 0 }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte, at < bytes.byteCount else { return false }
    at += 1
    return true
  }

  /// A number that is not longer than `most` digits.
  mutating func number(most: Int) -> (value: Int, count: Int)? {
    var value = 0
    var end = at
    while isDigit(end) {
      if end - at == most { return nil }
      value = value &* 10 &+ Int(bytes.byte(at: end) - 0x30)
      end += 1
    }
    if end == at { return nil }
    let count = end - at
    at = end
    return value < 0 ? nil : (value, count)
  }

  mutating func number(exactly count: Int) -> Int? {
    var value = 0
    for index in at..<at + count {
      guard isDigit(index) else { return nil }
      value = value * 10 + Int(bytes.byte(at: index) - 0x30)
    }
    at += count
    return value
  }

  /// `.455306`, `,455` or `:455` in nanoseconds, and how many digits that were; digits beyond the
  /// ninth are passed over. Behind a comma fewer than three are the next column of a table.
  mutating func fraction() -> (nanoseconds: Int64, digits: UInt8) {
    guard isDigit(at + 1) else { return (0, 0) }
    var end = at + 2
    while isDigit(end) { end += 1 }
    let digits = end - at - 1
    switch peek {
    case .period: break
    case .comma: if digits < 3 { return (0, 0) }
    case .colon:
      let goesOn = end < bytes.byteCount && bytes.byte(at: end) == .colon
      if digits != 3 || goesOn { return (0, 0) }
    default: return (0, 0)
    }
    at += 1
    var value: Int64 = 0
    var count = 0
    while isDigit(at) {
      if count < 9 {
        value = value * 10 + Int64(peek - 0x30)
        count += 1
      }
      at += 1
    }
    for _ in count..<9 { value *= 10 }
    return (value, UInt8(count))
  }

  /// A blank, also a no-break space as some loggers put it before PM.
  mutating func blank() -> Bool {
    if take(.space) { return true }
    let rest = bytes.dropping(at)
    if rest.starts(with: "\u{A0}") {
      at += 2
      return true
    }
    guard rest.starts(with: "\u{202F}") else { return false }
    at += 3
    return true
  }

  /// ` AM`, ` p.m.`, ` p. m.`: the hours to be added.
  mutating func half() -> Int? {
    let begin = at
    _ = blank()
    let isLater = peek | 0x20 == UInt8(ascii: "p")
    if isLater || peek | 0x20 == UInt8(ascii: "a") {
      at += 1
      let isDotted = take(.period)
      if isDotted { _ = blank() }
      if peek | 0x20 == UInt8(ascii: "m") {
        at += 1
        if isDotted { _ = take(.period) }
        if !isLetter && !peek.isDigit { return isLater ? 12 : 0 }
      }
    }
    at = begin
    return nil
  }

  /// `오후 ` and its like, which stand before the clock: the hours to be added.
  mutating func halfAhead() -> Int? {
    if peek < 0x80 { return nil }
    let rest = bytes.dropping(at)
    for (index, name) in Self.halves.enumerated() where rest.starts(with: name) {
      at += name.utf8CodeUnitCount
      _ = blank()
      return index % 2 * 12
    }
    return nil
  }

  private static let halves: [StaticString] = ["오전", "오후", "上午", "下午", "午前", "午後"]

  /// `Z`, `+0000`, ` +01:00`, ` UTC`, ` GMT+1`, ` CET`: seconds ahead of UTC.
  mutating func zone() -> Int? {
    let begin = at
    if (take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z"))) && !isLetter { return 0 }
    at = begin
    let hasBlank = blank()
    if isLetter {
      let name = bytes.extracting(at..<at + letters)
      if let offset = LogZone.offset(name) {
        at += letters
        if name.equals("UTC") || name.equals("GMT"), let more = self.offset(isShort: true) {
          return more
        }
        return offset
      }
    } else if let offset = self.offset(isShort: !hasBlank) {
      return offset
    }
    at = begin
    return nil
  }

  /// `+0100`, `-05:30`, and, where a zone is sure to be meant, `+1` and `-05`.
  private mutating func offset(isShort: Bool) -> Int? {
    let begin = at
    let sign = peek
    guard take(UInt8(ascii: "+")) || take(.hyphen) else { return nil }
    if let (hours, count) = number(most: 4) {
      var parts: (Int, Int)?
      if count == 4 { parts = (hours / 100, hours % 100) }
      if count <= 2 {
        let end = at
        if take(.colon), let minutes = number(exactly: 2) {
          parts = (hours, minutes)
        } else {
          at = end
          // Without minutes, one digit behind a time may be anything.
          if isShort { parts = (hours, 0) }
        }
      }
      if let (hours, minutes) = parts, hours <= 14, minutes < 60, minutes % 15 == 0,
        !peek.isDigit
      {
        let seconds = (hours * 60 + minutes) * 60
        return sign == UInt8(ascii: "+") ? seconds : -seconds
      }
    }
    at = begin
    return nil
  }

  /// Letters of the word that begins here, of any alphabet.
  private var letters: Int {
    var end = at
    while end < bytes.byteCount, end - at < 16 {
      let byte = bytes.byte(at: end)
      guard byte >= 0x80 || byte.isAlpha else { break }
      end += 1
    }
    return end - at
  }

  /// `Nov`, `November`, `nov.`
  mutating func month() -> Int? {
    let count = letters
    guard let month = LogCalendar.month(bytes.extracting(at..<at + count)) else { return nil }
    at += count
    _ = take(.period)
    return month
  }

  /// Takes one of some words.
  mutating func take(anyOf words: [StaticString]) -> Bool {
    let rest = bytes.dropping(at)
    for word in words where rest.starts(with: word) {
      at += word.utf8CodeUnitCount
      return true
    }
    return false
  }
}
