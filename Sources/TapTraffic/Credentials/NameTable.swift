// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// What names of credentials are looked up in: one place for all who have the names.
@usableFromInline final class NameTable: Sendable {
  /// As people write them.
  let names: [String]
  /// The same in lower case, without what is ignored.
  let letters: [[UInt8]]
  /// Of the same names.
  private let marks: Marks
  /// Letters of the longest name.
  let longest: Int
  /// The last three letters of all names.
  @usableFromInline let endings: NameEndings
  /// Of the last five letters that names have.
  private let longEndings: Marks

  /// Marks of names, which rule out most others at once.
  private struct Marks {
    private var bits = ContiguousArray<UInt64>(repeating: 0, count: 16)

    mutating func insert(_ letters: some BidirectionalCollection<UInt8>) {
      let hash = NameMark(letters).hash
      bits[Int(hash >> 60)] |= 1 << (hash >> 54 & 63)
    }

    @inline(__always) func mayContain(_ mark: NameMark) -> Bool {
      bits[Int(mark.hash >> 60)] >> (mark.hash >> 54 & 63) & 1 != 0
    }
  }

  init(_ all: [String]) {
    var (names, letters): ([String], [[UInt8]]) = ([], [])
    var (endings, longEndings, marks) = (NameEndings(), Marks(), Marks())
    var known: Set<[UInt8]> = []
    for name in all {
      let word = CredentialNames.letters(of: name)
      precondition(word.count >= 3)
      if !known.insert(word).inserted { continue }
      names.append(name)
      letters.append(word)
      endings.insert(word)
      marks.insert(word)
      // In a string, the letter of an escape may stand before a name.
      for escape in "nrtbf".utf8 where word.count == 4 { longEndings.insert([escape] + word) }
      if word.count > 4 { longEndings.insert(word.suffix(5)) }
    }
    (self.names, self.letters) = (names, letters)
    (self.endings, self.longEndings) = (endings, longEndings)
    self.marks = marks
    longest = letters.map(\.count).max() ?? 0
  }

  /// False for almost all last letters of words that are none of the names.
  @inline(__always) func mayEnd(with mark: NameMark) -> Bool {
    mark.count != 5 || longEndings.mayContain(mark)
  }

  /// False for almost all letters that are none of the names.
  func mayContain(_ mark: NameMark) -> Bool { marks.mayContain(mark) }
}
