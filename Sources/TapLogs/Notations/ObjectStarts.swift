// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Where objects of JSON stand that may be messages: on any line, where somebody has said so, else
/// on those that have a word of such messages.
struct ObjectStarts: Sendable {
  let marks: [StaticString]
  /// Any object may be a message.
  let areAll: Bool

  init(_ marks: [StaticString], areAll: Bool = false) {
    (self.marks, self.areAll) = (marks, areAll)
  }

  /// Whether they are looked for on a line.
  func mayHold(_ line: LogLine) -> Bool {
    areAll || line.hasAnchor && marks.contains { LogMarks.last($0, in: line.text) != nil }
  }
}
