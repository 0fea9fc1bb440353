// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A token that replaces a credential: `<secret-7>`, or `<secret-7, 44 characters>`.
struct MaskedToken {
  /// `<secret-7`: the part that identifies it.
  let name: [UInt8]
  /// `>` or `, 44 characters>`.
  let rest: [UInt8]

  /// Nil for any other text.
  init?(_ text: RawSpan) {
    guard text.starts(with: "<secret-"), text.byteCount <= 64 else { return nil }
    let all = text.copied()
    let behind = all.dropFirst("<secret-".utf8.count).drop { $0.isDigit }
    let name = Array(all[..<behind.startIndex])
    guard name.last!.isDigit else { return nil }
    if !behind.elementsEqual(">".utf8) {
      guard behind.starts(with: ", ".utf8) else { return nil }
      let words = behind.dropFirst(2).drop { $0.isDigit }
      guard words.startIndex > behind.startIndex + 2, words.elementsEqual(" characters>".utf8)
      else { return nil }
    }
    (self.name, rest) = (name, Array(behind))
  }

  /// The token for something long, in quotes: `"<traceback, 1234 bytes>"`, or without quotes for
  /// the rest of a text: `<withheld, 22 bytes>`. Nil when the text is no such token.
  static func bulk(_ text: RawSpan, word: Symbol) -> [UInt8]? {
    guard text.byteCount < 96 else { return nil }
    let all = text.copied()
    let isQuoted = all.count > 1 && all.first == .quote && all.last == .quote
    let bare = isQuoted ? all.dropFirst().dropLast() : all[...]
    let begin = "<\(word), ".utf8
    guard bare.starts(with: begin) else { return nil }
    let words = bare.dropFirst(begin.count).drop { $0.isDigit }
    guard words.startIndex > bare.startIndex + begin.count, words.elementsEqual(" bytes>".utf8)
    else { return nil }
    return word.equals("withheld") ? Array(bare) : [.quote] + bare + [.quote]
  }
}
