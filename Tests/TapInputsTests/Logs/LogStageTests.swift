// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapLogs

/// The stages that a line of a log goes through, each by itself.
@Suite("Stages of a log") struct LogStageTests {
  private static let text = Array(
    #"2026-11-20T23:34:50.5Z session=7 sent [35,4] b'[36,5]' [35,"#.utf8)

  private func line<R>(_ use: (borrowing TapLogs.LogLine) -> R) -> R {
    let bytes = Self.text.span.bytes
    return use(
      TapLogs.LogLine(bytes, above: bytes.extracting(0..<0), Origin(), anchors: []))
  }

  /// Where a list begins that is looked at, and the message that it is.
  private func found(from start: Int) -> (FoundMessage?, end: Int) {
    line { line in
      var finder = CandidateFinder(ListRecogniser(), Limits(), isForced: false)
      var facts = LineFacts(of: line)
      let start = ListStart.next(line.text, from: start) ?? line.text.byteCount
      switch finder.find(line, start, &facts) {
      case .none(let end, _): return (nil, end)
      case .one(let found, let end): return (found, end)
      case .several(let all, let end): return (all.first, end)
      }
    }
  }

  @Test("finders answer what stands on a line, and where it ends") func finder() {
    let (first, end) = found(from: 0)
    #expect(first?.place == 38..<44 && end == 44)
    let (second, behind) = found(from: 44)
    #expect(second?.recognition.grade == .likely && behind > 50)
    // What does not end, and nothing says that it was cut.
    #expect(found(from: 56).0 == nil)
  }

  @Test("the time, the way and the session of a message are those of its line") func facts() throws
  {
    let message = try #require(found(from: 0).0)
    let candidate = line { line in
      var reader = FactReader(only: nil)
      var facts = LineFacts(of: line)
      let prefix = line.text.extracting(0..<message.place.lowerBound)
      facts.message.shape = LogRules.shape(prefix)
      facts.message.match = reader.rules.match(prefix, facts.message.shape)
      return reader.candidate(message, .text, line, &facts)
    }
    #expect(candidate.origin.time == Instant(nanoseconds: 1_795_217_690_500_000_000))
    #expect(candidate.match?.direction == .sent)
    #expect(candidate.writer == "session 7")
  }

  @Test("judges take, hold and know again") func judge() {
    var judge = LogJudge(isForced: false)
    let bytes = Array("[35,4]".utf8)
    func candidate(
      _ grade: Recognition.Grade, _ record: UInt64, behind words: UInt64 = 1
    ) -> LogCandidate {
      var origin = Origin()
      origin.record = record
      return LogCandidate(
        recognition: Recognition(grade), kind: .text, match: nil, shape: words,
        origin: origin)
    }
    let nothing = bytes.span.bytes.extracting(0..<0)
    let possible = candidate(.possible, 1)
    #expect(judge.judge(possible, bytes.span.bytes, behind: nothing, from: 0) == .hold)
    judge.score.hold(possible, bytes.span.bytes, at: 1)
    // A message that is one for certain takes those with it that stood behind the same words.
    let likely = candidate(.likely, 9)
    #expect(judge.judge(likely, bytes.span.bytes, behind: nothing, from: 0) == .take)
    #expect(judge.score.take(likely).map(\.candidate.origin.record) == [1])
    #expect(
      judge.judge(candidate(.possible, 20), bytes.span.bytes, behind: nothing, from: 0) == .take)
    let words = Array("failed to send ".utf8)
    let denied = candidate(.likely, 30, behind: 2)
    #expect(judge.judge(denied, bytes.span.bytes, behind: words.span.bytes, from: 0) == .denied)
  }

  @Test("turns follow the lines, and are waited for only so long") func turns() {
    var turns = LogTurns()
    func message() -> LogTurns.Message {
      let candidate = LogCandidate(
        recognition: Recognition(.likely), kind: .text, match: nil, shape: 1, origin: Origin())
      return (candidate, [0x5B], turns.begin())
    }
    let (held, second, third) = (message(), message(), message())
    turns.add(second)
    #expect(turns.take(before: held.turn).isEmpty)
    turns.add(held)
    turns.add(third)
    #expect(turns.take(before: nil).map(\.turn) == [held.turn, second.turn, third.turn])
    let other = message()
    for _ in 0..<64 { turns.add(message()) }
    #expect(turns.take(before: other.turn).isEmpty)
    turns.add(message())
    #expect(turns.take(before: other.turn).count == 65)
    // What was waited for in vain is not waited for again.
    #expect(turns.first > other.turn)
  }

  @Test(
    "a list of numbers in a record",
    arguments: [
      (#"{"direction":"in","message":"#, LogJudge.Judgement.take), (#"{"in":true,"data": "#, .take),
      (#"{"dir":"in","websocket":"#, .take), (#"received: "#, .take),
      (#"{"received":"#, .hold), (#"{"doc": [7, 11], "got": "#, .hold),
    ])
  func record(prefix: String, judgement: LogJudge.Judgement) {
    var judge = LogJudge(isForced: false)
    let (words, bytes) = (Array(prefix.utf8), Array("[35,4]".utf8))
    func judged(_ grade: Recognition.Grade) -> LogJudge.Judgement {
      judge.judge(candidate(grade), bytes.span.bytes, behind: words.span.bytes, from: 0)
    }
    func candidate(_ grade: Recognition.Grade) -> LogCandidate {
      LogCandidate(
        recognition: Recognition(grade), kind: .text, match: LogMatch(words: .received), shape: 1,
        origin: Origin())
    }
    #expect(judged(.possible) == judgement)
    // Behind the same words stands what is a message for certain.
    _ = judge.score.take(candidate(.likely))
    #expect(judged(.possible) == .take)
  }

  /// What stands on a line whose mark says in what form, in one word.
  private func marked(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let line = TapLogs.LogLine(
      bytes.span.bytes, above: bytes.span.bytes.extracting(0..<0), Origin(), anchors: .program)
    let named = NamedFields(ListRecogniser().printedMessages, only: nil)
    guard let (match, start) = named.find(line.text) else { return "unmarked" }
    var facts = LineFacts(of: line)
    facts.message.match = match
    let finder = MarkedLineFinder(recogniser: ListRecogniser(), named: named, limits: Limits())
    switch finder.find(line.text, start, &facts) {
    case .other: return "other"
    case .nothing: return "nothing"
    case .aside: return "aside"
    case .message(let found): return "message \(found.place)"
    case .incomplete: return "incomplete"
    case .unread: return "unread"
    case .frame(let frame): return "frame \(frame.opcode.rawValue)"
    case .cut: return "cut"
    case .stream(let octets, _, let missing): return "stream \(octets.count) \(missing)"
    case .subprotocols: return "subprotocols"
    case .request: return "request"
    case .ended: return "ended"
    case .dots: return "dots"
    case .loss: return "loss"
    }
  }

  @Test(
    "a mark says in what form a message stands behind it",
    arguments: [
      ("RX Frame from tcp4:[::1]:80 : fin = True, opcode = 1, payload = b'[33,1,5]'", "frame 1"),
      ("RX Octets from tcp4:[::1]:80 : octets = 8103414243", "stream 5 0"),
      ("=> Send data, 5 bytes (0x5)\n0000: 81 03 41 42 43      ..ABC", "stream 5 0"),
      ("=> Send data, 20 bytes (0x14)\n0000: 81 03 41 42 43", "stream 5 15"),
      ("=> Send data, 53 bytes (0x35)\n0000: 423[\"big\",60].424[", "dots"),
      ("=> Send data, 2 bytes (0x2)\n0000: 41", "dots"),
      ("a -> WebSocket text message -> b/ws\n\n    hello", "message 30..<46"),
      ("a -> WebSocket text message -> b/ws\n\n    one\n    two", "unread"),
      ("a -> WebSocket binary message -> b/ws", "nothing"),
      ("[id: 0x1, L:/[::1]:80 - R:/[::1]:9] READ: 2B\n|00000000| 81 00 |..|", "stream 2 0"),
      ("[id: 0x1, L:/[::1]:80 - R:/[::1]:9] READ: 2B, cap: 4", "stream 0 2"),
      ("DEBUG: < GET /ws HTTP/1.1", "request"), ("DEBUG: = connection is CLOSED", "ended"),
      ("TX Frame to nobody", "other"), ("[33,1,5]", "unmarked"),
      ("RX WAMP message: Subscribed(request=1, subscription=5)", "message 17..<54"),
    ])
  func marks(line: String, expected: String) { #expect(marked(line) == expected) }
}
