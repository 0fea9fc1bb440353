// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Texts that are printed as their bytes: as numbers (`OctetList`) or between brackets
/// (`BracketedHex`).
enum PrintedOctets {
  /// What bytes may begin with.
  private static let marks: UInt64 = 0x3C3C_3C3C_3C3C_3C5B

  /// The line with strings of JSON in the place of such bytes; nil when it has none. A text that
  /// the program cut goes to the end of the line, as other loggers print it.
  static func undone(_ line: RawSpan) -> Scratch? {
    var undone = TextBuffer()
    var done = 0
    var at = 0
    while at < line.byteCount {
      let next = line.firstIndex(ofAny: marks, from: at)
      guard next < line.byteCount, let found = octets(line, next, from: done) else {
        at = next + 1
        continue
      }
      undone.append(line.extracting(done..<found.range.lowerBound))
      if found.isCut {
        undone.append(found.text.bytes)
        undone.append("...")
        (done, at) = (line.byteCount, line.byteCount)
      } else {
        JSONString.append(ANSI.stripped(found.text.bytes).bytes, to: &undone)
        (done, at) = (found.range.upperBound, found.range.upperBound)
      }
    }
    if done == 0 { return nil }
    undone.append(line.dropping(done))
    var whole = Scratch()
    whole.append(undone.bytes)
    return whole
  }

  /// The text whose bytes begin at `start`, and what stands for it, from `first` on.
  private static func octets(
    _ line: RawSpan, _ start: Int, from first: Int
  ) -> (range: Range<Int>, text: Scratch, isCut: Bool)? {
    if let hex = BracketedHex(line, start) {
      return hex.isText ? (start..<hex.end, hex.octets, hex.isCut) : nil
    }
    guard line.byte(at: start) == .openBracket, let (text, isCut, end) = OctetList.text(line, start)
    else {
      return nil
    }
    return (max(first, named(line, start))..<end, text, isCut)
  }

  /// Where the name of the type begins that stands before a list, `Uint8Array(30) [`.
  private static func named(_ line: RawSpan, _ start: Int) -> Int {
    let at = line.before(start) { isOfCount($0) }
    let name: StaticString = "Uint8Array"
    let count = name.utf8CodeUnitCount
    return at >= count && line.dropping(at - count).starts(with: name) ? at - count : start
  }

  private static func isOfCount(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == .space || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
  }
}
