// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Whether bytes inside of brackets go on as JSON does.
struct RecordSyntax {
  enum Token {
    case open, close, string, literal, colon, comma
    /// Of a string or a literal, or a blank.
    case inside
  }

  private enum Expected {
    case value, valueOrEnd, name, nameOrEnd, colon, next
  }

  private var expected = Expected.value
  private var isInString = false
  private var isEscaped = false
  private var isInLiteral = false

  /// The outer bracket begins.
  mutating func begin(_ bracket: UInt8) {
    self = RecordSyntax()
    expected = bracket == 0x7B ? .nameOrEnd : .valueOrEnd
  }

  /// What a byte begins or ends; nil where it is none of JSON.
  ///
  /// - Parameter inList: the innermost bracket is one of a list.
  mutating func take(_ byte: UInt8, inList: Bool) -> Token? {
    if isInString {
      // No string of JSON goes on in the next line.
      if byte == 0x0A { return nil }
      if !isEscaped && byte == 0x22 { isInString = false }
      isEscaped = byte == 0x5C && !isEscaped
      return .inside
    }
    if isInLiteral && Self.isLiteral(byte) { return .inside }
    isInLiteral = false
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return .inside
    case 0x22: return beginString()
    case 0x7B, 0x5B:
      guard isValueExpected else { return nil }
      expected = byte == 0x7B ? .nameOrEnd : .valueOrEnd
      return .open
    case 0x7D, 0x5D:
      let isEnd = expected == .next || expected == (inList ? .valueOrEnd : .nameOrEnd)
      guard isEnd, inList == (byte == 0x5D) else { return nil }
      expected = .next
      return .close
    case 0x3A:
      guard expected == .colon else { return nil }
      expected = .value
      return .colon
    case 0x2C:
      guard expected == .next else { return nil }
      expected = inList ? .value : .name
      return .comma
    default:
      guard isValueExpected, Self.isLiteral(byte) else { return nil }
      (expected, isInLiteral) = (.next, true)
      return .literal
    }
  }

  private var isValueExpected: Bool { expected == .value || expected == .valueOrEnd }

  private mutating func beginString() -> Token? {
    switch expected {
    case .name, .nameOrEnd: expected = .colon
    case .value, .valueOrEnd: expected = .next
    case .colon, .next: return nil
    }
    isInString = true
    return .string
  }

  /// Whether a byte may be of a number, or of `true`, `false` and `null`.
  private static func isLiteral(_ byte: UInt8) -> Bool {
    byte.isDigit || [0x2B, 0x2D, 0x2E, 0x45].contains(byte) || "truefalsn".utf8.contains(byte)
  }
}
