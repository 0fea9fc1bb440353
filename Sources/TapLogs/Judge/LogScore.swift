// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Decides whether what has the form of a message is one. It is, if hardly anything else looks like
/// it, or if it stands behind the mark of a known format. A list of numbers, and JSON behind words
/// such as sent and received, needs something around it that speaks for it, and waits until then.
struct LogScore {
  /// Exchanges and kinds of lines that are remembered.
  private static let mostKnown = 4096

  /// Once so many lists behind the same words were no messages, one that could be a message has to
  /// wait.
  private static let manyStrange = 3

  /// The user has named the dialect: all that has its form is taken.
  private let isForced: Bool
  private let layouts: FieldLayouts
  private var lines = IDTable<Bool>()
  /// By the words before them, how many lists were no messages.
  private var strange = IDTable<Int>()
  /// By exchange, whether the line of its request had the mark of a message: then so has that of
  /// the answer.
  private var asked = IDTable<Bool>()
  /// Lists of numbers that wait.
  private var numbers = HeldCandidates(mostOctets: 4096)
  /// Frames that wait for one that shows their protocol.
  private var frames = HeldCandidates(mostOctets: 64 << 10)
  /// JSON that waits, and whether its writer has sent and received some: a conversation has both.
  private var sentJSON = HeldCandidates(mostOctets: 64 << 10)
  private var writers: [Writer: (hasSent: Bool, hasReceived: Bool)] = [:]
  /// Something was taken that is more than an empty object.
  private var hasTaken = false

  /// Who writes of what was sent, as far as lines show.
  private struct Writer: Hashable {
    let format: Int
    let source: String
    let name: String

    init(_ candidate: LogCandidate) {
      format = candidate.match.map { LogFormats.family($0.formatIndex) } ?? 0
      (source, name) = (candidate.source, candidate.writer)
    }
  }

  init(isForced: Bool, _ layouts: FieldLayouts) {
    (self.isForced, self.layouts) = (isForced, layouts)
  }

  /// - Parameter prefix: what stands before it on its line.
  func judge(_ candidate: LogCandidate, _ bytes: RawSpan, _ prefix: RawSpan) -> LogJudge.Judgement {
    let recognition = candidate.recognition
    if candidate.traits.contains(.unproven) { return .hold }
    if recognition.isAnswerOnly && candidate.match?.isOfDialect != true {
      guard let isMarked = asked[WideKey(0, recognition.answers)] else { return .pass }
      return !isMarked || candidate.match != nil ? .take : .pass
    }
    if isForced || recognition.grade == .likely { return .take }
    if recognition.needsSender { return judge(sentJSON: candidate, bytes, prefix) }
    if let match = candidate.match {
      let isAwaited = recognition.answers != 0 && asked[WideKey(0, recognition.answers)] != nil
      if match.ruleIndex != nil || isAwaited { return .take }
      let isDoubtful = isStrange(candidate.shape) || isOnlyNamed(prefix, candidate.shape)
      return isDoubtful ? .hold : .take
    }
    if recognition.answers != 0 && asked[WideKey(0, recognition.answers)] == false { return .take }
    if lines[WideKey(0, candidate.shape)] != nil || LogDirectionWords.speaksOfMessages(prefix) {
      return .take
    }
    return layouts.isNamed(bytes, prefix) ? .take : .hold
  }

  /// Whether it is a member that is not called as messages are, `"got": `, and no message was taken
  /// behind that name: records of other things have such names too.
  private func isOnlyNamed(_ prefix: RawSpan, _ shape: UInt64) -> Bool {
    if knows(shape) { return false }
    let end = prefix.beforeBlanks(prefix.byteCount)
    guard end > 1, prefix.byte(at: end - 1) == .colon, prefix.byte(at: end - 2) == .quote else {
      return false
    }
    let name = prefix.extracting(LogDirectionWords.word(prefix, endingAt: end - 2))
    return !LogMemberNames.isPayload(name) && !LogDirectionWords.isNoun(name)
  }

  private func judge(
    sentJSON candidate: LogCandidate, _ bytes: RawSpan, _ prefix: RawSpan
  ) -> LogJudge.Judgement {
    guard let match = candidate.match else { return .pass }
    // `"Received: {}"` is a pattern in a program, or was printed with nothing to fill it.
    if !hasTaken && Self.isEmpty(bytes) { return .hold }
    let known = writers[Writer(candidate)] ?? (false, false)
    let isAnswered = match.direction.isSending ? known.hasReceived : known.hasSent
    if match.isCertain || isAnswered
      || LogDirectionWords.speaksOfMessages(prefix)
    {
      return .take
    }
    return .hold
  }

  /// Whether an object has no members.
  private static func isEmpty(_ json: RawSpan) -> Bool {
    json.byte(at: 0) == .openBrace && json.byteCount > 1
      && (1..<json.byteCount - 1).allSatisfy { json.byte(at: $0).isJSONSpace }
  }

  /// Whether messages were taken that stood behind the same words.
  func knows(_ shape: UInt64) -> Bool { lines[WideKey(0, shape)] != nil }

  /// A list behind these words is no message, whatever they say.
  mutating func note(strange shape: UInt64) {
    if strange.count >= Self.mostKnown { strange = IDTable() }
    let key = WideKey(0, shape)
    strange[key] = (strange[key] ?? 0) + 1
  }

  /// Whether other things are printed behind these words, and no message for certain.
  private func isStrange(_ shape: UInt64) -> Bool {
    (strange[WideKey(0, shape)] ?? 0) >= Self.manyStrange && !knows(shape)
  }

  mutating func hold(_ candidate: LogCandidate, _ bytes: RawSpan, at turn: UInt64) {
    if candidate.traits.contains(.unproven) { return frames.add(candidate, bytes, at: turn) }
    if candidate.recognition.needsSender {
      if !Self.isEmpty(bytes) { note(sentJSON: candidate) }
      return sentJSON.add(candidate, bytes, at: turn)
    }
    numbers.add(candidate, bytes, at: turn)
  }

  private mutating func note(sentJSON candidate: LogCandidate) {
    guard let match = candidate.match else { return }
    if writers.count >= Self.mostKnown { writers = [:] }
    var known = writers[Writer(candidate)] ?? (false, false)
    if match.direction.isSending { known.hasSent = true } else { known.hasReceived = true }
    writers[Writer(candidate)] = known
  }

  /// A message was taken: answers those that waited for one like it.
  mutating func take(_ candidate: LogCandidate) -> [LogTurns.Message] {
    hasTaken = true
    let frames = takeFrames(of: candidate)
    return frames.isEmpty ? takeAlike(candidate) : frames + takeAlike(candidate)
  }

  /// Frames that were held can be of no other conversation.
  private mutating func takeFrames(of candidate: LogCandidate) -> [LogTurns.Message] {
    if frames.isEmpty || candidate.match?.isCertain != true { return [] }
    let writer = Writer(candidate)
    return frames.release { Writer($0) == writer }
  }

  private mutating func takeAlike(_ candidate: LogCandidate) -> [LogTurns.Message] {
    if candidate.recognition.opens != 0 {
      if asked.count >= Self.mostKnown { asked = IDTable() }
      asked[WideKey(0, candidate.recognition.opens)] = candidate.match != nil
    }
    if candidate.recognition.needsSender {
      note(sentJSON: candidate)
      let writer = Writer(candidate)
      return sentJSON.release { Writer($0) == writer }
    }
    if candidate.recognition.grade < .likely || lines[WideKey(0, candidate.shape)] != nil {
      return []
    }
    if lines.count >= Self.mostKnown { lines = IDTable() }
    lines[WideKey(0, candidate.shape)] = true
    return numbers.release { $0.shape == candidate.shape }
  }

  /// The turn of the earliest that waits, of those from a turn on.
  func earliest(from turn: UInt64) -> UInt64? {
    let earliest = min(
      numbers.earliest(from: turn) ?? .max, frames.earliest(from: turn) ?? .max,
      sentJSON.earliest(from: turn) ?? .max)
    return earliest == .max ? nil : earliest
  }

  /// How many lists of numbers could have been messages, and were not taken.
  var untaken: UInt64 { numbers.untaken }

  /// How many frames were not taken, as none near them shows a protocol.
  var untakenFrames: UInt64 { frames.untaken }

  /// How many values of JSON behind words such as sent and received could have been messages.
  var untakenJSON: UInt64 { sentJSON.untaken }
}
