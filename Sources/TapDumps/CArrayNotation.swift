// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Bytes as an array of C, as `xxd -i` and Wireshark write them: `char peer0_0[] = { 0x81 };`, one
/// or more, or only what stands in the braces. Of Wireshark's followed streams, `peer0` and `peer1`
/// are the two sides.
struct CArrayNotation: Notation {
  static let name: StaticString = "c-array"
  static let title = "C array"

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

extension CArrayNotation {
  private static let words: [StaticString] = [
    "unsigned", "char", "static", "const", "uint8_t", "byte", "BYTE", "u8", "u_char", "let", "var",
  ]

  /// What a declaration has beside words: `[]=:*`.
  private static let marks: [UInt8] = [0x5B, 0x5D, 0x3D, 0x3A, 0x2A]

  /// JSON has no `0x`, so a list that begins with it is one of bytes.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let most = NotationSample<Self>.most
    let count = min(head.byteCount, most)
    let isEnough = isAll || count == most
    let start = skip(head, from: 0, to: count)
    if start == count { return isEnough ? .no : .undecided }
    let first = head.byte(at: start)
    // A slash may begin a comment: the next byte says so.
    if first == .slash { return start + 1 < count || isEnough ? .no : .undecided }
    var at = start
    if first != .openBracket && first != .openBrace {
      guard first.isWord, first > 0x39 else { return .no }
      // A declaration on the way to the brace.
      while at < count, head.byte(at: at) != .openBrace {
        let byte = head.byte(at: at)
        if byte == .slash {
          let end = skip(head, from: at, to: count)
          if end == at { return at + 1 < count || isEnough ? .no : .undecided }
          at = end
          continue
        }
        if !byte.isJSONSpace && !byte.isWord && !marks.contains(byte) { return .no }
        at += 1
        if at - start > 400 { return .no }
      }
      let text = head.extracting(start..<at)
      if !words.contains(where: { mayBe($0, text, at < count) }) { return .no }
    }
    at = skip(head, from: at + 1, to: count)
    guard at + 1 < count else {
      let mayFollow =
        at >= count || head.byte(at: at) == UInt8(ascii: "0") || head.byte(at: at) == .slash
      return !isEnough && mayFollow ? .undecided : .no
    }
    return head.byte(at: at) == UInt8(ascii: "0")
      && head.byte(at: at + 1) | 0x20 == UInt8(ascii: "x") ? .yes : .no
  }

  /// Behind blanks and comments.
  private static func skip(_ head: RawSpan, from start: Int, to end: Int) -> Int {
    var at = start
    while at < end {
      if head.byte(at: at).isJSONSpace {
        at += 1
      } else if head.byte(at: at) == .slash, at + 1 < end,
        head.byte(at: at + 1) == UInt8(ascii: "*")
      {
        // The star of the beginning is not the one of the end.
        at = min(at + 3, end)
        while at < end, head.byte(at: at) != .slash || head.byte(at: at - 1) != UInt8(ascii: "*") {
          at += 1
        }
        at = min(at + 1, end)
      } else if head.byte(at: at) == .slash, at + 1 < end, head.byte(at: at + 1) == .slash {
        while at < end, head.byte(at: at) != .lineFeed { at += 1 }
      } else {
        return at
      }
    }
    return at
  }

  private static func mayBe(_ word: StaticString, _ text: RawSpan, _ isWhole: Bool) -> Bool {
    if text.starts(with: word) { return true }
    if isWhole || text.byteCount >= word.utf8CodeUnitCount { return false }
    for at in 0..<text.byteCount where text.byte(at: at) != word.utf8Start[at] { return false }
    return true
  }
}
