// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Marks of lines that hold a message, or the end of a connection, without a list and without an
/// anchor.
enum LogRareNotations {
  private static let marks: [StaticString] =
    LogFormats.all.flatMap(\.rareAnchors) + ["Array("]

  /// Whether one of them stands on a line.
  static func isMarked(_ line: RawSpan) -> Bool {
    marks.contains { LogMarks.last($0, in: line) != nil }
  }

  /// Where a console has printed only the length of a list, `RX Array(3)`.
  static func length(_ line: RawSpan) -> Int? {
    guard let start = LogMarks.last("Array(", in: line) else { return nil }
    let at = line.behindDigits(start + 6)
    guard at > start + 6, at < line.byteCount, line.byte(at: at) == UInt8(ascii: ")") else {
      return nil
    }
    let isLast = (at + 1..<line.byteCount).allSatisfy { line.byte(at: $0).isJSONSpace }
    return isLast ? start : nil
  }
}
