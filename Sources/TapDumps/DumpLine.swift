// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// One line of a dump: where it begins, the bytes in two digits each or in groups, and maybe the
/// same as text, which is not read.
struct DumpLine {
  /// Who writes such lines.
  enum Style: Equatable {
    /// `0x0010:  4500 003c`
    case tcpdump
    /// `00000010: 4500 003c`
    case xxd
    /// `00000010  45 00 …  |E…|`
    case hexdump
    /// `0000020 45 00`, octal as a rule
    case od
    /// `0010  45 00 …   E.`
    case wireshark
  }

  var style: Style
  /// Blanks before the offset; a tab counts as eight.
  var indent: Int
  /// The digits of the offset, whose base not every style shows.
  var offset: ArraySlice<UInt8>
  /// Nil for one that has a digit which is none.
  var octets: [UInt8?] = []
  /// Where the first of these stands, from 1.
  var badColumn = 0
  /// That one has no second digit.
  var isHalf = false
  var hasText = false
  /// Characters of the text.
  private var textLength = 0

  /// Longer lines are no dump.
  static let longest = 2048

  var hexadecimalOffset: Int { value(16) ?? 0 }

  /// The offset in a base; nil when it has other digits.
  func value(_ base: Int) -> Int? {
    var value = 0
    for byte in offset {
      guard let digit = Digits.hexValue(byte), digit < base else { return nil }
      value = value * base + Int(digit)
    }
    return value
  }

  /// Nil when the line is none of a dump.
  init?(_ line: [UInt8]) {
    var at = 0
    indent = 0
    while at < line.count, line[at].isWSP {
      indent += line[at] == .tab ? 8 : 1
      at += 1
    }
    let has0x = line[at...].starts(with: [0x30, 0x78])
    if has0x { at += 2 }
    let start = at
    while at < line.count, line[at].isHexDigit { at += 1 }
    offset = line[start..<at]
    guard offset.count >= 4 && offset.count <= 8 || has0x && (1...8).contains(offset.count)
    else { return nil }
    let hasColon = at < line.count && line[at] == .colon
    if hasColon { at += 1 }
    let gap = Self.blanks(line, &at)
    style = has0x ? .tcpdump : hasColon ? .xxd : gap == 1 ? .od : .wireshark
    // Only the last line of `hexdump` and `od` has nothing but the offset.
    if at == line.count {
      if has0x || hasColon || offset.count < 6 { return nil }
      style = offset.count == 8 ? .hexdump : .od
      return
    }
    // Fewer digits before a single blank are rather bytes than an offset.
    if gap == 0 || (style == .od && offset.count < 6) { return nil }
    let isPaired = style != .tcpdump && style != .xxd
    read(line, from: at, isPaired: isPaired)
    if style == .xxd { readBits() }
    if octets.isEmpty || octets[0] == nil { return nil }
  }

  /// Words of hexadecimal digits, up to where the text column begins.
  private mutating func read(_ line: [UInt8], from start: Int, isPaired: Bool) {
    var at = start
    while at < line.count, octets.count < 256 {
      let first = at
      while at < line.count, line[at] != .space, line[at] != .tab { at += 1 }
      let word = line[first..<at]
      let isWhole = word.allSatisfy { $0.isHexDigit }
      if isPaired ? !(isWhole && word.count == 2) : !(isWhole && word.count & 1 == 0) {
        let isText = !isDamaged(word, line, at, isPaired)
        if isText {
          (hasText, textLength) = (true, line.count - first)
          if isPaired && word.first == UInt8(ascii: "|") { style = .hexdump }
          return
        }
      }
      append(word, column: first + 1)
      let gap = Self.blanks(line, &at)
      if at == line.count { return }
      // The columns of most tools: two halves of eight, two blanks apart, then the text.
      let isMiddle = isPaired && gap == 2 && octets.count == 8
      let isEnd = isPaired && octets.count % 16 == 0 && gap > 1
      if gap > 1 && !isMiddle || isEnd {
        (hasText, textLength) = (true, line.count - at)
        if isPaired && line[at] == UInt8(ascii: "|") { style = .hexdump }
        return
      }
    }
  }

  /// What was read as digits may be bits, eight of a byte, as `xxd -b` writes them: the text beside
  /// them has a character for each byte.
  private mutating func readBits() {
    let count = octets.count / 4
    guard hasText, octets.count % 4 == 0, textLength <= count,
      octets.allSatisfy({ $0.map { $0 & 0xEE == 0 } ?? false })
    else { return }
    octets = (0..<count).map { byte in
      octets[byte * 4..<byte * 4 + 4].reduce(0) { $0 << 2 | ($1! >> 3 & 2) | ($1! & 1) }
    }
  }

  /// Whether a word that is no byte, or no group of bytes, is a damaged one and not the beginning
  /// of the text: bytes go on behind it.
  private func isDamaged(
    _ word: ArraySlice<UInt8>, _ line: [UInt8], _ end: Int, _ isPaired: Bool
  ) -> Bool {
    if isPaired ? word.count > 2 : word.count > 16 { return false }
    if !isPaired && !octets.isEmpty && word.allSatisfy({ $0.isHexDigit }) {
      return true
    }
    var at = end
    guard Self.blanks(line, &at) == 1 else { return false }
    let next = line[at...].prefix { $0 != .space && $0 != .tab }
    return next.count & 1 == 0 && !next.isEmpty && next.allSatisfy { $0.isHexDigit }
  }

  private mutating func append(_ word: ArraySlice<UInt8>, column: Int) {
    var at = word.startIndex
    while at < word.endIndex {
      let high = Digits.hexValue(word[at])
      let low = at + 1 < word.endIndex ? Digits.hexValue(word[at + 1]) : nil
      if let high, let low {
        octets.append(high << 4 | low)
      } else {
        octets.append(nil)
        if badColumn == 0 { (badColumn, isHalf) = (column, at + 1 == word.endIndex && high != nil) }
      }
      at += 2
    }
  }

  private static func blanks(_ line: [UInt8], _ at: inout Int) -> Int {
    let start = at
    while at < line.count, line[at].isWSP { at += 1 }
    return at - start
  }
}
