// SPDX-License-Identifier: Apache-2.0
public import CLanes

/// The last two letters of names that are looked for before a `:` or `=`: almost no other name ends
/// like them, so few places are looked at twice. Upper and lower case are the same.
public struct NameEndings: Sendable, Equatable {
  /// A bit for the letter before the last, in the word of the last, by their lower five bits.
  @usableFromInline var words = ContiguousArray<UInt32>(repeating: 0, count: 32)

  @usableFromInline let isWide = separators_can()

  public init() {
    // What ends in an escape may be any name.
    words[Int(UInt8(ascii: "\\") & 31)] = .max
  }

  public mutating func insert(_ before: UInt8, _ last: UInt8) {
    words[Int(last & 31)] |= 1 << UInt32(before & 31)
  }

  @inlinable @inline(__always) public func contains(_ before: UInt8, _ last: UInt8) -> Bool {
    words[Int(last & 31)] &>> UInt32(before & 31) & 1 != 0
  }

  /// The first `:` or `=` at or after `start` that may follow one of the names, in quotes or not,
  /// its letters spelled as escapes or not; nil when there is none.
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
