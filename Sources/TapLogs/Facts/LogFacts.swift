// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What is known of the line that is being read.
struct LogFacts {
  var origin: Origin
  /// Lines that it consists of.
  let height: UInt64
  /// Bytes of it that were told, as a message or as what stands around one.
  var told: Int
  var match: LogMatch?
  /// Of what stands before the message.
  var shape: UInt64 = 0
  /// Whether a time was looked for on the line above.
  var isTimed = false
  /// The time that all messages of the line have that have none of their own.
  var time: LogMoment?
  /// What the record says in whose string the line was printed.
  var outer: LogCandidate?
  /// The time of the last message.
  var moment: LogMoment?
  /// Bytes of the message that were sent, as the line says; 0 where it does not.
  var length = 0
  /// Bytes of its beginning that the line has, where it lacks the rest.
  var certain = 0
  /// A string was looked for whose length the line says.
  var isMeasured = false
  /// The string has the length that the line says: nothing of it was left out.
  var isComplete = false
  /// What the whole line says for messages of one rule, so that it is looked for once: the rule,
  /// the session, and the side that writes.
  var names: (match: LogMatch, session: UInt64, side: LogFormat.Side)?
  /// Lists on it that do not end.
  var open = 0
  /// Where what belongs to the next message begins.
  var begin = 0
  /// Messages stood behind the same words before.
  var isExpected = false

  /// The words before a list are those of messages, or messages stood behind them before.
  var isOfMessages: Bool { match != nil || isExpected }

  /// The first list, the shape of what stands before it, and what marks it, where that was
  /// looked for.
  var first: (start: Int, shape: UInt64, match: LogMatch?)?

  /// The line says that what stands at this place of it was sent.
  var isSent = false

  /// What was read of the records around its messages: of those that the line has as they are, and
  /// of those in strings, by the backslashes before their quotation marks.
  var record = LogRecord()
  private var printed: ContiguousArray<LogRecord> = []
  /// The members around the message.
  var around: LogSurroundings?
  /// The members around the message named the sender.
  var isToldByMembers = false
  /// Its first brace, or its end.
  private var brace: Int?
  /// All objects have ended that begin before.
  private var closed = 0
  /// The strings of its records that were not looked at.
  private var strings: RecordString.Strings?
  /// Who wrote the line.
  var source: String?

  /// The first list, where its end is known.
  let list: Range<Int>?
  /// The first list, when it ends and is no JSON.
  let foreign: Range<Int>?
  /// Where the first list begins, and the shape of what stands before it; 0 where nobody looked.
  private let known: (start: Int, shape: UInt64)
  /// Words of a known program stand on it.
  let hasAnchor: Bool

  init(of line: LogLine) {
    (origin, hasAnchor) = (line.origin, line.hasAnchor)
    (height, told) = (line.height, line.told)
    (list, foreign) = (line.first?.list, line.first?.foreign)
    let start = line.first?.start ?? 0
    known = line.first?.shape.map { (start, $0) } ?? (-1, 0)
  }

  /// The shape of what stands between two messages, or before the first. It is `mutating` so
  /// that a caller that is changing this value lends it and does not copy it.
  mutating func shape(_ line: RawSpan, _ prefix: Range<Int>) -> UInt64 {
    prefix.lowerBound == 0 && prefix.upperBound == known.start
      ? known.shape : LogRules.shape(line.extracting(prefix))
  }

  /// Goes on to a message in the record whose quotation marks have so many backslashes; answers the
  /// members around it.
  mutating func members(
    _ escapes: Int, _ line: RawSpan, around start: Int, _ seconds: inout LogSeconds
  ) -> LogSurroundings? {
    if escapes == 0 && record.ask() {
      record.advance(line, to: start, begin, &seconds)
      // A string that is in no record may have the record in it.
      if record.ask() { return record.surroundings(line, start, &seconds) }
    }
    let known = printed.firstIndex { $0.escapes == escapes } ?? printed.count
    if known == printed.count { printed.append(LogRecord(escapes: escapes)) }
    printed[known].advance(line, to: start, begin, &seconds)
    return printed[known].surroundings(line, start, &seconds)
  }

  /// The string of the record that a list stands in; nil for none, and for one that was answered
  /// before: what is in it was looked for then.
  mutating func string(_ line: RawSpan, around start: Int) -> RecordString? {
    var rest = strings ?? RecordString.Strings(from: brace ?? line.byteCount)
    defer { strings = rest }
    while rest.at <= start, let string = rest.next(line) {
      if string.open < start && string.close > start { return string }
    }
    return nil
  }

  /// Whether an object that began before an offset, and behind the last message, is open there.
  /// Offsets are asked in order.
  mutating func isInObject(_ line: RawSpan, _ start: Int) -> Bool {
    closed = max(closed, begin)
    while let at = line.firstIndex(of: 0x7B, from: closed), at < start {
      guard let end = ListEnd.json(line, at), end <= start else { return true }
      closed = end
    }
    return false
  }

  /// Whether a record may have begun before an offset.
  mutating func isInBrace(_ line: RawSpan, _ at: Int) -> Bool {
    let first = brace ?? line.firstIndex(of: 0x7B) ?? line.byteCount
    brace = first
    return first < at
  }
}
