// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapTraffic

/// Grades how much a text is like a message. A malformed one is shown rather than passed over, but
/// only the text around it can tell it from lists of other protocols. Methods are mutating although
/// they change nothing: otherwise `CandidateFinder` would copy its grader for each call.
struct MessageGrader {
  let recogniser: any TextRecogniser
  let limits: Limits
  /// All that has the form of a message is one.
  let isForced: Bool

  /// How much a text is like a message, where it may be one that is malformed.
  ///
  /// - Parameter range: what stands for it on the line.
  mutating func recognition(
    of text: RawSpan, _ kind: Delivery.Kind, _ line: RawSpan, _ range: Range<Int>,
    _ message: inout MessageFacts
  ) -> Recognition? {
    var recognition = recogniser.recognise(text, kind)
    let mayBeOther = recognition.grade == .none || recognition.isAnswerOnly
    if message.isSent && mayBeOther {
      let sent = recogniser.recognise(sent: text, kind)
      if sent.grade != .none { return sent }
    }
    if recognition.grade != .none { return recognition }
    guard kind == .text else { return nil }
    if isSaid(line, range, &message) {
      guard JSONScanner.isList(text, limits) else { return nil }
    } else {
      let isCertain = message.match != nil && recognition.isCertainlyMalformed
      guard recognition.isMalformed, isCertain || message.isExpected,
        isAlone(line, range, &message)
      else { return nil }
    }
    recognition.grade = .possible
    return recognition
  }

  /// Whether the line says itself that what stands there is a message of a dialect we read, or an
  /// option says so of all.
  mutating func isSaid(_ line: RawSpan, _ range: Range<Int>, _ message: inout MessageFacts)
    -> Bool
  {
    // The mark speaks only of the first list behind it.
    if let match = message.match, match.isOfDialect { return message.begin <= match.markEnd }
    return isForced && isAlone(line, range, &message)
  }

  /// Whether the line has hardly anything but the message: nothing follows it, and what is before
  /// it says who sends, or is nothing.
  private mutating func isAlone(_ line: RawSpan, _ range: Range<Int>, _ message: inout MessageFacts)
    -> Bool
  {
    guard message.begin == 0, message.match != nil || range.lowerBound == 0 else { return false }
    return (range.upperBound..<line.byteCount).allSatisfy {
      switch line.byte(at: $0) {
      case .space, .tab, .lineFeed, .carriageReturn, .quote, .apostrophe, .backslash,
        UInt8(ascii: ")"), .closeBrace:
        true
      default: false
      }
    }
  }

  /// Whether a list that is no message is worth counting: it stands where one could.
  mutating func isOther(
    _ line: RawSpan, _ range: Range<Int>, _ message: inout MessageFacts
  ) -> Bool {
    guard isAlone(line, range, &message) else { return false }
    guard let end = LogNumbers.end(line, range.lowerBound) else { return true }
    return !LogNumbers.areNone(line.extracting(range.lowerBound..<end), recogniser)
  }
}
