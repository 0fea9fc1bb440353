// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Context: the text around messages, shown together with them. It waits for as long as messages
/// above it wait.
struct LogContext {
  /// Whether anybody reads it.
  let isWanted: Bool
  private var waiting: ContiguousArray<(words: [UInt8], line: ContextLine)> = []
  /// How many bytes wait.
  private(set) var octets = 0

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
        waiting.append((words.copied(), line))
        octets += words.byteCount
      } else {
        sink.context(words, line)
      }
    }
  }

  /// Reports what waited and stands before an offset, or all.
  mutating func pass(before offset: UInt64 = .max, _ sink: any EvidenceSink) {
    if waiting.isEmpty { return }
    let end = waiting.firstIndex { $0.line.origin.offset >= offset } ?? waiting.count
    for (words, line) in waiting[..<end] {
      sink.context(words.span.bytes, line)
      octets -= words.count
    }
    waiting.removeSubrange(..<end)
  }
}
