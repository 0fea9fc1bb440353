// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What programs that collect logs put before every line, also before lines that go on.
enum LinePrefix {
  /// The longest name, in bytes.
  private static let longest = 128

  /// The length of such a name and of what divides it from the text; 0 for none.
  static func length(_ line: RawSpan) -> Int { find(line)?.end ?? 0 }

  /// The name at the beginning of a line, and where the text begins; nil without a name.
  static func find(_ line: RawSpan) -> (name: Range<Int>, end: Int)? {
    column(line, 0) ?? LogInstances.pod(line)
  }

  /// `web-1  | ` of Docker Compose, `0|web  | ` of pm2, `web.1.k3jd92kd8s7f@node1    | ` of Swarm.
  static func column(_ line: RawSpan, _ start: Int) -> (name: Range<Int>, end: Int)? {
    let count = min(line.byteCount, start + longest)
    guard count > start + 2 else { return nil }
    var at = line.behind(start, to: count) { $0.isDigit }
    let isOfProcess = at > start && at < count && line.byte(at: at) == UInt8(ascii: "|")
    at = isOfProcess ? at + 1 : start
    at = line.behind(at, to: count) { $0.isOfName || $0 == UInt8(ascii: "@") }
    let name = start..<at
    while at < count, line.byte(at: at) == .space { at += 1 }
    guard !name.isEmpty, at > name.upperBound, at < count, line.byte(at: at) == UInt8(ascii: "|")
    else { return nil }
    let hasBlank = at + 1 < line.byteCount && line.byte(at: at + 1) == .space
    return (name, at + (hasBlank ? 2 : 1))
  }

  /// A line as container runtimes write it: `2026-11-20T23:34:50.123456789Z stdout P text`.
  struct Part {
    /// Where the name of the stream begins, `stdout`, and where the text.
    var stream: Int
    var text: Int
    /// The next line of that stream goes on.
    var isPartial: Bool

    /// Whether another line is of the same stream.
    func isSameStream(_ line: RawSpan, as first: RawSpan) -> Bool {
      guard let other = LinePrefix.part(first) else { return false }
      return line.extracting(stream..<text - 2).equals(
        first.extracting(other.stream..<other.text - 2))
    }
  }

  /// Nil for any other line.
  static func part(_ line: RawSpan) -> Part? {
    guard line.byteCount > 30, line.byte(at: 4) == .hyphen, line.byte(at: 10) == UInt8(ascii: "T"),
      let space = line.firstIndex(of: .space), space < 40, space + 9 < line.byteCount
    else { return nil }
    let stream = line.dropping(space + 1)
    guard stream.starts(with: "stdout ") || stream.starts(with: "stderr ") else { return nil }
    let tag = line.byte(at: space + 8)
    guard tag == UInt8(ascii: "P") || tag == UInt8(ascii: "F"),
      line.byte(at: space + 9) == .space
    else { return nil }
    return Part(stream: space + 1, text: space + 10, isPartial: tag == UInt8(ascii: "P"))
  }

  /// The length of what a collector puts before a line that goes on: a time, and what follows it on
  /// the first line, too, such as `host app[123]: ` of syslog or `stdout F ` of containers. Nil for
  /// a line that does not go on: one that does is indented, or closes a bracket.
  static func stamp(_ line: RawSpan, of first: RawSpan) -> Int? {
    // On lines that do not go on, a level may be padded with blanks.
    guard let end = stamp(line, as: first, withBlanks: true), end < line.byteCount else {
      return nil
    }
    switch line.byte(at: end) {
    case .space, .tab, .closeBracket, .closeBrace, UInt8(ascii: ")"): return end
    default: return nil
    }
  }

  /// The length of a time at the beginning of a line, and of the words behind it that another line
  /// has, too; nil without them.
  ///
  /// - Parameter withBlanks: all blanks behind these words that both have; otherwise the first of
  ///   them, as the others indent what follows.
  static func stamp(_ line: RawSpan, as other: RawSpan, withBlanks: Bool = false) -> Int? {
    guard let time = timeEnd(line), let otherTime = timeEnd(other) else { return nil }
    var end = time
    var at = time
    var isBehindWord = true
    while at < line.byteCount, otherTime + at - time < other.byteCount,
      line.byte(at: at) == other.byte(at: otherTime + at - time)
    {
      let isSpace = line.byte(at: at) == .space || line.byte(at: at) == .tab
      at += 1
      if isSpace && (isBehindWord || withBlanks) { end = at }
      isBehindWord = !isSpace
    }
    return end > time ? end : nil
  }

  /// Where the text of a line begins behind a time, and behind the stream of a container or the
  /// process of syslog if one follows; 0 without a time.
  static func stampEnd(_ line: RawSpan) -> Int {
    guard let time = timeEnd(line) else { return 0 }
    if let part = part(line) { return part.text }
    if let process = LogMarks.last("]: ", in: line), process > time { return process + 3 }
    return min(time + 1, line.byteCount)
  }

  /// Behind the time at the beginning of a line, and the priority of syslog before it.
  static func timeEnd(_ line: RawSpan) -> Int? {
    LogTimeReader.read(line, behindPriority(line), isStart: true)?.end
  }

  /// Where a line begins behind a priority of syslog, and the version of RFC 5424 §6.2.2.
  static func behindPriority(_ line: RawSpan) -> Int {
    guard line.starts(with: "<"), let close = line.firstIndex(of: UInt8(ascii: ">")), close < 5,
      (1..<close).allSatisfy({ line.byte(at: $0).isDigit })
    else { return 0 }
    return close + (line.dropping(close + 1).starts(with: "1 ") ? 3 : 1)
  }
}
