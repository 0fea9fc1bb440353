// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Objects behind words that say that they were sent: `Sending message: {"type":…}`. Where no such
/// words stand, an object of a log is a record.
enum SentObjects {
  /// What may stand between such words and the brace.
  static let before = Array(" \t:='\"`(<>-".utf8)
  /// Bytes before the brace that are looked at.
  private static let furthest = 64

  /// Whether one begins behind a byte.
  ///
  /// - Parameter start: where its line begins.
  static func areBehind(_ at: Int, _ line: RawSpan, from start: Int) -> Bool {
    guard at + 1 < line.byteCount, line.byte(at: at + 1) == 0x7B else { return false }
    let prefix = line.extracting(max(start, at + 1 - furthest)..<at + 1)
    return !isMember(prefix) && LogRules.way(prefix) != nil
  }

  /// Whether what stands before an object is the name of a member: `"payload": `.
  private static func isMember(_ prefix: RawSpan) -> Bool {
    var end = prefix.byteCount
    while end > 0, isJSONSpace(prefix.byte(at: end - 1)) { end -= 1 }
    guard end > 1, prefix.byte(at: end - 1) == 0x3A else { return false }
    return prefix.byte(at: end - 2) == 0x22 || prefix.byte(at: end - 2) == 0x27
  }

  /// Whether the line says who sent the object that begins there, and nothing else does: it is in no
  /// record, and behind no other object.
  static func isSent(_ line: RawSpan, _ start: Int, _ facts: inout LogFacts) -> Bool {
    guard let match = facts.match, match.way != .unsaid else { return false }
    return (match.row?.isOfPayloads ?? true) && !facts.isInBrace(line, start)
  }
}
