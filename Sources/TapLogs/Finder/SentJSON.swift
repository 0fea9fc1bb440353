// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// JSON behind words that say that it was sent: `Sending message: {"type":…}`. Where no such words
/// stand, an object of a log is a record. Lists that begin with a number are looked for anywhere;
/// here are those of other protocols, `["1","2","room:lobby","phx_join",{}]`.
enum SentJSON {
  /// What may stand between such words and the brace.
  static let before = Array(" \t:='\"`(<>-".utf8)
  /// What those lists begin with, behind their bracket: a string, or null.
  static let elements: [UInt8] = [0x22, UInt8(ascii: "n")]
  /// Bytes before it that are looked at.
  private static let furthest = 64

  /// Whether it begins there, or behind the byte that stands there, or on the line below that one.
  ///
  /// - Parameter start: where the line begins.
  static func begins(_ line: RawSpan, _ at: Int, from start: Int) -> Bool {
    guard at + 1 < line.byteCount else { return false }
    if isList(line, at) { return isSaid(line, at, from: start) }
    switch line.byte(at: at + 1) {
    case 0x7B: return isSaid(line, at + 1, from: start)
    case 0x0A, 0x0D: return isAbove(line.extracting(start..<at + 1))
    default: return false
    }
  }

  /// Whether a line says that what stands below it was sent: `Received message:`.
  static func isAbove(_ line: RawSpan) -> Bool {
    line.byteCount > 0 && line.byte(at: line.byteCount - 1) == 0x3A
      && isSaid(line, line.byteCount, from: 0)
  }

  /// Whether such a list may begin there.
  @inline(__always)
  static func isList(_ line: RawSpan, _ at: Int) -> Bool {
    guard line.byte(at: at) == 0x5B, at + 1 < line.byteCount else { return false }
    return line.byte(at: at + 1) == 0x22 || line.dropping(at + 1).starts(with: "null,")
  }

  /// Whether words before it say that it was sent.
  private static func isSaid(_ line: RawSpan, _ at: Int, from start: Int) -> Bool {
    let prefix = line.extracting(max(start, at - furthest)..<at)
    return !isMember(prefix) && LogRules.way(prefix) != nil
  }

  /// Whether what stands before it is the name of a member: `"payload": `.
  private static func isMember(_ prefix: RawSpan) -> Bool {
    var end = prefix.byteCount
    while end > 0, isJSONSpace(prefix.byte(at: end - 1)) { end -= 1 }
    guard end > 1, prefix.byte(at: end - 1) == 0x3A else { return false }
    return prefix.byte(at: end - 2) == 0x22 || prefix.byte(at: end - 2) == 0x27
  }

  /// Whether the line says who sent what begins there, and nothing else of it: it is in no record,
  /// and behind no other object.
  static func isSent(_ line: RawSpan, _ start: Int, _ facts: inout LogFacts) -> Bool {
    guard let match = facts.match, match.way != .unsaid else { return false }
    return (match.row?.isOfPayloads ?? true) && !facts.isInBrace(line, start)
  }

  /// The object that begins on a line and goes on in the next; nil for none.
  static func open(_ line: RawSpan) -> ListEnd? {
    let last = (0..<line.byteCount).last { !isJSONSpace(line.byte(at: $0)) }
    guard let last, [0x7B, 0x5B, 0x2C].contains(line.byte(at: last)),
      let brace = line.firstIndex(of: 0x7B), brace > 0, begins(line, brace - 1, from: 0)
    else { return nil }
    var end = ListEnd(of: brace)
    end.advance(line)
    return end.state == .inside ? end : nil
  }
}
