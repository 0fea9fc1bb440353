// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Words that are looked for in either case. Most others are told from them by their length and
/// their first letter.
struct WordList: Sendable {
  let words: ContiguousArray<StaticString>
  /// By length, a bit for the first letter of each word that is so long.
  private let initials: ContiguousArray<UInt32>

  init(_ words: [StaticString]) {
    self.words = ContiguousArray(words)
    let longest = words.map(\.utf8CodeUnitCount).max() ?? 0
    var initials = ContiguousArray<UInt32>(repeating: 0, count: longest + 1)
    for word in words { initials[word.utf8CodeUnitCount] |= Self.bit(word.utf8Start[0]) }
    self.initials = initials
  }

  /// The same for both cases of a letter.
  private static func bit(_ first: UInt8) -> UInt32 { 1 << UInt32(first & 31) }

  /// Where a word stands among them; nil for any other.
  func place(of word: RawSpan) -> Int? {
    let count = word.byteCount
    guard count > 0, count < initials.count,
      initials[count] & Self.bit(word.byte(at: 0)) != 0
    else { return nil }
    for place in words.indices where words[place].utf8CodeUnitCount == count {
      if LogWords.isSame(word, words[place]) { return place }
    }
    return nil
  }
}
