// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Bytes of a stream on the lines below the one that says how many they are: rows of sixteen behind
/// their offset, `0010: 3a 20 … : `, or between bars, `|00000010| 3a 20 … |: …|`; or as hexdump -C
/// and hex.Dump of Go print them, `00000010  3a 20 …  |: …|`.
struct LoggedDump {
  private(set) var octets = Scratch()
  /// How many the line says there are, whether or not all of them stand there.
  private(set) var length: Int
  /// All of them stand there, and the line that closes the bars.
  private(set) var isWhole = false
  /// Its rows are text, in which a dot stands for each byte that does not print, as of curl with
  /// `--trace-ascii`: which bytes there were is not known.
  private(set) var isText = false

  /// Bytes of a row, and digits of its offset.
  private static let (row, digits) = (16, 4...8)

  /// Where the number begins on a line that says how many bytes were sent, and nothing behind that:
  /// `sent 120 bytes:`.
  static func announced(_ line: RawSpan) -> Int? {
    let unit: StaticString = " bytes:"
    let end = line.byteCount - unit.utf8CodeUnitCount
    guard end > 0, line.dropping(end).starts(with: unit) else { return nil }
    let start = line.beforeDigits(end, from: 0)
    let words = line.extracting(max(0, start - 64)..<start)
    return start < end && LogRules.direction(words) != nil ? start : nil
  }

  /// Whether a line is a row that begins as hexdump -C prints it: what stands between its bars is
  /// no text of its own.
  static func isRow(_ line: RawSpan) -> Bool {
    guard let last = line.lastUnspaced, line.byte(at: last) == UInt8(ascii: "|") else {
      return false
    }
    return rowStart(line)?.bytes == digits.upperBound + 2
      && line.hexOctet(at: digits.upperBound + 2) != nil
  }

  /// Whether a line is of a dump: a row, or the frame around rows.
  static func isPart(_ line: RawSpan) -> Bool {
    let start = line.behindSpace(0)
    guard start < line.byteCount else { return false }
    if line.byte(at: start) == UInt8(ascii: "+") || line.byte(at: start) == UInt8(ascii: "|") {
      return true
    }
    return rowStart(line) != nil
  }

  /// - Parameters:
  ///   - lines: those behind the first are read.
  ///   - start: behind the mark, where the number of bytes stands with its unit. Nil where there is
  ///     none.
  init?(_ lines: RawSpan, _ start: Int) {
    var digits = DigitReader(lines.dropping(start))
    length = digits.number(most: 9)?.value ?? 0
    let unit = lines.dropping(start + digits.at)
    guard length > 0,
      unit.starts(with: "B") || unit.starts(with: " bytes (0x") || unit.starts(with: " bytes:")
    else { return nil }
    var at = (lines.firstIndex(of: .lineFeed, from: start) ?? lines.byteCount) + 1
    var isBarred = false
    while at < lines.byteCount, octets.count < length {
      let end = lines.firstIndex(of: .lineFeed, from: at) ?? lines.byteCount
      let line = lines.extracting(at..<end)
      at = end + 1
      guard let row = Self.rowStart(line) else { continue }
      if !row.isBarred && octets.isEmpty && isText(row: line.dropping(row.bytes)) {
        isText = true
        return
      }
      // Behind a missing row, bytes would be taken for those of another offset.
      guard row.offset == octets.count, readRow(line, row.bytes) else { return }
      isBarred = row.isBarred
    }
    isWhole = octets.count == length && (!isBarred || at < lines.byteCount)
  }

  /// The offset of a row, and where its bytes begin; nil where there is none.
  private static func rowStart(_ line: RawSpan) -> (offset: Int, bytes: Int, isBarred: Bool)? {
    var at = line.behindSpace(0)
    let isBarred = at < line.byteCount && line.byte(at: at) == UInt8(ascii: "|")
    if isBarred { at += 1 }
    let start = at
    var offset = 0
    while at < line.byteCount, at - start < digits.upperBound,
      let digit = Digits.hexValue(line.byte(at: at))
    {
      offset = offset << 4 | Int(digit)
      at += 1
    }
    guard digits.contains(at - start), at < line.byteCount else { return nil }
    if !isBarred, at - start == digits.upperBound, line.dropping(at).starts(with: "  ") {
      return (offset, at + 2, isBarred)
    }
    guard line.byte(at: at) == (isBarred ? UInt8(ascii: "|") : .colon)
    else { return nil }
    // A row of text may be empty: that was the end of a line.
    if at + 1 == line.byteCount { return isBarred ? nil : (offset, at + 1, isBarred) }
    return line.byte(at: at + 1) == .space ? (offset, at + 2, isBarred) : nil
  }

  /// Whether a row is text: it does not begin with a byte in hexadecimal, or ends behind one
  /// although it has all that was sent.
  private func isText(row: RawSpan) -> Bool {
    if row.hexOctet(at: 0) == nil { return true }
    return row.byteCount == 2 ? length == 2 : row.byte(at: 2) != .space
  }

  /// Reads the bytes of a row, as many as it has or as are left. Of a row that is cut, those before
  /// the cut are kept; where something else stands there, none.
  private mutating func readRow(_ line: RawSpan, _ start: Int) -> Bool {
    let before = octets.count
    let count = min(Self.row, length - before)
    // A second blank may stand in the middle.
    let middle = start + Self.row / 2 * 3
    let isSplit = middle < line.byteCount && line.byte(at: middle) == .space
    for index in 0..<count {
      let at = start + index * 3 + (isSplit && index >= Self.row / 2 ? 1 : 0)
      guard let octet = line.hexOctet(at: at),
        at + 2 == line.byteCount || line.byte(at: at + 2) == .space
      else {
        if at + 1 < line.byteCount { octets.truncate(before) }
        return false
      }
      octets.append(octet)
    }
    return true
  }
}
