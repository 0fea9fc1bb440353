// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The order in which a log has its lines: viewers of logs often export the newest line first. Then
/// messages are kept to the end, and reported from the last one on.
struct LogOrder {
  typealias Kept = ContiguousArray<(candidate: LogCandidate, bytes: [UInt8])>

  private typealias Time = (day: Int, seconds: Int64, fraction: Int64)

  /// Bytes of a line in which a member is looked for.
  private static let furthest = 1024

  /// What Loki, CloudWatch, Elasticsearch and Google Cloud call the list of their records.
  private static let lists: [(name: StaticString, open: UInt8)] = [
    ("\"values\"", .openBracket), ("\"events\"", .openBrace), ("\"hits\"", .openBrace),
    ("\"entries\"", .openBrace),
  ]

  private(set) var isBackward = false
  /// All its records stand on one line.
  private(set) var isOneLine = false
  /// The log is too large to be kept whole. It is reported in parts, and the newest part still
  /// comes first.
  private(set) var isInParts = false
  private var held: Kept = []
  /// Bytes of these messages.
  private var octets = 0

  init() {}

  /// - Parameter head: the beginning of the log.
  init(_ head: RawSpan) {
    var steps = Steps()
    isOneLine = (head.firstIndex(of: .lineFeed) ?? head.byteCount) + 1 >= head.byteCount
    if isOneLine {
      Self.look(atRecordsOf: head, &steps)
    } else {
      var start = 0
      while let end = head.firstIndex(of: .lineFeed, from: start) {
        steps.take(Self.time(head.extracting(start..<end)))
        start = end + 1
      }
    }
    isBackward = steps.areBackward
  }

  /// How often a time is later than the one before it, and how often earlier.
  private struct Steps {
    private var (ups, downs) = (0, 0)
    private var last: Time?

    mutating func take(_ time: Time?) {
      guard let time else { return }
      if let last { if last < time { ups += 1 } else if time < last { downs += 1 } }
      last = time
    }

    // Threads that write at once are a little out of order, too.
    var areBackward: Bool { downs > 1 && ups * 8 <= downs }
  }

  /// An export whose records all stand on one line: a list of objects, also in what CloudWatch,
  /// Elasticsearch and Google Cloud answer, or what Loki answers, lists of a time and a line. Times
  /// within a record are of what was sent.
  private static func look(atRecordsOf line: RawSpan, _ steps: inout Steps) {
    guard let list = list(line) else { return }
    var at = list.start
    repeat {
      at = line.behindSpace(at + 1)
      guard at < line.byteCount, line.byte(at: at) == list.open, let end = ListEnd.json(line, at)
      else { return }
      let record = line.extracting(at..<end)
      steps.take(time(record))
      at = line.behindSpace(end)
    } while at < line.byteCount && line.byte(at: at) == .comma
  }

  /// Where the list of records begins, and with what each begins: the line is a list, or an object
  /// with one.
  private static func list(_ line: RawSpan) -> (start: Int, open: UInt8)? {
    let start = line.behindSpace(0)
    guard start < line.byteCount else { return nil }
    if line.byte(at: start) == .openBracket { return (start, .openBrace) }
    guard line.byte(at: start) == .openBrace else { return nil }
    var first: (start: Int, open: UInt8)?
    for (name, open) in lists {
      var end = start
      while let found = line.firstIndex(of: name, from: end) {
        end = found + name.utf8CodeUnitCount
        let value = line.behind(end) { $0.isJSONSpace || $0 == .colon }
        guard value < line.byteCount, line.byte(at: value) == .openBracket else { continue }
        if value < first?.start ?? .max { first = (value, open) }
        break
      }
    }
    return first
  }

  /// The time at the beginning of a line, or of its first column, or of the record on it.
  private static func time(_ line: RawSpan) -> Time? {
    let start = line.behind(0, to: min(line.byteCount, 2)) { [.quote, .openBracket].contains($0) }
    let isRecord = line.byteCount > 1 && line.byte(at: 0) == .openBrace
    return known(
      (isRecord ? time(ofRecord: line) : LogTimeReader.read(line, start, isStart: true))
        ?? time(ofMember: line))
  }

  private static func known(_ time: LogTime?) -> Time? {
    guard let time, !time.isUnsure else { return nil }
    switch time.day {
    case .whole, .none: return (0, time.seconds, time.fraction)
    case .yearless(let month, let day): return (month * 31 + day, time.seconds, time.fraction)
    }
  }

  private static func time(ofRecord line: RawSpan) -> LogTime? {
    var (record, seconds) = (LogRecord(), LogSeconds())
    record.advance(line, to: 1, from: 0, &seconds)
    return record.time(line, behind: 1, nil, &seconds)?.time
  }

  /// The time in a member of a record that is printed over several lines, or in another record.
  private static func time(ofMember line: RawSpan) -> LogTime? {
    let near = line.extracting(0..<min(line.byteCount, furthest))
    var at = 0
    while let quote = near.firstIndex(of: .quote, from: at) {
      at = quote + 1
      guard at < near.byteCount, near.byte(at: at).isDigit,
        let divider = LogPlace.divider(near, at),
        let word = LogTimeNames.word(near, before: divider),
        LogTimeNames.rank(near.extracting(word)) != nil,
        let found = LogTimeReader.read(near, at, isStart: false), found.day == .whole
      else { continue }
      return found
    }
    return nil
  }

  /// Too many lines were kept elsewhere (`LogNarration`): they are reported in parts.
  mutating func noteParts() { isInParts = true }

  mutating func keep(_ candidate: LogCandidate, _ bytes: RawSpan) {
    held.append((candidate, bytes.copied()))
    octets += bytes.byteCount + MemoryLayout<LogCandidate>.stride
  }

  /// What was kept, the oldest first, once there is too much of it.
  mutating func overflow(_ most: Int) -> Kept {
    if octets <= most { return [] }
    isInParts = true
    return take()
  }

  /// What was kept, the oldest first.
  mutating func take() -> Kept {
    var kept: Kept = []
    swap(&kept, &held)
    octets = 0
    kept.reverse()
    // Those of one line stand in their order, unless each has a time; where all records are on one
    // line, those of one list.
    var start = 0
    for end in kept.indices {
      let (own, next) = (
        kept[end].candidate.origin, kept.dropFirst(end + 1).first?.candidate.origin
      )
      let goesOn =
        isOneLine
        ? kept[end].candidate.traits.contains(.ofBatch)
        : own.record == next?.record && own.time == next?.time
      if goesOn { continue }
      kept[start...end].reverse()
      start = end + 1
    }
    return kept
  }
}
