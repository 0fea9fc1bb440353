// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Context: the text around messages, shown together with them. It waits for as long as messages
/// above it wait. The text of a list that may be a message waits until it is known to be one:
/// then it is shown as that alone, otherwise it is part of its line.
struct LogContext {
  /// Whether anybody reads it.
  let isWanted: Bool
  private var waiting: ContiguousArray<(words: [UInt8], line: ContextLine)> = []
  /// How many bytes wait.
  private(set) var octets = 0
  /// Where lists stand that may be messages, on lines that wait or are about to.
  private var undecided: [Range<UInt64>] = []

  init(isWanted: Bool) { self.isWanted = isWanted }

  /// The part of a line before `end` that was not reported yet.
  static func range(_ line: RawSpan, _ reported: Int, to end: Int) -> Range<Int>? {
    var start = reported
    if start > 0, line.byte(at: start - 1) != .lineFeed {
      while start < end, line.byte(at: start) == .space { start += 1 }
    }
    return start < end ? start..<end : nil
  }

  /// Where the text behind the last message of a line begins. If only brackets, quotes and the like
  /// follow, which close what was opened before the message, it is empty.
  static func start(behind reported: Int, _ line: RawSpan) -> Int {
    var start = reported
    if start == 0 { return 0 }
    // A record may have several lines: look at the rest of the message's own line, then of all.
    for end in [line.firstIndex(of: .lineFeed, from: start) ?? line.byteCount, line.byteCount]
    where (start..<end).allSatisfy({ isClosing(line.byte(at: $0)) }) {
      start = end
    }
    return start
  }

  private static func isClosing(_ byte: UInt8) -> Bool {
    switch byte {
    case .space, .tab, .lineFeed, .carriageReturn, .quote, .apostrophe, UInt8(ascii: ")"), .comma,
      UInt8(ascii: ";"), .backslash, .closeBracket, .closeBrace:
      true
    default: false
    }
  }

  /// Reports each line of a text.
  ///
  /// - Parameter waits: whether it waits for messages above it.
  mutating func report(
    _ text: RawSpan, _ origin: Origin, _ clock: LogClock, waits: Bool, _ sink: any EvidenceSink
  ) {
    var start = 0
    var time = origin.time
    while start < text.byteCount {
      let end = text.firstIndex(of: .lineFeed, from: start) ?? text.byteCount
      let last = text.beforeSpace(end, from: start)
      let words = text.extracting(start..<last)
      var origin = origin
      origin.offset += UInt64(start)
      origin.time = time
      start = end + 1
      if words.isEmpty { continue }
      let line = ContextLine(origin, stamp: origin.time.isKnown ? clock.stamp(words) : 0)
      // The other lines of a record have no time of their own.
      time = .unknown
      if waits {
        keep(words, line, at: waiting.endIndex)
      } else {
        sink.context(words, line)
      }
    }
  }

  /// Where the first list stands that may be a message; nil where none waits.
  var firstUndecided: UInt64? { undecided.first?.lowerBound }

  /// A list may be a message: what stands on its line and below waits until that is decided.
  mutating func hold(_ list: Range<UInt64>) { if isWanted { undecided.append(list) } }

  /// It is not known which of them are messages: they stay on their lines.
  mutating func giveUp() { undecided.removeAll() }

  /// Reports what waited and stands before a message that is reported now, or all. The text of that
  /// message is not shown once more.
  mutating func pass(before message: UInt64 = .max, _ sink: any EvidenceSink) {
    if waiting.isEmpty && undecided.isEmpty { return }
    if let list = undecided.first(where: { $0.lowerBound == message }) { cut(list) }
    undecided.removeAll { $0.lowerBound <= message }
    let end = waiting.firstIndex { $0.line.origin.offset >= message } ?? waiting.count
    for (words, line) in waiting[..<end] {
      sink.context(words.span.bytes, line)
      octets -= words.count
    }
    waiting.removeSubrange(..<end)
  }

  /// Leaves of the lines that wait what stands around a message.
  private mutating func cut(_ message: Range<UInt64>) {
    for index in waiting.indices.reversed() {
      let (words, line) = waiting[index]
      let start = line.origin.offset
      let place = message.clamped(to: start..<start + UInt64(words.count))
      if place.isEmpty { continue }
      let text = words.span.bytes
      let end = text.beforeSpace(Int(place.lowerBound - start))
      let reported = Self.start(behind: Int(place.upperBound - start), text)
      octets -= words.count
      waiting.remove(at: index)
      if let rest = Self.range(text, reported, to: words.count) {
        var behind = ContextLine(line.origin)
        behind.origin.offset += UInt64(rest.lowerBound)
        keep(text.extracting(rest), behind, at: index)
      }
      if end == 0 { continue }
      let before = ContextLine(line.origin, stamp: min(line.stamp, end))
      keep(text.extracting(0..<end), before, at: index)
    }
  }

  private mutating func keep(_ words: RawSpan, _ line: ContextLine, at index: Int) {
    waiting.insert((words.copied(), line), at: index)
    octets += words.byteCount
  }
}
