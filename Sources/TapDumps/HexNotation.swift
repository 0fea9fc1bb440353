// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Digits without offsets: a row of them (Wireshark's hex stream), lines of them (`xxd -p`), or
/// bytes apart by blanks, colons, commas and the like, each with `0x` or without.
struct HexNotation: Notation {
  static let name: StaticString = "hex"
  static let title = "hex bytes"

  /// Characters of the word so far, also those that are no digits, but not its prefix.
  private var digits = 0
  private var nibble: UInt8 = 0
  private var hasPrefix = false
  /// A character of this pair, or of this word, was no digit.
  private var isUnknown = false
  private var hasReported = false
  /// How many words are one byte, how many would be but for a wrong digit, and how many are others.
  private(set) var pairs = 0
  private(set) var damaged = 0
  private(set) var others = 0
  /// Digits of the longest word.
  private(set) var row = 0
  /// Characters that belong in no such text are too many, or come first.
  private(set) var isForeign = false
  private var known = 0
  private var unknown = 0

  init() {}

  mutating func step(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    if let value = Digits.hexValue(byte) {
      digits += 1
      known += 1
      if digits & 1 == 1 {
        nibble = value
      } else if isUnknown {
        miss(&marks)
      } else {
        marks.append(.octet(nibble << 4 | value))
      }
      return
    }
    switch byte {
    case _ where byte | 0x20 == 0x78 && digits == 1 && nibble == 0 && !hasPrefix && !isUnknown:
      (digits, hasPrefix) = (0, true)
    case .space, .tab, .lineFeed, .carriageReturn, .comma, .colon, .hyphen, UInt8(ascii: ";"):
      endWord(isEnd: false, &marks)
    // A text that was quoted.
    case UInt8(ascii: ">") where digits == 0 && !hasPrefix: break
    default:
      digits += 1
      isUnknown = true
      unknown += 1
      isForeign = isForeign || known == 0 || unknown > 2 + known / 16
      if digits & 1 == 0 { miss(&marks) }
    }
  }

  mutating func finish(_ marks: inout ContiguousArray<Mark>) { endWord(isEnd: true, &marks) }

  /// A pair with a digit that is none.
  private mutating func miss(_ marks: inout ContiguousArray<Mark>) {
    marks.append(.hole(1, hasReported ? nil : .badDigit))
    (isUnknown, hasReported) = (false, true)
  }

  private mutating func endWord(isEnd: Bool, _ marks: inout ContiguousArray<Mark>) {
    if digits & 1 == 1 {
      if isUnknown {
        marks.append(.hole(1, hasReported ? nil : .badDigit))
      } else if hasPrefix && digits == 1 {
        marks.append(.octet(nibble))
      } else {
        // At the very end only a digit is missing; anywhere else, what is missing is not known.
        marks.append(.hole(isEnd || digits == 1 ? 1 : nil, .oddDigits))
      }
    }
    let isDamaged = isUnknown || hasReported
    if digits == 2 && isDamaged || digits == 1 && !hasPrefix {
      damaged += 1
    } else if digits == 2 || (hasPrefix && digits == 1) {
      pairs += 1
    } else if digits > 0 {
      others += 1
    }
    row = max(row, digits)
    (digits, hasPrefix, isUnknown, hasReported) = (0, false, false, false)
  }
}

extension HexNotation {
  /// A row of digits may be any number or name, so it has to begin as something we read; four bytes
  /// written apart are bytes, whatever they mean. A few that are damaged among many do not make
  /// them something else.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let sample = NotationSample<Self>(head, isAll: isAll)
    let form = sample.form
    if form.isForeign { return .no }
    if !sample.isEnough { return .undecided }
    if form.pairs >= 4 && form.others == 0 && form.damaged * 4 <= form.pairs { return .yes }
    // The shortest message, [35,1] in MessagePack, has three bytes.
    if form.pairs == 3 && form.others == 0 && sample.shape == .serialized { return .yes }
    if sample.octets.count >= 4 && sample.isEvidence { return .yes }
    // A row that is damaged in its first frame.
    let mayBeFrame = sample.shape == .frameHeader && sample.octets[0] & 0x80 != 0
    return sample.badDigits > 0 && form.row >= 16 && mayBeFrame ? .yes : .no
  }
}
