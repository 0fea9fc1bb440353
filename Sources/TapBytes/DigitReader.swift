// SPDX-License-Identifier: Apache-2.0

/// Takes numbers, and the parts of a time, from the beginning of some bytes.
public struct DigitReader: ~Escapable {
  public let bytes: RawSpan
  public var at = 0

  @inlinable @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) { self.bytes = bytes }

  /// The next byte; 0 at the end.
  @inlinable public var peek: UInt8 { at < bytes.byteCount ? bytes.byte(at: at) : 0 }

  /// Whether the byte at `index` is a digit.
  @inlinable func isDigit(_ index: Int) -> Bool {
    index < bytes.byteCount && bytes.byte(at: index).isDigit
  }

  @inlinable public var isLetter: Bool { peek.isAlpha }

  @inlinable public mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte, at < bytes.byteCount else { return false }
    at += 1
    return true
  }

  /// A number that is not longer than `most` digits.
  @inlinable public mutating func number(most: Int) -> (value: Int, count: Int)? {
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

  @inlinable public mutating func number(exactly count: Int) -> Int? {
    var value = 0
    for index in at..<at + count {
      guard isDigit(index) else { return nil }
      value = value * 10 + Int(bytes.byte(at: index) - 0x30)
    }
    at += count
    return value
  }

  /// `.455306`, `,455`, `:455` or, of libwebsockets, `:4553` in nanoseconds, and how many digits
  /// that were; digits beyond the ninth are passed over. Behind a comma fewer than three are the
  /// next column of a table.
  @inlinable public mutating func fraction() -> (nanoseconds: Int64, digits: UInt8) {
    guard isDigit(at + 1) else { return (0, 0) }
    var end = at + 2
    while isDigit(end) { end += 1 }
    let digits = end - at - 1
    switch peek {
    case .period: break
    case .comma: if digits < 3 { return (0, 0) }
    case .colon:
      let goesOn = end < bytes.byteCount && bytes.byte(at: end) == .colon
      if !(3...4).contains(digits) || goesOn { return (0, 0) }
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

  /// `+0100`, `-05:30`, and, where a zone is sure to be meant, `+1` and `-05`.
  public mutating func offset(isShort: Bool) -> Int? {
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
}
