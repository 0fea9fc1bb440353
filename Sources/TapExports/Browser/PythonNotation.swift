// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A value as Python's `repr` writes it, which becomes JSON: its strings stand between apostrophes,
/// unless they have some, and its constants begin with capitals.
struct PythonNotation {
  private enum Place {
    case outside
    case string(UInt8)
    /// Behind a backslash.
    case escape(UInt8)
    /// In the digits of `\xNN` or `\UNNNNNNNN`.
    case digits(UInt8, left: Int, value: UInt32)
  }

  /// Nil before the first string.
  private var isPython: Bool?
  private var place = Place.outside

  /// Whether the value is Python's, by its first string; false before that.
  mutating func isPython(_ piece: RawSpan) -> Bool {
    if let isPython { return isPython }
    for at in 0..<piece.byteCount {
      let byte = piece.byte(at: at)
      if byte == .quote || byte == .apostrophe {
        isPython = byte == .apostrophe
        break
      }
    }
    return isPython ?? false
  }

  mutating func write(_ piece: RawSpan, to text: inout Scratch) {
    for at in 0..<piece.byteCount { write(piece.byte(at: at), to: &text) }
  }

  private mutating func write(_ byte: UInt8, to text: inout Scratch) {
    switch place {
    case .outside:
      switch byte {
      case .quote, .apostrophe:
        place = .string(byte)
        text.append(.quote)
      // True, False
      case UInt8(ascii: "T"), UInt8(ascii: "F"): text.append(byte | 0x20)
      default: text.append(byte)
      }
    case .string(let end):
      switch byte {
      case end:
        place = .outside
        text.append(.quote)
      case .backslash: place = .escape(end)
      case .quote: text.append("\\\"")
      default: text.append(byte)
      }
    case .escape(let end):
      place = .string(end)
      switch byte {
      case .apostrophe: text.append(byte)
      case UInt8(ascii: "x"): place = .digits(end, left: 2, value: 0)
      case UInt8(ascii: "U"): place = .digits(end, left: 8, value: 0)
      default:
        text.append(.backslash)
        text.append(byte)
      }
    case .digits(let end, let left, let value):
      // What is no digit makes no character, which JSON has no escape for.
      let next = Digits.hexValue(byte).map { value << 4 | UInt32($0) } ?? .max
      place = left == 1 ? .string(end) : .digits(end, left: left - 1, value: next)
      if left == 1 { Self.write(Unicode.Scalar(next), to: &text) }
    }
  }

  private static func write(_ scalar: Unicode.Scalar?, to text: inout Scratch) {
    guard let scalar else { return text.append("\\x") }
    if scalar.value >= 0x80 { return text.append(String(scalar)) }
    text.append("\\u00")
    for shift in [4, 0] {
      text.append(Array("0123456789abcdef".utf8)[Int(scalar.value >> shift & 0xF)])
    }
  }
}
