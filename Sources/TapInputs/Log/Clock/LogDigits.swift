// SPDX-License-Identifier: Apache-2.0

internal import TapBytes

/// Takes the parts of a time from the beginning of some octets.
struct LogDigits: ~Escapable {
  private let bytes: RawSpan
  var at = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  /// The next octet; 0 at the end.
  var peek: UInt8 { at < bytes.byteCount ? bytes.byte(at: at) : 0 }

  /// Whether the octet at `index` is a digit.
  private func isDigit(_ index: Int) -> Bool {
    index < bytes.byteCount && bytes.byte(at: index) &- 0x30 < 10
  }

  var isLetter: Bool { peek | 0x20 >= 0x61 && peek | 0x20 <= 0x7A }

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

  /// `.455306` or `,455` in nanoseconds, and how many digits that were; digits beyond the ninth are
  /// passed over.
  mutating func fraction() -> (nanoseconds: Int64, digits: UInt8) {
    guard peek == 0x2E || peek == 0x2C, isDigit(at + 1) else { return (0, 0) }
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

  /// ` AM` and ` PM`: the hours to be added.
  mutating func half() -> Int? {
    var end = at
    if peek == 0x20 { end += 1 }
    guard end + 1 < bytes.byteCount, bytes.byte(at: end + 1) | 0x20 == 0x6D else { return nil }
    switch bytes.byte(at: end) | 0x20 {
    case 0x61:
      at = end + 2
      return 0
    case 0x70:
      at = end + 2
      return 12
    default: return nil
    }
  }

  /// `Z`, `+0000`, ` +01:00`, ` UTC`: seconds ahead of UTC.
  mutating func zone() -> Int? {
    let begin = at
    let hasBlank = take(0x20)
    if !hasBlank && (take(0x5A) || take(0x7A)) { return 0 }
    let rest = bytes.dropping(at)
    if rest.starts(with: "UTC") || rest.starts(with: "GMT") {
      at += 3
      return 0
    }
    let sign = peek
    if sign == 0x2B || sign == 0x2D {
      at += 1
      if let hours = number(exactly: 2), hours < 24 {
        _ = take(0x3A)
        let minutes = number(exactly: 2)
        if (minutes != nil || !hasBlank), minutes ?? 0 < 60, peek &- 0x30 >= 10 {
          let seconds = (hours * 60 + (minutes ?? 0)) * 60
          return sign == 0x2B ? seconds : -seconds
        }
      }
    }
    at = begin
    return nil
  }

  mutating func month() -> Int? {
    guard let index = LogCalendar.months.firstIndex(of: word) else { return nil }
    at += 3
    return index + 1
  }

  mutating func weekday() -> Bool {
    guard LogCalendar.weekdays.contains(word) else { return false }
    at += 3
    return true
  }

  /// Three letters as one number, in lower case; 0 at the end.
  private var word: UInt32 {
    if at + 3 > bytes.byteCount { return 0 }
    return LogCalendar.word(bytes.byte(at: at), bytes.byte(at: at + 1), bytes.byte(at: at + 2))
  }
}
