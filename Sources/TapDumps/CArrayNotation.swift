// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Bytes as an array of C: `char peer0_0[] = { 0x81, 0x0e };`, one or more, or only what stands in
/// the braces. Of Wireshark's followed streams, `peer0` and `peer1` are the two sides.
struct CArrayNotation: Notation {
  private enum Comment { case none, slash, line, block, blockStar }

  private var comment = Comment.none
  private var isInside = false
  /// The last word outside of an array, and the number in the brackets behind it.
  private var word: [UInt8] = []
  private var isWordOver = false
  private var isInBrackets = false
  private var stated: Int?
  /// The number that is being read: its characters, without a prefix.
  private var digits = 0
  private var value = 0
  private var isHexadecimal = false
  private var isUnknown = false

  init() {}

  mutating func step(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    switch comment {
    case .none where byte == .slash:
      if isInside { endNumber(&marks) }
      comment = .slash
    case .none: isInside ? inside(byte, &marks) : outside(byte, &marks)
    case .slash: comment = byte == UInt8(ascii: "*") ? .block : byte == .slash ? .line : .none
    case .line: if byte == .lineFeed { comment = .none }
    case .block: if byte == UInt8(ascii: "*") { comment = .blockStar }
    case .blockStar:
      comment = byte == .slash ? .none : byte == UInt8(ascii: "*") ? .blockStar : .block
    }
  }

  mutating func finish(_ marks: inout ContiguousArray<Mark>) {
    if isInside { endNumber(&marks) }
  }

  private mutating func outside(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    switch byte {
    case .openBrace: open(&marks)
    case .openBracket where word.isEmpty: open(&marks)
    case .openBracket: (isInBrackets, stated) = (true, nil)
    case .closeBracket: isInBrackets = false
    case 0x30...0x39 where isInBrackets:
      stated = min((stated ?? 0) * 10 + Int(byte & 15), 1 << 40)
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A:
      if isWordOver { (word, isWordOver) = ([], false) }
      if word.count < 64 { word.append(byte) }
    case UInt8(ascii: ";"): (word, stated) = ([], nil)
    default: isWordOver = true
    }
  }

  private mutating func open(_ marks: inout ContiguousArray<Mark>) {
    isInside = true
    let isFirst = word.starts(with: "peer0_".utf8)
    let isSecond = word.starts(with: "peer1_".utf8)
    marks.append(
      .block(isSecond: isFirst || isSecond ? isSecond : nil, stated: stated))
    (word, stated, isWordOver) = ([], nil, false)
  }

  private mutating func inside(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    switch byte {
    case .closeBrace, .closeBracket:
      endNumber(&marks)
      isInside = false
      // So that a list in brackets right behind it is one, too.
      word = []
    case .space, .tab, .lineFeed, .carriageReturn, .comma: endNumber(&marks)
    case _ where byte | 0x20 == UInt8(ascii: "x") && digits == 1 && value == 0 && !isHexadecimal:
      (isHexadecimal, digits) = (true, 0)
    default:
      digits += 1
      if isHexadecimal, let digit = Digits.hexValue(byte) {
        value = min(value * 16 + Int(digit), 256)
      } else if !isHexadecimal && byte & 0xF0 == 0x30 && byte < 0x3A {
        value = min(value * 10 + Int(byte & 15), 256)
      } else {
        isUnknown = true
      }
    }
  }

  private mutating func endNumber(_ marks: inout ContiguousArray<Mark>) {
    if digits > 0 || isHexadecimal {
      let isByte = !isUnknown && value < 256 && digits > 0
      marks.append(isByte ? .octet(UInt8(value)) : .hole(1, .badDigit))
    }
    (digits, value, isHexadecimal, isUnknown) = (0, 0, false, false)
  }
}
