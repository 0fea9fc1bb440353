// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Words that stand for values, and what printers put in the place of values.
enum LiteralWord {
  /// What a word is in JSON; nil when it is no value of it.
  static func json(_ word: RawSpan) -> StaticString? {
    for entry in all where word.equals(entry.word) { return entry.json }
    return nil
  }

  /// Bytes of what stands in the place of a value.
  private static let furthest = 4096

  private static let all: [(word: StaticString, json: StaticString)] = [
    ("True", "true"), ("true", "true"), ("False", "false"), ("false", "false"),
    ("None", "null"), ("null", "null"), ("nil", "null"), ("undefined", "null"),
    ("vim.NIL", "null"),
    ("nan", "NaN"), ("NaN", "NaN"), ("inf", "Infinity"), ("Infinity", "Infinity"),
  ]

  /// Whether dots stand there that say that something was left out.
  static func isElision(_ text: RawSpan) -> Bool {
    text.starts(with: "...") || text.starts(with: "…")
  }

  /// Bytes of the name of a member of an enumeration.
  private static let longestName = 128

  /// Where the value begins of a member of an enumeration, as Python prints it:
  /// `<MessageType.CALL: 48>`.
  static func enumeration(_ bytes: RawSpan, _ start: Int) -> Int? {
    guard start < bytes.byteCount, bytes.byte(at: start) == UInt8(ascii: "<") else { return nil }
    var at = start + 1
    var hasPeriod = false
    while at < bytes.byteCount, at - start < longestName, bytes.byte(at: at).isOfIdentifier {
      hasPeriod = hasPeriod || bytes.byte(at: at) == .period
      at += 1
    }
    return hasPeriod && bytes.dropping(at).starts(with: ": ") ? at + 2 : nil
  }

  /// `... 3 more items`, `…`, `<Buffer 01 02>`: the offset behind it.
  static func more(_ bytes: RawSpan, _ start: Int) -> Int? {
    let rest = bytes.dropping(start)
    if rest.starts(with: "<") {
      // A printer that says what a value is says it in few words.
      let near = bytes.extracting(start..<min(bytes.byteCount, start + furthest))
      return near.firstIndex(of: UInt8(ascii: ">")).map { start + $0 + 1 }
    }
    guard isElision(rest) else { return nil }
    var at = start
    while at < bytes.byteCount {
      switch bytes.byte(at: at) {
      case .comma, .closeBracket, UInt8(ascii: ")"), .closeBrace: return at
      default: at += 1
      }
    }
    return nil
  }
}
