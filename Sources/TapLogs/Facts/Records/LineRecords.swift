// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The records around the messages of a line, as far as they have been read: for each message,
/// reading goes on where it stopped for the one before.
struct LineRecords {
  /// Records that stand on the line as they are.
  var plain = LogRecord()
  /// Records in strings, one for each number of backslashes before their quotation marks.
  private var printed: ContiguousArray<LogRecord> = []
  /// The first brace of the line, or its end.
  private var brace: Int?
  /// No object begins before this offset that was not looked at.
  private var nextBrace = 0
  /// All objects that begin before this offset have ended.
  private var closed = 0
  /// The last object that was looked at, and its end; nil where it has none.
  private var object: (brace: Int, end: Int?) = (-1, nil)
  /// Bytes that were looked at for the ends of objects that have none.
  private var wasted = 0
  /// Strings that were not looked at; nil where that is not known yet.
  private var strings: RecordString.Strings?

  /// Reads on to a message, in records whose quotation marks have `escapes` backslashes; returns
  /// the members around it.
  ///
  /// - Parameter begin: where what belongs to the message begins.
  mutating func members(
    escapes: Int, _ line: RawSpan, around start: Int, from begin: Int, _ seconds: inout LogSeconds
  ) -> LogSurroundings? {
    if escapes == 0 && plain.ask() {
      plain.advance(line, to: start, from: begin, &seconds)
      // A string that is in no record may have the record in it.
      if plain.ask() { return plain.surroundings(line, start, &seconds) }
    }
    let known = printed.firstIndex { $0.escapes == escapes } ?? printed.count
    if known == printed.count { printed.append(LogRecord(escapes: escapes)) }
    printed[known].advance(line, to: start, from: begin, &seconds)
    return printed[known].surroundings(line, start, &seconds)
  }

  /// The string of a record that a list stands in; nil for none, and for one that was answered
  /// before: what is in it was looked for then.
  mutating func string(_ line: RawSpan, around start: Int) -> RecordString? {
    var rest =
      strings ?? RecordString.all(line) ?? RecordString.Strings(from: line.byteCount)
    defer { strings = rest }
    while rest.at <= start, let string = rest.next(line) {
      if string.open < start && string.close > start { return string }
    }
    return nil
  }

  /// Whether an object that began before an offset, and behind the last message, is open there.
  /// Offsets are asked in order.
  ///
  /// - Parameter begin: behind the last message.
  mutating func isInObject(_ line: RawSpan, _ start: Int, from begin: Int) -> Bool {
    closed = max(closed, begin)
    // None begins before `nextBrace`.
    while max(closed, nextBrace) < start {
      nextBrace = line.firstIndex(of: .openBrace, from: max(closed, nextBrace)) ?? line.byteCount
      if nextBrace >= start { return false }
      if object.brace != nextBrace {
        // Each of many objects without an end is looked for to the end of the line.
        if wasted > 4 * line.byteCount { return true }
        object = (nextBrace, ListEnd.json(line, nextBrace))
        if object.end == nil { wasted += line.byteCount - nextBrace }
      }
      guard let end = object.end, end <= start else { return true }
      closed = end
    }
    return false
  }

  /// Where what belongs to a message begins: where a line is a list of records, behind those that
  /// have ended before it.
  mutating func begin(of start: Int, _ line: RawSpan, from begin: Int) -> Int {
    guard line.starts(with: "[{") else { return begin }
    _ = isInObject(line, start, from: begin)
    return min(start, closed)
  }

  /// Whether a record may have begun before an offset.
  mutating func isInBrace(_ line: RawSpan, _ at: Int) -> Bool {
    let first = brace ?? line.firstIndex(of: .openBrace) ?? line.byteCount
    brace = first
    return first < at
  }
}
