// SPDX-License-Identifier: Apache-2.0

/// A small compressor (RFC 1951) for tests and samples: fixed Huffman codes and greedy matches,
/// independent of the inflater. It remembers earlier messages, as permessage-deflate does with
/// context takeover.
public struct Deflater: Sendable {
  private let window: Int
  private static let longest = 258

  private var history: [UInt8] = []
  /// The last position of each sequence of three bytes.
  private var seen: [UInt32: Int] = [:]
  private var out: [UInt8] = []
  private var pending: UInt32 = 0
  private var pendingBits: UInt32 = 0

  public init(windowBits: Int32 = 15) { window = 1 << windowBits }

  /// The payload of a compressed message, without the tail 00 00 FF FF (RFC 7692 §7.2.1).
  public mutating func message(_ bytes: [UInt8]) -> [UInt8] {
    begin(isLast: false)
    append(bytes)
    symbol(256)
    // The header of an empty stored block, whose content is the omitted tail.
    bits(0, 3)
    align()
    return take()
  }

  /// A complete stream.
  public static func stream(_ bytes: [UInt8]) -> [UInt8] {
    var deflater = Deflater()
    deflater.begin(isLast: true)
    deflater.append(bytes)
    deflater.symbol(256)
    deflater.align()
    return deflater.take()
  }

  /// The payload of a compressed message that repeats one byte, without keeping the message in
  /// memory.
  public static func message(repeating byte: UInt8, count: Int) -> [UInt8] {
    var deflater = Deflater()
    deflater.begin(isLast: false)
    deflater.symbol(Int(byte))
    var left = count - 1
    while left >= 3 {
      let length = min(left, longest)
      deflater.match(length: length, distance: 1)
      left -= length
    }
    for _ in 0..<left { deflater.symbol(Int(byte)) }
    deflater.symbol(256)
    deflater.bits(0, 3)
    deflater.align()
    return deflater.take()
  }

  private mutating func append(_ bytes: [UInt8]) {
    var at = history.count
    history += bytes
    while at < history.count {
      var length = 0
      var from = 0
      if at + 3 <= history.count, let place = seen[key(at)], at - place <= window {
        from = place
        let most = min(Self.longest, history.count - at)
        while length < most && history[from + length] == history[at + length] { length += 1 }
      }
      if length < 3 {
        symbol(Int(history[at]))
        length = 1
      } else {
        match(length: length, distance: at - from)
      }
      for place in at..<at + length where place + 3 <= history.count { seen[key(place)] = place }
      at += length
    }
  }

  private func key(_ at: Int) -> UInt32 {
    UInt32(history[at]) << 16 | UInt32(history[at + 1]) << 8 | UInt32(history[at + 2])
  }

  /// A block of fixed codes (RFC 1951 §3.2.6).
  private mutating func begin(isLast: Bool) {
    bits(isLast ? 1 : 0, 1)
    bits(1, 2)
  }

  private mutating func symbol(_ symbol: Int) {
    switch symbol {
    case ..<144: code(0x30 + symbol, 8)
    case ..<256: code(0x190 + symbol - 144, 9)
    case ..<280: code(symbol - 256, 7)
    default: code(0xC0 + symbol - 280, 8)
    }
  }

  /// RFC 1951 §3.2.5.
  private mutating func match(length: Int, distance: Int) {
    if length == Self.longest {
      symbol(285)
    } else {
      let (index, extra, rest) = Self.bucket(length - 3, base: 4)
      symbol(257 + index)
      bits(UInt32(rest), UInt32(extra))
    }
    let (index, extra, rest) = Self.bucket(distance - 1, base: 2)
    code(index, 5)
    bits(UInt32(rest), UInt32(extra))
  }

  /// The code of a value, and its extra bits: `base` codes share each power of two, after twice as
  /// many for single values.
  private static func bucket(_ value: Int, base: Int) -> (index: Int, extra: Int, rest: Int) {
    if value < 2 * base { return (value, 0, 0) }
    var extra = 0
    while value >> extra >= 2 * base { extra += 1 }
    return (base * extra + value >> extra, extra, value & ((1 << extra) - 1))
  }

  /// Huffman codes are written with their most significant bit first.
  private mutating func code(_ value: Int, _ count: Int) {
    for place in (0..<count).reversed() { bits(UInt32(value >> place & 1), 1) }
  }

  private mutating func bits(_ value: UInt32, _ count: UInt32) {
    pending |= value << pendingBits
    pendingBits += count
    while pendingBits >= 8 {
      out.append(UInt8(pending & 0xFF))
      pending >>= 8
      pendingBits -= 8
    }
  }

  private mutating func align() { if pendingBits > 0 { bits(0, 8 - pendingBits) } }

  private mutating func take() -> [UInt8] {
    defer { out.removeAll() }
    return out
  }
}
