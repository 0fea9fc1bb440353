// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Decimal digits of integers with more than 64 bits (RFC 8949 §3.4.3).
enum BigInteger {
  /// The conversion takes quadratic time, so larger integers are not converted.
  static let maximumOctets = 512

  /// Appends the integer in bytes in network order, n, or if negative -1 - n.
  static func append(_ octets: RawSpan, isNegative: Bool, to text: inout TextBuffer) {
    // Words of nine digits, the lowest first.
    var words: [UInt64] = [0]
    for at in 0..<octets.byteCount { multiply(&words, by: 256, adding: octets.byte(at: at)) }
    if isNegative {
      // -1 - n is -(n + 1).
      text.append(byte: 0x2D)
      multiply(&words, by: 1, adding: 1)
    }
    text.append(decimal: words[words.count - 1])
    for word in words.dropLast().reversed() { text.append(decimal: word, width: 9) }
  }

  private static let base: UInt64 = 1_000_000_000

  private static func multiply(_ words: inout [UInt64], by factor: UInt64, adding more: UInt8) {
    var carry = UInt64(more)
    for index in words.indices {
      let product = words[index] * factor + carry
      words[index] = product % base
      carry = product / base
    }
    if carry > 0 { words.append(carry) }
  }
}
