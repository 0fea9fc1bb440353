// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Context: the text around messages. It waits for as long as messages above it wait.
extension LogTaker {
  /// A line, or several, without a message.
  mutating func tellContext(_ line: RawSpan, _ origin: Origin) {
    guard context.isWanted else { return }
    var origin = origin
    // A copy of the clock: the time of a line without a message must not change those of messages.
    var clock = factReader.clock
    origin.set(clock.above(line, number: origin.record))
    tellContext(each: line, origin)
  }

  /// Tells what stands on a line before a message.
  ///
  /// - Parameter message: where it stands; an empty range stands for the rest of the line.
  mutating func tellContext(around message: Range<Int>, _ line: LogLine, _ facts: inout LineFacts) {
    guard context.isWanted else { return }
    tellContext(line, to: message.lowerBound, facts)
    facts.told = message.isEmpty ? line.text.byteCount : max(facts.told, message.upperBound)
  }

  /// Tells what stands on a line behind its last message.
  mutating func tellContext(behind line: LogLine, _ facts: inout LineFacts) {
    guard context.isWanted else { return }
    facts.told = LogContext.start(behind: facts.told, line.text)
    tellContext(line, to: line.text.byteCount, facts)
  }

  private mutating func tellContext(_ line: LogLine, to end: Int, _ facts: LineFacts) {
    guard let range = LogContext.range(line.text, facts.told, to: end) else { return }
    var origin = line.origin
    origin.offset += UInt64(range.lowerBound)
    origin.set(facts.message.moment)
    tellContext(each: line.text.extracting(range), origin)
  }

  private mutating func tellContext(each lines: RawSpan, _ origin: Origin) {
    if let first = secondPrint.waiting?.candidate.origin.record, origin.record > first + 1 {
      endSecondPrint()
    }
    context.tell(lines, origin, factReader.clock, waits: !hasAllTold, sink)
  }

  /// Whether no message waits, for whatever it is.
  private var hasAllTold: Bool {
    layers.waiting.isEmpty && secondPrint.waiting == nil && libraryPrints.waiting == nil
  }

  /// Tells the context that waited, once no message waits any more.
  mutating func passContext() {
    if hasAllTold { context.pass(sink) }
  }
}
