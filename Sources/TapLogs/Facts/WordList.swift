// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Words that are looked up whatever their case. Most other words are ruled out by their length and
/// first letter.
struct WordList: Sendable {
  let words: ContiguousArray<StaticString>
  /// By length, a bit for the first letter of each word that is so long.
  private let initials: ContiguousArray<UInt32>
  /// By length, where the words that are so long begin in `order`.
  private let starts: ContiguousArray<Int>
  /// Places of words, the shortest first, and how each begins.
  private let order: ContiguousArray<(place: Int, head: UInt64)>

  init(_ words: [StaticString]) {
    self.words = ContiguousArray(words)
    let longest = words.map(\.utf8CodeUnitCount).max() ?? 0
    var initials = ContiguousArray<UInt32>(repeating: 0, count: longest + 1)
    for word in words { initials[word.utf8CodeUnitCount] |= Self.bit(word.utf8Start[0]) }
    self.initials = initials
    let order = words.indices.sorted {
      (words[$0].utf8CodeUnitCount, $0) < (words[$1].utf8CodeUnitCount, $1)
    }
    starts = ContiguousArray(
      (0...longest + 1).map { count in
        order.firstIndex { words[$0].utf8CodeUnitCount >= count } ?? order.count
      })
    self.order = ContiguousArray(
      order.map { place in
        (place, words[place].withUTF8Buffer { Self.head($0.span.bytes, 0..<$0.count) })
      })
  }

  /// A bit for the letter that a word begins with, in either case.
  private static func bit(_ first: UInt8) -> UInt32 { 1 << UInt32(first & 31) }

  /// Its first eight bytes, the same for both cases of a letter.
  ///
  /// - Parameter text: goes on behind the word, so that eight bytes can be read at once.
  @inline(__always)
  private static func head(_ text: RawSpan, _ word: Range<Int>) -> UInt64 {
    let both: UInt64 = 0x2020_2020_2020_2020
    let count = word.upperBound &- word.lowerBound
    if word.lowerBound &+ 8 <= text.byteCount {
      let head = text.word(unchecked: word.lowerBound)
      return (count >= 8 ? head : head & ~(UInt64.max << UInt64(count &* 8))) | both
    }
    var head: UInt64 = 0
    for at in word.reversed() { head = head << 8 | UInt64(text.byte(at: at)) }
    return head | both
  }

  /// Where a word stands among them; nil for any other.
  func place(of word: RawSpan) -> Int? { place(in: word, of: 0..<word.byteCount) }

  /// Where a word of a text stands among them.
  @inline(__always)
  func place(in text: RawSpan, of word: Range<Int>) -> Int? {
    let count = word.upperBound &- word.lowerBound
    guard count > 0, count < initials.count,
      initials[count] & Self.bit(text.byte(at: word.lowerBound)) != 0
    else { return nil }
    let head = Self.head(text, word)
    for index in starts[count]..<starts[count &+ 1] where order[index].head == head {
      if LogDirectionWords.isSame(text.extracting(word), words[order[index].place]) {
        return order[index].place
      }
    }
    return nil
  }
}
