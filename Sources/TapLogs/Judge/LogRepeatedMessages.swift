// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that are printed once more, where one of the two lines says who sends and the other
/// does not: `Processing EVENT message: […]` repeats what was received just before, and a request
/// may be mentioned some lines above the one that sends it.
struct LogRepeatedMessages {
  private struct Print {
    var text: UInt64
    var line: UInt64
    var isSaid: Bool
  }

  /// How many lines may stand between such a mention of a request and the line that sends it.
  private static let furthest: UInt64 = 16

  private var last: Print?

  /// Whether this message was printed before.
  mutating func isEcho(_ candidate: LogCandidate, _ bytes: RawSpan) -> Bool {
    // Two programs of one log may both print what one sends and the other receives.
    let source =
      candidate.source.isEmpty ? 0 : UInt64(truncatingIfNeeded: candidate.source.hashValue)
    let current = Print(
      text: bytes.fingerprint ^ source, line: candidate.origin.record,
      isSaid: (candidate.match?.direction ?? .unsaid) != .unsaid)
    defer { last = current }
    guard let last, last.text == current.text, last.isSaid != current.isSaid else { return false }
    let distance = current.line - min(current.line, last.line)
    if last.isSaid { return distance <= 1 }
    // Where both sides number requests as they like, it may be one of another connection.
    return candidate.recognition.opens != 0 && !candidate.recognition.isOfEitherSide
      && distance <= Self.furthest
  }
}
