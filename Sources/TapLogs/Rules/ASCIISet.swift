// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A set of ASCII bytes, such as those that occur in a text: words with any other byte cannot stand
/// in it.
struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init() {}

  init(_ text: RawSpan) {
    for at in 0..<text.byteCount { insert(text.byte(at: at)) }
  }

  init(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { insert(text.utf8Start[index]) }
  }

  @inline(__always)
  mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    if byte < 64 { low |= bit } else if byte < 128 { high |= bit }
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }

  @inline(__always)
  func isSubset(of other: ASCIISet) -> Bool { low & ~other.low == 0 && high & ~other.high == 0 }
}
