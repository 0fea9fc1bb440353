// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Base64 with either alphabet (RFC 4648 §4, §5), padded or not, in lines or not.
struct Base64Notation: Notation {
  static let name: StaticString = "base64"
  static let title = "base64"

  private var bits: UInt32 = 0
  /// Characters of the group of four so far.
  private var count = 0
  private var hasPadding = false
  private var isUnknown = false

  init() {}

  mutating func step(_ byte: UInt8, _ marks: inout ContiguousArray<Mark>) {
    let value: UInt8
    switch byte {
    case 0x41...0x5A: value = byte - 0x41
    case 0x61...0x7A: value = byte - 0x61 + 26
    case 0x30...0x39: value = byte - 0x30 + 52
    case UInt8(ascii: "+"), .hyphen: value = 62
    case .slash, UInt8(ascii: "_"): value = 63
    case UInt8(ascii: "="):
      if !hasPadding { endGroup(&marks) }
      hasPadding = true
      return
    case .lineFeed, .carriageReturn, .space, .tab: return
    default: (value, isUnknown) = (0, true)
    }
    hasPadding = false
    bits = bits << 6 | UInt32(value)
    count += 1
    if count == 4 { endGroup(&marks) }
  }

  mutating func finish(_ marks: inout ContiguousArray<Mark>) { endGroup(&marks) }

  private mutating func endGroup(_ marks: inout ContiguousArray<Mark>) {
    let octets = count * 6 / 8
    if isUnknown {
      marks.append(.hole(octets, .badDigit))
    } else if count == 1 {
      marks.append(.hole(1, .oddDigits))
    } else if octets > 0 {
      let whole = bits << UInt32(24 - count * 6)
      for index in 0..<octets {
        marks.append(.octet(UInt8(truncatingIfNeeded: whole >> UInt32(16 - index * 8))))
      }
    }
    (bits, count, isUnknown) = (0, 0, false)
  }
}

extension Base64Notation {
  /// Almost every word is base64 of something, so what it stands for has to begin as something we
  /// read.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let count = min(head.byteCount, NotationSample<Self>.most)
    // Blanks may begin or end a line; between words, it is no base64.
    var wasBlank = false
    var isInLine = false
    var letters = 0
    for at in 0..<count {
      let byte = head.byte(at: at)
      if byte.isWSP {
        wasBlank = isInLine
      } else if byte == .lineFeed || byte == .carriageReturn {
        (wasBlank, isInLine) = (false, false)
      } else if wasBlank {
        return .no
      } else {
        letters += 1
        isInLine = true
      }
    }
    let sample = NotationSample<Self>(head, isAll: isAll)
    if sample.badDigits > 0 { return .no }
    if !sample.isEnough { return .undecided }
    return letters >= 8 && sample.isEvidence ? .yes : .no
  }
}
