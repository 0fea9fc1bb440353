// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// A stream that tshark followed with `raw`: a line of hexadecimal digits for what one side sent
/// at once, behind a tab where that is the second side.
struct FollowedRawNotation: Notation {
  static let name: StaticString = "followed-raw"
  static let title = "followed stream, hexadecimal"

  /// What the line is that is read.
  private enum Line { case begins, octets, words }

  private var line = Line.begins
  /// The first character of a byte was read.
  private var isHalf = false
  /// The value of that character; nil where it is no digit.
  private var first: UInt8?
  private var hasReported = false

  init() {}

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    FollowedTextInput.claim(head, followedAs: ",raw", isAll: isAll)
  }

  mutating func step(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    if byte == .lineFeed { return endLine(&marks) }
    switch line {
    case .begins: begin(byte, &marks)
    case .octets: take(byte, &marks)
    case .words: break
    }
  }

  mutating func finish(_ marks: inout ContiguousArray<Mark>) { endLine(&marks) }

  /// Words of tshark begin with a capital, and its digits are small.
  private mutating func begin(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    if byte == UInt8(ascii: "=") {
      // Another stream follows.
      marks.append(.block(isSecond: nil, stated: nil))
      line = .words
    } else if byte &- 0x41 < 26 || byte == .carriageReturn || byte == .space {
      line = .words
    } else {
      marks.append(.block(isSecond: byte == .tab, stated: nil))
      line = .octets
      if byte != .tab { take(byte, &marks) }
    }
  }

  private mutating func take(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    if byte == .carriageReturn { return }
    let digit = Digits.hexValue(byte)
    isHalf.toggle()
    if isHalf {
      first = digit
    } else if let first, let digit {
      marks.append(.octet(first << 4 | digit))
    } else {
      marks.append(.hole(1, hasReported ? nil : .badDigit))
      hasReported = true
    }
  }

  private mutating func endLine(_ marks: inout ContiguousArray<Mark>) {
    if isHalf { marks.append(.hole(1, .oddDigits)) }
    (line, isHalf, hasReported) = (.begins, false, false)
  }
}
