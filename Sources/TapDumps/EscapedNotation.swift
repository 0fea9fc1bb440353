// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Bytes as string literals have them: `\x81\x0e[33]`, bare, or in quotes with `b` before them or
/// not, one behind the other as Wireshark's escaped string. What is not escaped stands for itself.
struct EscapedNotation: Notation {
  static let name: StaticString = "escaped"
  static let title = "escaped bytes"

  private enum State {
    case outside, bare, quoted
    /// Behind a backslash.
    case escape
    /// Behind `\x`.
    case digits
    case octal
  }

  private var state = State.outside
  /// Where an escape leads back to.
  private var home = State.outside
  private var quote: UInt8 = 0
  private var value: UInt8 = 0
  private var count = 0
  /// Blanks between bare escapes are for the eye; before anything else they are bytes.
  private var blanks = 0
  private var wasEscape = false
  /// Strings that have begun, and whether something stands behind one that is none.
  private var strings = 0
  private var hasEnded = false
  /// Escapes of the form `\x81` in all strings up to there, and whether the first one has any.
  private(set) var escapes = 0
  private(set) var beginsEscaped = false
  private(set) var hasPrefix = false

  init() {}

  mutating func step(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    switch state {
    case .outside: outside(byte, &marks)
    case .bare: bare(byte, &marks)
    case .quoted:
      switch byte {
      case quote: state = .outside
      case .backslash: (state, home) = (.escape, .quoted)
      case .lineFeed, .carriageReturn: break
      default: marks.append(.octet(byte))
      }
    case .escape: escape(byte, &marks)
    case .digits:
      guard let digit = Digits.hexValue(byte) else {
        marks.append(.hole(1, count == 0 ? .badDigit : .oddDigits))
        state = home
        return step(byte, &marks)
      }
      value = value << 4 | digit
      count += 1
      if count == 2 {
        marks.append(.octet(value))
        if !hasEnded { escapes += 1 }
        if strings == 1 { beginsEscaped = true }
        state = home
      }
    case .octal:
      if byte & 0xF8 == 0x30 && count < 3 && value < 32 {
        value = value << 3 | byte & 7
        count += 1
      } else {
        marks.append(.octet(value))
        state = home
        step(byte, &marks)
      }
    }
  }

  mutating func finish(_ marks: inout ContiguousArray<Mark>) {
    switch state {
    case .digits: marks.append(.hole(1, .oddDigits))
    case .octal: marks.append(.octet(value))
    default: break
    }
    state = .outside
  }

  private mutating func outside(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    switch byte {
    case .quote, .apostrophe:
      (state, quote) = (.quoted, byte)
      strings += 1
    // Before a line end it only says that the string goes on, which `escape` sees.
    case .backslash:
      (state, home) = (.escape, .bare)
      strings += 1
    case UInt8(ascii: "b") where !hasEnded, UInt8(ascii: "B") where !hasEnded: hasPrefix = true
    // + , ; ( )
    case 0x20, 0x09, 0x0A, 0x0D, 0x2B, 0x2C, 0x3B, 0x28, 0x29: break
    default:
      marks.append(.remark)
      if strings > 0 { hasEnded = true }
    }
  }

  private mutating func bare(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    if byte == .space && wasEscape {
      blanks += 1
      return
    }
    if byte == .lineFeed || byte == .carriageReturn {
      blanks = 0
      return
    }
    if byte == .backslash {
      blanks = 0
      (state, home) = (.escape, .bare)
      return
    }
    for _ in 0..<blanks { marks.append(.octet(0x20)) }
    (blanks, wasEscape) = (0, false)
    marks.append(.octet(byte))
  }

  private mutating func escape(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    wasEscape = true
    (value, count) = (0, 0)
    state = home
    switch byte {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): state = .digits
    case 0x30...0x37:
      (state, value, count) = (.octal, byte & 7, 1)
    case UInt8(ascii: "n"): marks.append(.octet(.lineFeed))
    case UInt8(ascii: "r"): marks.append(.octet(.carriageReturn))
    case UInt8(ascii: "t"): marks.append(.octet(.tab))
    case UInt8(ascii: "a"): marks.append(.octet(0x07))
    case UInt8(ascii: "b"): marks.append(.octet(0x08))
    case UInt8(ascii: "f"): marks.append(.octet(0x0C))
    case UInt8(ascii: "v"): marks.append(.octet(0x0B))
    case .quote, .apostrophe, .backslash: marks.append(.octet(byte))
    // The string goes on in the next line.
    case .lineFeed, .carriageReturn, .space: if home == .bare { state = .outside }
    default: marks.append(.hole(nil, .badDigit))
    }
  }
}

extension EscapedNotation {
  /// An escape is evidence enough where the first literal has one: the cells of a table may have
  /// some, too. Other literals must be of bytes that begin as something we read, and those without
  /// any be marked as bytes (`b'…'`).
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let at = head.behindSpace(0)
    guard at < head.byteCount else { return isAll ? .no : .undecided }
    guard
      [.backslash, .quote, .apostrophe, UInt8(ascii: "b"), UInt8(ascii: "B")].contains(
        head.byte(at: at))
    else { return .no }
    let sample = NotationSample<Self>(head, isAll: isAll)
    if sample.beginsForeign { return .no }
    if !sample.isEnough { return .undecided }
    if sample.badDigits * 4 > sample.form.escapes { return .no }
    if sample.form.beginsEscaped { return .yes }
    let mayBe = sample.form.escapes > 0 || sample.form.hasPrefix
    return mayBe && sample.isEvidence ? .yes : .no
  }
}
