// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages that are printed once more, behind other words: by another layer of the program, or
/// where something is said of them. That two lines are of one message is certain for WELCOME, whose
/// id no other has; it is then known of all that stand behind the same words, and of what is there
/// once more on the next line at the very same time: without it, two sessions may do the same at
/// once. What repeats a request and does not say that it is sent speaks of it.
struct LogRepeatedMessages {
  private struct Print {
    var text: UInt64
    var skeleton: UInt64
    var line: UInt64
    var way: LogRule.Way
    var time: Instant?
    /// The exchange that it begins, until it is answered.
    var opens: UInt64
    /// It was answered, and may be sent once more.
    var isAnswered = false
    /// It was printed once more at the same time.
    var isEchoed = false
  }

  /// Messages that are remembered, and lines that may come between those of two layers.
  private static let most = 16
  private static let furthest: UInt64 = 16
  /// Pairs of lines that are remembered.
  private static let mostLayers = 64

  private var prints = ContiguousArray<Print>()
  /// Where the next one goes, once there are so many.
  private var oldest = 0
  /// Skeletons of both lines, the later one second.
  private var layers = IDTable<Bool>()

  /// Whether this message was printed before.
  ///
  /// - Parameter prefix: what stands before it on its line.
  mutating func isEcho(_ sight: LogCandidate, _ bytes: RawSpan, behind prefix: RawSpan) -> Bool {
    if sight.recognition.begins { (prints, oldest) = ([], 0) }
    // Two programs of one log may both print what one sends and the other receives.
    let source = sight.source.isEmpty ? 0 : UInt64(truncatingIfNeeded: sight.source.hashValue)
    let print = Print(
      text: bytes.fingerprint ^ source, skeleton: sight.skeleton, line: sight.origin.record,
      way: sight.match?.way ?? .unsaid, time: Self.exactTime(sight), opens: sight.recognition.opens)
    let (opens, answers) = (sight.recognition.opens, sight.recognition.answers)
    for index in prints.indices {
      if answers != 0 && prints[index].opens == answers { prints[index].isAnswered = true }
      let other = prints[index]
      if other.text != print.text { continue }
      let distance = print.line - min(print.line, other.line)
      // `Processing EVENT message: […]` speaks of what was received just before.
      if distance <= 1 && print.way == .unsaid && other.way != .unsaid { return true }
      if opens != 0 && print.way == .unsaid && other.way != .unsaid
        && (!other.isAnswered || Self.isSentence(prefix))
      {
        return true
      }
      if other.isAnswered { continue }
      if opens != 0 && print.way != .unsaid && other.way == .unsaid { return true }
      if distance > Self.furthest { continue }
      let pair = WideKey(other.skeleton, print.skeleton)
      let isAtOnce =
        distance <= 2 && other.way == print.way && print.time != nil && other.time == print.time
      if sight.recognition.session != 0 {
        if layers.count < Self.mostLayers { layers[pair] = true }
        return true
      }
      if isAtOnce && layers.count > 0 && !other.isEchoed {
        prints[index].isEchoed = true
        return true
      }
      if other.skeleton != print.skeleton && layers[pair] != nil { return true }
    }
    if prints.count < Self.most {
      prints.append(print)
    } else {
      prints[oldest] = print
      oldest = (oldest + 1) % Self.most
    }
    return false
  }

  /// Whether words lead to the message, `timeout waiting for reply to […]`, and no key of a record.
  private static func isSentence(_ prefix: RawSpan) -> Bool {
    var end = prefix.byteCount
    while end > 0, [0x20, 0x3A].contains(prefix.byte(at: end - 1)) { end -= 1 }
    return end > 0 && end < prefix.byteCount && LogTimeNames.isLetter(prefix.byte(at: end - 1))
  }

  /// When it was printed, where the clock is not too coarse to tell two messages from one.
  private static func exactTime(_ sight: LogCandidate) -> Instant? {
    let isExact = sight.origin.time != .unknown && sight.origin.precision >= 3
    return isExact ? sight.origin.time : nil
  }
}
