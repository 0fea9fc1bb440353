// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Reads the session of a message, who wrote its line and who is at the other end, where the rule
/// of the line says that they stand.
enum RuleFacts {
  /// The id of the session where it does not stand beside the message; 0 where the line names none.
  static func session(_ rule: LogRule?, _ line: RawSpan) -> UInt64 {
    guard case .after(let words)? = rule?.session, let at = LogMarks.last(words, in: line) else {
      return 0
    }
    return number(line, at + words.utf8CodeUnitCount)
  }

  /// The side that the rule of a line names, or its words.
  static func side(_ match: LogMatch, _ line: RawSpan) -> LogFormat.Side {
    var side = match.rule?.side ?? .unknown
    for entry in match.format.sideWords where LogMarks.last(entry.words, in: line) != nil {
      side = entry.side
    }
    return side
  }

  /// The id of the session where it stands beside the message, 0 for none; nil where it does not.
  static func session(
    _ rule: LogRule, _ line: RawSpan, markEnd: Int, start: Int
  ) -> UInt64? {
    switch rule.session {
    case .nowhere: return 0
    case .after: return nil
    case .afterMark: return number(line, markEnd)
    case .bracketed: return bracketed(line, before: markEnd) ?? 0
    case .beforeMark(let words):
      guard let at = LogMarks.last(words, in: line.extracting(0..<markEnd)) else { return 0 }
      return number(line, at + words.utf8CodeUnitCount)
    case .beforeMessage:
      var end = start
      while end > markEnd, !line.byte(at: end - 1).isDigit {
        // Only blanks and a comma stand between.
        guard line.byte(at: end - 1) == .comma || line.byte(at: end - 1).isJSONSpace else {
          return 0
        }
        end -= 1
      }
      let begin = line.beforeDigits(end, from: markEnd)
      return number(line, begin)
    }
  }

  /// The number of `[5718276356293104] `, which ends there; nil for anything else.
  static func bracketed(_ line: RawSpan, before end: Int) -> UInt64? {
    guard end > 3, line.dropping(end - 2).starts(with: "] ") else { return nil }
    let start = line.beforeDigits(end - 2)
    guard start < end - 2, start > 0, line.byte(at: start - 1) == .openBracket else { return nil }
    return number(line, start)
  }

  /// Whether the mark is a string of a record, without its colours: where the session would stand,
  /// a member of that record has it.
  static func isInMember(_ rule: LogRule, _ line: RawSpan, markEnd: Int) -> Bool {
    guard case .afterMark = rule.session else { return false }
    let end = ANSI.behind(line, markEnd)
    return end < line.byteCount && line.byte(at: end) == .quote
  }

  /// A number behind colours, if there are any; 0 for anything else.
  static func number(_ line: RawSpan, _ start: Int) -> UInt64 {
    var digits = DigitReader(line.dropping(ANSI.behind(line, start)))
    return digits.number(most: 16).map { UInt64($0.value) } ?? 0
  }

  /// `CP_1` before a mark, behind a blank, a colon or a quote; empty where there is none.
  static func word(_ line: RawSpan, before mark: Int) -> String {
    let start = line.before(mark, from: max(0, mark - 64)) {
      $0 > 0x20 && $0 != .colon && $0 != .quote
    }
    return String(decoding: line.extracting(start..<mark).copied(), as: Unicode.UTF8.self)
  }

  /// The id before a mark, `AbCdEfGhIjKlMnOpAAAA: `; empty where there is none.
  static func secret(_ line: RawSpan, lengths: [Int], before mark: Int) -> String {
    for length in lengths {
      let word = secret(line, length: length, before: mark)
      if !word.isEmpty { return word }
    }
    return ""
  }

  /// The id behind words that follow a message; empty where there is none.
  static func secret(_ line: RawSpan, behind words: StaticString, from message: Int) -> String {
    guard let at = LogMarks.last(words, in: line.dropping(message)) else { return "" }
    let id = line.dropping(message + at + words.utf8CodeUnitCount)
    return String(
      decoding: id.extracting(0..<id.behind(0) { $0.isOfName }).copied(), as: Unicode.UTF8.self)
  }

  private static func secret(_ line: RawSpan, length: Int, before mark: Int) -> String {
    let start = mark - length - 2
    guard start >= 0, line.dropping(mark - 2).starts(with: ": ") else { return "" }
    let word = line.extracting(start..<mark - 2)
    let isID = (0..<length).allSatisfy {
      word.byte(at: $0).isOfIdentifier || word.byte(at: $0) == .hyphen
    }
    guard isID, start == 0 || line.byte(at: start - 1) <= 0x20 || line.byte(at: start - 1) == .colon
    else { return "" }
    return String(decoding: word.copied(), as: Unicode.UTF8.self)
  }

  /// `Router 8751` of `[Router       8751 class]`.
  static func process(_ line: RawSpan) -> String? {
    let near = line.extracting(0..<min(line.byteCount, 256))
    var from = 0
    while let open = near.firstIndex(of: .openBracket, from: from) {
      from = open + 1
      var at = near.behind(open + 1) { $0.isAlpha }
      let name = near.extracting(open + 1..<at)
      let gap = at
      at = near.behindBlanks(at)
      let digits = at
      at = near.behindDigits(at)
      guard !name.isEmpty, digits > gap, at > digits else { continue }
      return String(decoding: name.copied(), as: Unicode.UTF8.self) + " "
        + String(decoding: near.extracting(digits..<at).copied(), as: Unicode.UTF8.self)
    }
    return nil
  }

  static func firstWord(_ line: RawSpan) -> String {
    String(
      decoding: line.extracting(first: 64).copied().prefix { $0 != .space }, as: Unicode.UTF8.self)
  }

  /// The word behind a mark: who is at the other end.
  static func peer(_ line: RawSpan, markEnd: Int) -> [UInt8] {
    let near = line.extracting(markEnd..<min(line.byteCount, markEnd + 256))
    let rest = near.extracting(0..<(near.firstIndex(of: .lineFeed) ?? near.byteCount)).copied()
    return Array(rest.drop { $0 == .space }.prefix { $0 > 0x20 })
  }
}
