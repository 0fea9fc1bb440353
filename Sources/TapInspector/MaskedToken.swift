// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A token that stands for a credential, as the masker writes it: `<secret-7>`, or
/// `<secret-7, 44 characters>`.
struct MaskedToken {
  /// `<secret-7`: what tells it from others.
  let name: [UInt8]
  /// `>` or `, 44 characters>`.
  let rest: [UInt8]

  /// Nil for what is none.
  init?(_ text: RawSpan) {
    guard text.starts(with: "<secret-"), text.byteCount <= 64 else { return nil }
    let all = text.copied()
    let behind = all.dropFirst("<secret-".utf8.count).drop { $0 &- 0x30 < 10 }
    let name = Array(all[..<behind.startIndex])
    guard name.last! &- 0x30 < 10 else { return nil }
    if !behind.elementsEqual(">".utf8) {
      guard behind.starts(with: ", ".utf8) else { return nil }
      let words = behind.dropFirst(2).drop { $0 &- 0x30 < 10 }
      guard words.startIndex > behind.startIndex + 2, words.elementsEqual(" characters>".utf8)
      else { return nil }
    }
    (self.name, rest) = (name, Array(behind))
  }

  /// What stands for something long, in quotes: `"<traceback, 1234 bytes>"`; nil when the text is
  /// no such thing.
  static func bulk(_ text: RawSpan, word: StaticString) -> [UInt8]? {
    guard text.byteCount < 96 else { return nil }
    let all = text.copied()
    let quoted = all.first == 0x22 ? all : [0x22] + all + [0x22]
    let begin = "\"<\(word), ".utf8
    guard quoted.starts(with: begin) else { return nil }
    let words = quoted.dropFirst(begin.count).drop { $0 &- 0x30 < 10 }
    let isToken = words.startIndex > begin.count && words.elementsEqual(" bytes>\"".utf8)
    return isToken ? quoted : nil
  }
}
