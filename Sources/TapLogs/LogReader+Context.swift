// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What stands around the messages, for whoever reads it together with them.
extension LogReader {
  /// A line, or several, of which nothing is a message.
  mutating func context(line: RawSpan, _ origin: Origin, _ sink: any EvidenceSink) {
    guard place.choice.keepsContext else { return }
    var origin = origin
    // What is looked at here is no message whose time others could depend on.
    var clock = factReader.clock
    origin.set(clock.above(line, origin.record))
    context(line, origin, sink)
  }

  /// What stands before a message of a line.
  ///
  /// - Parameter message: where it stands; nothing says where what ends at its own start does.
  mutating func context(
    around message: Range<Int>, _ line: RawSpan, _ facts: LogFacts, _ sink: any EvidenceSink
  ) {
    guard place.choice.keepsContext else { return }
    context(line, to: message.lowerBound, facts, sink)
    told = message.isEmpty ? line.byteCount : max(told, message.upperBound)
  }

  /// What stands behind the last message of a line, but for what closes something that was opened
  /// before it.
  mutating func context(behind line: RawSpan, _ facts: LogFacts, _ sink: any EvidenceSink) {
    if told > 0 {
      // Of several lines, for that of the message and for all of them.
      for end in [line.firstIndex(of: 0x0A, from: told) ?? line.byteCount, line.byteCount]
      where (told..<end).allSatisfy({ Self.isClosing(line.byte(at: $0)) }) {
        told = end
      }
    }
    context(line, to: line.byteCount, facts, sink)
  }

  private static func isClosing(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D, 0x22, 0x27, 0x29, 0x2C, 0x3B, 0x5C, 0x5D, 0x7D: true
    default: false
    }
  }

  private mutating func context(
    _ line: RawSpan, to end: Int, _ facts: LogFacts, _ sink: any EvidenceSink
  ) {
    if told > 0, line.byte(at: told - 1) != 0x0A {
      while told < end, line.byte(at: told) == 0x20 { told += 1 }
    }
    if told >= end { return }
    let text = line.extracting(told..<end)
    var origin = facts.origin
    origin.offset += UInt64(told)
    origin.set(facts.moment)
    context(text, origin, sink)
  }

  /// Each line of a text.
  private mutating func context(_ text: RawSpan, _ origin: Origin, _ sink: any EvidenceSink) {
    if let (candidate, _, _) = repeated, origin.record > candidate.origin.record + 1 {
      endRepeated(sink)
    }
    var start = 0
    var time = origin.time
    while start < text.byteCount {
      let end = text.firstIndex(of: 0x0A, from: start) ?? text.byteCount
      var last = end
      while last > start, isJSONSpace(text.byte(at: last - 1)) { last -= 1 }
      let words = text.extracting(start..<last)
      var origin = origin
      origin.offset += UInt64(start)
      origin.time = time
      start = end + 1
      if words.isEmpty { continue }
      let line = ContextLine(origin, stamp: origin.time.isKnown ? factReader.clock.stamp(words) : 0)
      // The other lines of a record have no time of their own.
      time = .unknown
      if hasAllTold {
        sink.context(words, line)
      } else {
        waitingContext.keep(words, line)
      }
    }
    if waitingContext.octets > limits.contextBytes {
      decide(sink)
      endRepeated(sink)
    }
  }

  /// Whether no message waits, for whatever it is.
  private var hasAllTold: Bool { undecided.isEmpty && repeated == nil }

  /// What waited for messages before it is told.
  mutating func passContext(_ sink: any EvidenceSink) {
    if hasAllTold { waitingContext.pass(sink) }
  }
}
