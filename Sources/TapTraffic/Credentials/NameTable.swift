// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// What names of credentials are looked up in: one place for all who have the names.
@usableFromInline final class NameTable: Sendable {
  /// As people write them.
  let names: [String]
  /// The same in lower case, without what is ignored.
  let letters: [[UInt8]]
  /// Of the same names.
  private let marks: [NameMark]
  /// Letters of the longest name.
  let longest: Int
  /// The last three letters of all names.
  @usableFromInline let endings: NameEndings
  /// A bit for each last five letters that names have, by their hash.
  private let longEndings: UInt64

  init(_ all: [String]) {
    var (names, letters): ([String], [[UInt8]]) = ([], [])
    var (endings, longEndings): (NameEndings, UInt64) = (NameEndings(), 0)
    var known: Set<[UInt8]> = []
    for name in all {
      let word = CredentialNames.letters(of: name)
      precondition(word.count >= 3)
      if !known.insert(word).inserted { continue }
      names.append(name)
      letters.append(word)
      endings.insert(word)
      // In a string, the letter of an escape may stand before a name.
      for escape in "nrtbf".utf8 where word.count == 4 { longEndings |= Self.bit([escape] + word) }
      if word.count > 4 { longEndings |= Self.bit(word.suffix(5)) }
    }
    (self.names, self.letters) = (names, letters)
    (self.endings, self.longEndings) = (endings, longEndings)
    marks = letters.map(NameMark.init)
    longest = letters.map(\.count).max() ?? 0
  }

  private static func bit(_ letters: some BidirectionalCollection<UInt8>) -> UInt64 {
    1 << (NameMark(letters).hash >> 58)
  }

  /// False for almost all last letters of words that are none of the names.
  @inline(__always) func mayEnd(with mark: NameMark) -> Bool {
    mark.count != 5 || longEndings >> (mark.hash >> 58) & 1 != 0
  }

  /// False for almost all letters that are none of the names.
  func mayContain(_ mark: NameMark) -> Bool { marks.contains(mark) }
}
