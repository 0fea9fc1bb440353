// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Where texts stand in a line that begin as packets of Socket.IO inside of Engine.IO, as an OPEN
/// of that, or as messages of SockJS: `42["chat"`, `451-/admin,7["x"`, `40{`, `0{`, `a["`.
enum PacketStart {
  /// Characters of a namespace.
  private static let furthest = 128

  /// The first at or after `start`, and its first bracket; nil when there is none.
  static func next(_ line: RawSpan, from start: Int) -> (start: Int, bracket: Int)? {
    var at = start
    while at < line.byteCount {
      let bracket = line.firstIndex(ofAny: 0x5B7B_5B7B_5B7B_5B7B, from: at)
      if bracket == line.byteCount { return nil }
      if let found = before(line, bracket, from: start) { return (found, bracket) }
      at = bracket + 1
    }
    return nil
  }

  /// The beginning of the one whose first bracket stands there; nil when none does.
  ///
  /// - Parameter start: of the line.
  static func before(_ line: RawSpan, _ bracket: Int, from start: Int) -> Int? {
    guard bracket > start, !carriesList(line, bracket) else { return nil }
    let isList = line.byte(at: bracket) == 0x5B
    switch line.byte(at: bracket - 1) {
    case UInt8(ascii: "a"):
      guard isList, bracket + 1 < line.byteCount, line.byte(at: bracket + 1) == 0x22 else {
        return nil
      }
      return isBorder(line, bracket - 1, start) ? bracket - 1 : nil
    case 0x30...0x39, 0x2C, 0x2D: break
    default: return nil
    }
    var at = digits(line, bracket, start)
    if at > start, line.byte(at: at - 1) == 0x2C {
      guard let slash = slash(line, at - 1, start) else { return nil }
      at = digits(line, slash, start)
    }
    if at > start, line.byte(at: at - 1) == 0x2D { at = digits(line, at - 1, start) }
    guard isBorder(line, at, start), at + 1 < line.byteCount else { return nil }
    if !isList && line.byte(at: at) == 0x30 && at + 1 == bracket { return at }
    let isPacket = line.byte(at: at) == 0x34 && line.byte(at: at + 1) &- 0x30 < 7
    return isPacket && at + 1 < bracket ? at : nil
  }

  /// Whether a frame of SockJS carries lists, as of WAMP, which are looked for by themselves:
  /// `a["[33`.
  private static func carriesList(_ line: RawSpan, _ bracket: Int) -> Bool {
    line.dropping(bracket).starts(with: "[\"[")
  }

  /// Where digits begin that end before a place.
  private static func digits(_ line: RawSpan, _ end: Int, _ start: Int) -> Int {
    var at = end
    while at > start, line.byte(at: at - 1) &- 0x30 < 10 { at -= 1 }
    return at
  }

  /// The slash of a namespace that ends before a comma.
  private static func slash(_ line: RawSpan, _ comma: Int, _ start: Int) -> Int? {
    var at = comma
    while at > max(start, comma - furthest) {
      at -= 1
      let byte = line.byte(at: at)
      if byte == 0x2F, at > start, line.byte(at: at - 1) &- 0x30 < 10 { return at }
      if byte <= 0x20 || byte == 0x22 || byte == 0x27 || byte == 0x2C || byte | 0x20 == 0x7D {
        return nil
      }
    }
    return nil
  }

  /// Whether no word or number goes on there.
  private static func isBorder(_ line: RawSpan, _ at: Int, _ start: Int) -> Bool {
    guard at > start else { return true }
    let byte = line.byte(at: at - 1)
    if LiteralReader.isWord(byte) || byte >= 0x80 { return false }
    return ![0x2D, 0x2E, 0x2F, 0x29, 0x5D, 0x7D, 0x24, 0x40, 0x23].contains(byte)
  }
}
