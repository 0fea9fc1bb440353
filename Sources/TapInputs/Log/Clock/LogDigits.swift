// SPDX-License-Identifier: Apache-2.0

/// Takes the parts of a time from the beginning of some octets.
struct LogDigits {
  private let bytes: [UInt8]
  var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next octet; 0 at the end.
  var peek: UInt8 { at < bytes.count ? bytes[at] : 0 }

  var isLetter: Bool { peek | 0x20 >= 0x61 && peek | 0x20 <= 0x7A }

  mutating func rewind() { at = 0 }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte, at < bytes.count else { return false }
    at += 1
    return true
  }

  /// A number that is not longer than `most` digits.
  mutating func number(most: Int) -> (value: Int, count: Int)? {
    var value = 0
    var end = at
    while end < bytes.count, bytes[end] &- 0x30 < 10 {
      if end - at == most { return nil }
      value = value &* 10 &+ Int(bytes[end] - 0x30)
      end += 1
    }
    if end == at { return nil }
    let count = end - at
    at = end
    return value < 0 ? nil : (value, count)
  }

  mutating func number(exactly count: Int) -> Int? {
    guard at + count <= bytes.count else { return nil }
    var value = 0
    for index in at..<at + count {
      guard bytes[index] &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(bytes[index] - 0x30)
    }
    at += count
    return value
  }

  /// `.455306` or `,455` in nanoseconds, and how many digits that were; digits beyond the ninth are
  /// passed over.
  mutating func fraction() -> (nanoseconds: Int64, digits: UInt8) {
    guard peek == 0x2E || peek == 0x2C, at + 1 < bytes.count, bytes[at + 1] &- 0x30 < 10 else {
      return (0, 0)
    }
    at += 1
    var value: Int64 = 0
    var count = 0
    while at < bytes.count, bytes[at] &- 0x30 < 10 {
      if count < 9 {
        value = value * 10 + Int64(bytes[at] - 0x30)
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
    if end < bytes.count, bytes[end] == 0x20 { end += 1 }
    guard end + 1 < bytes.count, bytes[end + 1] | 0x20 == 0x6D else { return nil }
    switch bytes[end] | 0x20 {
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
    for name in ["UTC", "GMT"] where bytes[at...].starts(with: name.utf8) {
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
    guard let index = name(LogCalendar.months) else { return nil }
    return index + 1
  }

  mutating func weekday() -> Bool { name(LogCalendar.weekdays) != nil }

  /// Three letters that are one of `names`.
  private mutating func name(_ names: [[UInt8]]) -> Int? {
    guard at + 3 <= bytes.count else { return nil }
    let word = bytes[at..<at + 3].map { $0 | 0x20 }
    guard let index = names.firstIndex(of: word) else { return nil }
    at += 3
    return index
  }
}
