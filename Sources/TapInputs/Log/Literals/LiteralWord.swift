// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Words that stand for values, and what printers put in the place of values.
enum LiteralWord {
  /// What a word is in JSON; nil when it is no value of it.
  static func json(_ word: RawSpan) -> StaticString? {
    for entry in all where word.equals(entry.word) { return entry.json }
    return nil
  }

  private static let all: [(word: StaticString, json: StaticString)] = [
    ("True", "true"), ("true", "true"), ("False", "false"), ("false", "false"),
    ("None", "null"), ("null", "null"), ("nil", "null"), ("undefined", "null"),
    ("nan", "NaN"), ("NaN", "NaN"), ("inf", "Infinity"), ("Infinity", "Infinity"),
  ]

  /// `... 3 more items`, `…`, `<Buffer 01 02>`: the offset behind it.
  static func more(_ bytes: RawSpan, _ start: Int) -> Int? {
    let rest = bytes.dropping(start)
    if rest.starts(with: "<") {
      return bytes.firstIndex(of: 0x3E, from: start).map { $0 + 1 }
    }
    guard rest.starts(with: "...") || rest.starts(with: "…") else { return nil }
    var at = start
    while at < bytes.byteCount {
      switch bytes.byte(at: at) {
      case 0x2C, 0x5D, 0x29, 0x7D: return at
      default: at += 1
      }
    }
    return nil
  }
}
