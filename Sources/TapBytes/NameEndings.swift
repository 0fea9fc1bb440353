// SPDX-License-Identifier: Apache-2.0
public import CLanes

/// The last three letters of searched names before a `:` or `=`: almost no other name ends like
/// them, so few places need a second look. Case is ignored.
public struct NameEndings: Sendable, Equatable {
  /// Indexed by the lower five bits of the last letter, in two halves: bits for the letter before
  /// it, and for the letter before that.
  @usableFromInline var words = ContiguousArray<UInt32>(repeating: 0, count: 64)

  @usableFromInline let isWide = separators_can()

  public init() {
    // A name that ends with an escape may be any name.
    words[Int(UInt8(ascii: "\\") & 31)] = .max
    words[32 + Int(UInt8(ascii: "\\") & 31)] = .max
    // Characters that are ignored in names may precede the last letters.
    for number in words.indices { for ignored in "-_ ".utf8 { insert(ignored, inWord: number) } }
  }

  private mutating func insert(_ letter: UInt8, inWord number: Int) {
    words[number] |= 1 << UInt32(letter & 31)
  }

  /// - Parameter letters: the letters of a name, at least one. Before a name of one or two, any
  ///   characters may stand.
  public mutating func insert(_ letters: [UInt8]) {
    let last = Int(letters[letters.count - 1] & 31)
    for (place, word) in [(2, last), (3, 32 + last)] {
      if letters.count < place {
        words[word] = .max
      } else {
        insert(letters[letters.count - place], inWord: word)
      }
    }
  }

  @inlinable @inline(__always) public func contains(_ before: UInt8, _ last: UInt8) -> Bool {
    words[Int(last & 31)] &>> UInt32(before & 31) & 1 != 0
  }

  /// The first `:` or `=` at or after `start` that may follow one of the names, quoted or not,
  /// escaped or not; nil when there is none.
  @inlinable @inline(__always)
  public func firstSeparator(in text: RawSpan, from start: Int = 0) -> Int? {
    precondition(start >= 0 && start <= text.byteCount)
    let place = unsafe text.withUnsafeBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return -1 }
      return unsafe words.withUnsafeBufferPointer { words in
        unsafe separators_find(
          base, bytes.count, start, words.baseAddress.unsafelyUnwrapped, isWide)
      }
    }
    return place < 0 ? nil : place
  }
}
