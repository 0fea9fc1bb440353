// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Decides what becomes of what was found, by what its line says of it and by what was found
/// before. It passes nothing on.
struct LogJudge {
  enum Judgement {
    /// It is a message.
    case take
    /// It waits until one like it is sure to be a message.
    case hold
    /// It is no message.
    case pass
    /// Another line has printed it already.
    case echo
    /// The line says that it was not sent.
    case denied
  }

  /// What looks like a message, and what is needed to take it for one.
  var score: LogScore
  private var echoes = LogRepeatedMessages()
  private var denials = LogDenials()
  /// What tests have logged.
  var tests = LogTestReports()
  /// The line (its number and bytes) on which no other list stands behind the offset `from`.
  private var searched = (line: (UInt64.max, 0), from: 0)
  /// Messages that were already found on a line, and the number of that.
  private var (copies, line) = (RecordCopies(of: .messages), UInt64.max)

  init(isForced: Bool, _ layouts: FieldLayouts = FieldLayouts()) {
    score = LogScore(isForced: isForced, layouts)
  }

  /// - Parameters:
  ///   - prefix: what stands before it on its line.
  ///   - begin: where the part of it begins that belongs to the message.
  mutating func judge(
    _ candidate: LogCandidate, _ bytes: RawSpan, behind prefix: RawSpan, from begin: Int
  ) -> Judgement {
    if tests.isEcho(candidate, bytes) { return .echo }
    if candidate.match?.format.traits.contains(.generic) ?? true {
      if candidate.match?.direction != .received
        && denials.deny(prefix.extracting(begin..<prefix.byteCount), candidate.shape)
      {
        return .denied
      }
      if echoes.isEcho(candidate, bytes) { return .echo }
    }
    return score.judge(candidate, bytes, prefix)
  }

  /// Whether the same message was already found in its record.
  mutating func isCopy(_ bytes: RawSpan, _ line: LogLine, _ place: Range<Int>) -> Bool {
    self.line == line.origin.record && copies.has(bytes, at: place, on: line.text)
  }

  /// Keeps a message that may come once more on its line.
  mutating func remember(_ bytes: RawSpan, _ line: LogLine, behind end: Int) {
    let (number, count) = (line.origin.record, line.text.byteCount)
    if count - end <= 8 || (number, count) == searched.line && end >= searched.from { return }
    guard line.text.firstIndex(of: .openBracket, from: end) != nil else {
      searched = ((number, count), end)
      return
    }
    if self.line != number { forgetCopies() }
    self.line = number
    copies.add(bytes, endingAt: end)
  }

  /// What comes next is a line of its own, whatever its number is.
  mutating func forgetCopies() { copies = RecordCopies(of: .messages) }
}
