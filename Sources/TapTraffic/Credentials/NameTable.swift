// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Lookup table for names of credentials, shared by all copies of a `CredentialNames`.
@usableFromInline final class NameTable: Sendable {
  /// As people write them.
  let names: [String]
  /// The same in lower case, without ignored characters.
  let letters: [[UInt8]]
  /// Hashes of all names.
  private let marks: Marks
  /// Letters of the longest name or label, and of the shortest name.
  let longest: Int
  let shortest: Int
  /// The last three letters of all names.
  @usableFromInline let endings: NameEndings
  /// Hashes of the last five letters of all names, and of the last eight.
  private let longEndings: Marks
  private let longerEndings: Marks

  /// A set of hashes (a Bloom filter with one hash): it rules out most words that are no names.
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
    var (endings, longEndings, longerEndings) = (NameEndings(), Marks(), Marks())
    var marks = Marks()
    var known: Set<[UInt8]> = []
    for name in all {
      let word = CredentialNames.letters(of: name)
      precondition(!word.isEmpty)
      if !known.insert(word).inserted { continue }
      names.append(name)
      letters.append(word)
      endings.insert(word)
      // `user[password]`; the search itself takes any escape before a `=` of a form.
      endings.insert(word + [UInt8(ascii: "]")])
      marks.insert(word)
      // In a string, the letter of an escape such as `\n` may stand right before a name.
      for escape in "nrtbf".utf8 {
        if word.count == 4 { longEndings.insert([escape] + word) }
        if word.count == 7 { longerEndings.insert([escape] + word) }
      }
      if word.count >= 5 { longEndings.insert(word.suffix(5)) }
      if word.count >= 8 { longerEndings.insert(word.suffix(8)) }
    }
    for label in LabelledValue.labels {
      endings.insert(label)
      marks.insert(label)
      if label.count >= 5 { longEndings.insert(label.suffix(5)) }
    }
    (self.names, self.letters) = (names, letters)
    (self.endings, self.longEndings) = (endings, longEndings)
    (self.longerEndings, self.marks) = (longerEndings, marks)
    longest = (letters + LabelledValue.labels).map(\.count).max() ?? 0
    shortest = letters.map(\.count).min() ?? 0
  }

  /// False for almost all words whose last five or eight letters are those of none of the names.
  @inline(__always) func mayEnd(with mark: NameMark) -> Bool {
    switch mark.count {
    case 5: longEndings.mayContain(mark)
    case 8: longerEndings.mayContain(mark)
    default: true
    }
  }

  /// False for almost all words that are none of the names.
  func mayContain(_ mark: NameMark) -> Bool { marks.mayContain(mark) }
}
