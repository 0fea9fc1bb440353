// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Marks of lines that hold a message, or the end of a connection, without a list and without an
/// anchor.
enum LogRareNotations {
  private static let marks: [StaticString] =
    LogFormats.all.flatMap(\.seldom) + ["Array(", "c[", "opcode", "binary"]

  /// Whether one of them stands on a line.
  static func isMarked(_ line: RawSpan) -> Bool {
    marks.contains { LogMarks.last($0, in: line) != nil }
  }

  /// A member with a name like `payload` whose string is base64 of bytes; nil for none.
  static func octets(_ line: RawSpan) -> (start: Int, end: Int, octets: Scratch)? {
    var at = 0
    while let colon = line.firstIndex(of: 0x3A, from: at) {
      at = colon + 1
      var start = at
      while start < line.byteCount, line.byte(at: start) == 0x20 || line.byte(at: start) == 0x5C {
        start += 1
      }
      guard start < line.byteCount, line.byte(at: start) == 0x22 else { continue }
      start += 1
      var end = start
      while end < line.byteCount, isBase64(line.byte(at: end)) { end += 1 }
      guard end - start >= 4, end < line.byteCount,
        line.byte(at: end) == 0x22 || line.byte(at: end) == 0x5C,
        let name = LogTimeNames.word(line, before: colon),
        LogMemberNames.isPayload(line.extracting(name))
      else { continue }
      var octets = Scratch()
      if Base64.decode(line.extracting(start..<end), into: &octets) == nil, !octets.isEmpty {
        return (start, end, octets)
      }
    }
    return nil
  }

  /// The code and the reason of `c[3000,"Go away!"]`, of SockJS; nil for anything else.
  static func closing(_ line: RawSpan) -> (start: Int, payload: Scratch)? {
    guard let start = LogMarks.last("c[", in: line), start > 0,
      !LogTimeNames.isLetter(line.byte(at: start - 1)),
      let comma = line.firstIndex(of: 0x2C, from: start),
      comma + 1 < line.byteCount, line.byte(at: comma + 1) == 0x22,
      let end = line.firstIndex(of: 0x22, from: comma + 2)
    else { return nil }
    var digits = LogDigits(line.extracting(start + 2..<comma))
    guard let code = digits.number(exactly: 4), code >= 1000, digits.at == comma - start - 2 else {
      return nil
    }
    var payload = Scratch()
    payload.append(UInt8(code >> 8))
    payload.append(UInt8(code & 0xFF))
    payload.append(line.extracting(comma + 2..<end))
    return (start, payload)
  }

  /// Where a list begins of which a console has printed the length alone, `RX Array(3)`.
  static func length(_ line: RawSpan) -> Int? {
    guard let start = LogMarks.last("Array(", in: line) else { return nil }
    var at = start + 6
    while at < line.byteCount, line.byte(at: at) &- 0x30 < 10 { at += 1 }
    guard at > start + 6, at < line.byteCount, line.byte(at: at) == 0x29 else { return nil }
    let isLast = (at + 1..<line.byteCount).allSatisfy { isJSONSpace(line.byte(at: $0)) }
    return isLast ? start : nil
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 0x61 < 26 || byte &- 0x2F < 11 || byte == 0x2B || byte == 0x2D || byte == 0x5F
      || byte == 0x3D
  }
}
