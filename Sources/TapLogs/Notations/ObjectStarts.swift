// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Where objects of JSON stand that may be messages: on any line, if all objects may be, else only
/// on lines that have a word of such messages.
final class ObjectStarts: Sendable {
  let marks: [StaticString]
  /// Any object may be a message.
  let areAll: Bool

  init(_ marks: [StaticString], areAll: Bool = false) {
    (self.marks, self.areAll) = (marks, areAll)
  }

  /// Whether the word of an object is the name of a member on the line itself, and in no string:
  /// the strings of a message may hold others, which are its payload.
  func isMember(on line: RawSpan) -> Bool {
    // Python's own objects have apostrophes.
    guard let brace = line.firstIndex(of: .openBrace), brace + 1 < line.byteCount else {
      return false
    }
    let quote = line.byte(at: brace + 1) == .apostrophe ? UInt8.apostrophe : .quote
    return marks.contains { mark in
      var at = brace
      while let place = line.firstIndex(of: mark, from: at) {
        if line.byte(at: place - 1) == quote,
          [.openBrace, .comma, .space].contains(line.byte(at: place - 2))
        {
          return true
        }
        at = place + 1
      }
      return false
    }
  }

  /// Whether they are looked for on a line.
  func mayHold(_ line: LogLine) -> Bool {
    areAll || !line.anchors.isDisjoint(with: [.object, .sent])
  }
}
