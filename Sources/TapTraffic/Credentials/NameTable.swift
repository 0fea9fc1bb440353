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
  /// The last two letters of all names.
  @usableFromInline let endings: NameEndings
  /// A bit for each last five letters that names have.
  private let fives: UInt64

  init(_ names: [String]) {
    var (endings, fives): (NameEndings, UInt64) = (NameEndings(), 0)
    var (kept, letters): ([String], [[UInt8]]) = ([], [])
    for name in names {
      let all = CredentialNames.letters(of: name)
      if letters.contains(all) { continue }
      kept.append(name)
      letters.append(all)
      endings.insert(all[all.count - 2], all[all.count - 1])
      // In a string, the letter of an escape may stand before a name.
      for escape in "nrtbf".utf8 where all.count == 4 { fives |= Self.bit([escape] + all) }
      if all.count > 4 { fives |= Self.bit(all.suffix(5)) }
    }
    (self.names, self.letters, self.endings, self.fives) = (kept, letters, endings, fives)
    marks = letters.map(NameMark.init)
    longest = letters.map(\.count).max() ?? 0
  }

  private static func bit(_ letters: some BidirectionalCollection<UInt8>) -> UInt64 {
    1 << (NameMark(letters).hash >> 58)
  }

  /// False for almost all last letters of words that are none of the names.
  @inline(__always) func mayEnd(with mark: NameMark) -> Bool {
    mark.count != 5 || fives >> (mark.hash >> 58) & 1 != 0
  }

  /// False for almost all letters that are none of the names.
  func mayContain(_ mark: NameMark) -> Bool { marks.contains(mark) }
}
