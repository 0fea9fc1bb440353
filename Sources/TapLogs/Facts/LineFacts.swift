// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What is known of the line that is being read, for all messages on it.
struct LineFacts {
  /// What it says of the message that is read now.
  var message = MessageFacts()
  /// Bytes of it that were reported, as a message or as what stands around one.
  var reported: Int
  /// The time of all messages that have none of their own.
  var time: LogMoment?
  /// The line above was asked for a time.
  var hasAskedAbove = false
  /// Who wrote the line.
  var source: String?
  /// What the whole line says for messages of one rule, so that it is looked for once: the rule,
  /// the session, and the side that writes.
  var names: (match: LogMatch, session: UInt64, side: LogFormat.Side)?
  /// What the record says that has the line as a string.
  var outer: LogCandidate?
  /// The records around its messages.
  var records = LineRecords()
  /// Which of these have a request and its answer.
  var answered = AnsweredRequest()
  /// The first list, the shape of what stands before it, and what marks it, where that was
  /// looked for.
  var firstList: (start: Int, shape: UInt64, match: LogMatch?)?
  /// The end of the last message in a list whose elements are messages; 0 for none.
  var batchEnd = 0
  /// Who wrote the first message of a batch, and on which connection: so did all of it.
  var batchName: (source: String, writer: String)?
  /// Where a message begins that is the value of a context: it was sent if the context was. What is
  /// said of that holds for it.
  var contextMessage: Int?
  var contextMatch: LogMatch?
  /// The end of the record of a logger that was no message: what is in it is one only where
  /// something says so.
  var recordEnd = 0
  /// Lists on it that do not end.
  var openLists = 0

  /// How many bytes were gone over for the ends of lists.
  private var searched = 0

  init(of line: LogLine) { reported = line.reported }

  /// Where a list of messages ends; nil for one that does not, and once so much was gone over that
  /// lists stand in each other.
  mutating func end(ofBatchAt start: Int, _ line: RawSpan) -> Int? {
    if searched > 4 * line.byteCount { return nil }
    let end = ListEnd.json(line, start)
    searched += (end ?? line.byteCount) - start
    return end
  }
}
