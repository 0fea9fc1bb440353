// SPDX-License-Identifier: Apache-2.0

/// A hash of the letters of a name, taken from the last letter to the first.
struct NameMark: Sendable, Equatable {
  // FNV-1a.
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var count = 0

  init() {}

  init(_ letters: some BidirectionalCollection<UInt8>) {
    for letter in letters.reversed() { add(letter) }
  }

  @inline(__always) mutating func add(_ letter: UInt8) {
    hash = (hash ^ UInt64(letter)) &* 0x100_0000_01B3
    count &+= 1
  }
}
