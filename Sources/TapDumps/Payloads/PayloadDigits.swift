// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A payload that was printed in digits. The text beside them tells which they are, as far as the
/// columns leave that open.
enum PayloadDigits {
  /// The bytes of each row; nil for one that is none.
  static func read(_ rows: [UInt8], _ tool: PayloadHead.Tool) -> [[UInt8]?] {
    rows.split(separator: .lineFeed).map { tool == .ngrep ? ngrep($0) : tcpflow($0) }
  }

  /// Two groups of eight bytes, four blanks apart, and the text in column 56.
  private static func ngrep(_ row: ArraySlice<UInt8>) -> [UInt8]? {
    guard row.count > 56, row.starts(with: [.space, .space]) else { return nil }
    var bytes: [UInt8] = []
    for index in 0..<16 {
      let at = row.startIndex + 2 + 3 * index + (index < 8 ? 0 : 3)
      guard let byte = byte(row[at..<at + 2]) else { break }
      bytes.append(byte)
    }
    let text = row.dropFirst(56).prefix(bytes.count)
    return !bytes.isEmpty && fits(text, bytes) ? bytes : nil
  }

  /// An offset, groups of two bytes, and the text, which stands in a column only if there are more
  /// rows than one.
  private static func tcpflow(_ row: ArraySlice<UInt8>) -> [UInt8]? {
    guard let colon = row.firstIndex(of: .colon), (4...8).contains(colon - row.startIndex),
      row[..<colon].allSatisfy(\.isHexDigit), row[(colon + 1)...].first == .space
    else { return nil }
    var (bytes, at): ([UInt8], Int) = ([], colon + 2)
    while bytes.count < 32, at + 1 < row.endIndex, let byte = byte(row[at..<at + 2]) {
      bytes.append(byte)
      at += 2
      if at < row.endIndex && row[at] == .space && bytes.count % 2 == 0 { at += 1 }
    }
    // Text right behind the digits may look like some.
    while !bytes.isEmpty {
      if fits(row.suffix(bytes.count), bytes) { return bytes }
      bytes.removeLast()
    }
    return nil
  }

  private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, let high = Digits.hexValue(digits.first!),
      let low = Digits.hexValue(digits.last!)
    else { return nil }
    return high << 4 | low
  }

  private static func fits(_ text: ArraySlice<UInt8>, _ bytes: [UInt8]) -> Bool {
    text.count == bytes.count
      && zip(text, bytes).allSatisfy { character, byte in
        character == ((0x20...0x7E).contains(byte) ? byte : PrintedOctet.dot)
      }
  }
}
