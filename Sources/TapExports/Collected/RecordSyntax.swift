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
    expected = bracket == .openBrace ? .nameOrEnd : .valueOrEnd
  }

  /// What a byte begins or ends; nil where it is none of JSON.
  ///
  /// - Parameter inList: the innermost bracket is one of a list.
  mutating func take(_ byte: UInt8, inList: Bool) -> Token? {
    if isInString {
      // No string of JSON goes on in the next line.
      if byte == .lineFeed { return nil }
      if !isEscaped && byte == .quote { isInString = false }
      isEscaped = byte == .backslash && !isEscaped
      return .inside
    }
    if isInLiteral && Self.isLiteral(byte) { return .inside }
    isInLiteral = false
    switch byte {
    case .space, .tab, .lineFeed, .carriageReturn: return .inside
    case .quote: return beginString()
    case .openBrace, .openBracket:
      guard isValueExpected else { return nil }
      expected = byte == .openBrace ? .nameOrEnd : .valueOrEnd
      return .open
    case .closeBrace, .closeBracket:
      let isEnd = expected == .next || expected == (inList ? .valueOrEnd : .nameOrEnd)
      guard isEnd, inList == (byte == .closeBracket) else { return nil }
      expected = .next
      return .close
    case .colon:
      guard expected == .colon else { return nil }
      expected = .value
      return .colon
    case .comma:
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
    byte.isDigit || [UInt8(ascii: "+"), .hyphen, .period, UInt8(ascii: "E")].contains(byte)
      || "truefalsn".utf8.contains(byte)
  }
}
