// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that are printed once more, by the application and the library below it or by one of
/// them in two forms: `Processing EVENT message: […]` repeats what was received just before, a
/// library dumps what the application has shown, and a request may be mentioned some lines above
/// the one that sends it. One of the two lines says who sends, and the other does not: two of the
/// same kind may be of what was sent twice.
struct LogRepeatedMessages {
  private struct Print {
    var text: UInt64
    var line: UInt64
    /// The line says who sends.
    var isSaid: Bool
    /// The connection that the line names; empty where it names none.
    var writer: String

    /// Whether it is of another connection.
    func isApart(from other: Print) -> Bool {
      !writer.isEmpty && !other.writer.isEmpty && writer != other.writer
    }
  }

  /// How many lines may stand between two prints of a message.
  private static let furthest: UInt64 = 16

  /// The last message, as it was first printed.
  private var last: Print?

  /// Whether this message was printed before.
  mutating func isEcho(_ candidate: LogCandidate, _ bytes: RawSpan) -> Bool {
    // Two programs of one log may both print what one sends and the other receives.
    let source =
      candidate.source.isEmpty ? 0 : UInt64(truncatingIfNeeded: candidate.source.hashValue)
    let current = Print(
      text: bytes.fingerprint ^ source, line: candidate.origin.record,
      isSaid: (candidate.match?.direction ?? .unsaid) != .unsaid, writer: candidate.writer)
    guard let last, last.text == current.text, last.isSaid != current.isSaid,
      !current.isApart(from: last), current.line - min(current.line, last.line) <= Self.furthest
    else {
      self.last = current
      return false
    }
    let recognition = candidate.recognition
    // Where both sides number requests as they like, it may be one of another connection.
    let isEcho =
      last.isSaid || recognition.opensSession || recognition.ends
      || recognition.opens != 0 && !recognition.isOfEitherSide
    if !isEcho || current.isSaid { self.last = current }
    return isEcho
  }
}
