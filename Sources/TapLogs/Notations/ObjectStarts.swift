// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Where objects of JSON stand that may be messages: on any line, if all objects may be, else only
/// on lines that have a word of such messages.
struct ObjectStarts: Sendable {
  let marks: [StaticString]
  /// Any object may be a message.
  let areAll: Bool

  init(_ marks: [StaticString], areAll: Bool = false) {
    (self.marks, self.areAll) = (marks, areAll)
  }

  /// Whether the word of an object is the name of a member on the line itself, and in no string.
  func isMember(on line: RawSpan) -> Bool {
    marks.contains { mark in
      guard let at = LogMarks.last(mark, in: line), at > 1, line.byte(at: at - 1) == .quote else {
        return false
      }
      return [.openBrace, .comma, .space].contains(line.byte(at: at - 2))
    }
  }

  /// Whether they are looked for on a line.
  func mayHold(_ line: LogLine) -> Bool {
    areAll || !line.anchors.isDisjoint(with: [.object, .sent])
  }
}
