// SPDX-License-Identifier: Apache-2.0

/// A set of bytes, one bit for each.
struct ByteSet: Hashable, Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  static let all = ByteSet(0...255)
  static let digits = ByteSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
  static let lower = ByteSet(UInt8(ascii: "a")...UInt8(ascii: "z"))
  static let upper = ByteSet(UInt8(ascii: "A")...UInt8(ascii: "Z"))
  static let word = digits.union(lower).union(upper).union(ByteSet([UInt8(ascii: "_")]))
  static let space = ByteSet(0x09...0x0D).union(ByteSet([0x20]))
  /// UTF-8 continuation bytes (RFC 3629).
  static let continuation = ByteSet(0x80...0xBF)

  init() {}

  init(_ range: ClosedRange<UInt8>) {
    for byte in range { insert(byte) }
  }

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { insert(byte) }
  }

  func contains(_ byte: UInt8) -> Bool {
    let bit = UInt64(1) << UInt64(byte & 63)
    return switch byte >> 6 {
    case 0: words.0 & bit != 0
    case 1: words.1 & bit != 0
    case 2: words.2 & bit != 0
    default: words.3 & bit != 0
    }
  }

  mutating func insert(_ byte: UInt8) {
    let bit = UInt64(1) << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  func union(_ other: ByteSet) -> ByteSet {
    var result = self
    result.words.0 |= other.words.0
    result.words.1 |= other.words.1
    result.words.2 |= other.words.2
    result.words.3 |= other.words.3
    return result
  }

  func subtracting(_ other: ByteSet) -> ByteSet {
    var result = self
    result.words.0 &= ~other.words.0
    result.words.1 &= ~other.words.1
    result.words.2 &= ~other.words.2
    result.words.3 &= ~other.words.3
    return result
  }

  /// The set with both cases of each ASCII letter in it.
  var ignoringCase: ByteSet {
    var result = self
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
      if contains(letter) { result.insert(letter - 32) }
      if contains(letter - 32) { result.insert(letter) }
    }
    return result
  }

  static func == (left: ByteSet, right: ByteSet) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}
