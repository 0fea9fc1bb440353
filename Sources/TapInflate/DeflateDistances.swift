// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The longest back-reference of a message (RFC 1951 §3.2), found by parsing its blocks without
/// inflating. zlib does not report it, and accepts any distance within the data it still has.
public enum DeflateDistances {
  /// A Huffman code, defined by its lengths (RFC 1951 §3.2.2).
  private struct Code {
    private static let mostBits = 15

    /// The number of codes of each length, and the symbols in code order.
    private var counts = [Int](repeating: 0, count: mostBits + 1)
    private var symbols: [UInt16] = []

    init(lengths: some Collection<UInt8>) {
      for length in lengths { counts[Int(length)] += 1 }
      counts[0] = 0
      for bits in 1...Self.mostBits where counts[bits] > 0 {
        for (symbol, length) in lengths.enumerated() where length == bits {
          symbols.append(UInt16(symbol))
        }
      }
    }

    func symbol(_ bits: inout DeflateBits) -> Int? {
      var (code, first, index) = (0, 0, 0)
      for length in 1...Self.mostBits {
        guard let bit = bits.take(1) else { return nil }
        code |= bit
        let count = counts[length]
        if code - first < count { return Int(symbols[index + code - first]) }
        index += count
        first = (first + count) << 1
        code <<= 1
      }
      return nil
    }
  }

  private static let fixedLengths: Code = {
    var lengths = [UInt8](repeating: 8, count: 288)
    for symbol in 144..<256 { lengths[symbol] = 9 }
    for symbol in 256..<280 { lengths[symbol] = 7 }
    return Code(lengths: lengths)
  }()
  private static let fixedDistances = Code(lengths: [UInt8](repeating: 5, count: 30))
  /// The order of the code length code's lengths (RFC 1951 §3.2.7).
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let lengthBits: [UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  /// The first distance of each symbol (RFC 1951 §3.2.5); the extra bits are added to it.
  private static let distances = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]

  /// The longest distance in these bytes, which may end anywhere; 0 when there is none.
  public static func longest(in bytes: RawSpan) -> Int {
    var bits = DeflateBits(bytes.copied())
    var longest = 0
    while let header = bits.take(3) {
      let isWhole: Bool
      switch header >> 1 {
      case 0: isWhole = bits.passStored()
      case 1: isWhole = walk(fixedLengths, fixedDistances, &bits, &longest)
      case 2:
        guard let (lengths, distances) = codes(&bits) else { return longest }
        isWhole = walk(lengths, distances, &bits, &longest)
      default: isWhole = false
      }
      if !isWhole { break }
      // After a final block, data continues at the next byte (RFC 7692 §7.2.3.4).
      if header & 1 != 0 { bits.align() }
    }
    return longest
  }

  /// Parses one block; false when it is incomplete.
  private static func walk(
    _ lengths: Code, _ distances: Code, _ bits: inout DeflateBits, _ longest: inout Int
  ) -> Bool {
    while let symbol = lengths.symbol(&bits) {
      if symbol < 256 { continue }
      if symbol == 256 { return true }
      guard symbol - 257 < lengthBits.count, bits.take(Int(lengthBits[symbol - 257])) != nil,
        let place = distances.symbol(&bits), place < Self.distances.count,
        let extra = bits.take(place < 4 ? 0 : place / 2 - 1)
      else { return false }
      longest = max(longest, Self.distances[place] + extra)
    }
    return false
  }

  /// The Huffman codes of a dynamic block (RFC 1951 §3.2.7).
  private static func codes(_ bits: inout DeflateBits) -> (Code, Code)? {
    guard let literals = bits.take(5), let distances = bits.take(5), let count = bits.take(4)
    else { return nil }
    var own = [UInt8](repeating: 0, count: 19)
    for place in order[..<(count + 4)] {
      guard let length = bits.take(3) else { return nil }
      own[place] = UInt8(length)
    }
    let code = Code(lengths: own)
    var lengths: [UInt8] = []
    while lengths.count < literals + 257 + distances + 1 {
      guard let symbol = code.symbol(&bits) else { return nil }
      switch symbol {
      case 16:
        guard let last = lengths.last, let more = bits.take(2) else { return nil }
        lengths += [UInt8](repeating: last, count: more + 3)
      case 17, 18:
        guard let more = bits.take(symbol == 17 ? 3 : 7) else { return nil }
        lengths += [UInt8](repeating: 0, count: more + (symbol == 17 ? 3 : 11))
      default: lengths.append(UInt8(symbol))
      }
    }
    guard lengths.count == literals + 257 + distances + 1 else { return nil }
    return (
      Code(lengths: lengths[..<(literals + 257)]),
      Code(lengths: Array(lengths[(literals + 257)...]))
    )
  }
}
