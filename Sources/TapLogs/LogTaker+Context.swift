// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Context: the text around messages. It waits for as long as messages above it wait.
extension LogTaker {
  /// A line, or several, without a message.
  mutating func reportContext(_ line: RawSpan, _ origin: Origin) {
    guard context.isWanted else { return }
    var origin = origin
    // A copy of the clock: the time of a line without a message must not change those of messages.
    var clock = factReader.clock
    origin.set(clock.above(line, number: origin.record))
    reportContext(each: line, origin)
  }

  /// Reports what stands on a line before a message.
  ///
  /// - Parameter message: where it stands; an empty range stands for the rest of the line.
  mutating func reportContext(around message: Range<Int>, _ line: LogLine, _ facts: inout LineFacts)
  {
    guard context.isWanted else { return }
    reportContext(line, to: message.lowerBound, facts)
    facts.reported = message.isEmpty ? line.text.byteCount : max(facts.reported, message.upperBound)
  }

  /// Reports what stands on a line behind its last message.
  mutating func reportContext(behind line: LogLine, _ facts: inout LineFacts) {
    guard context.isWanted else { return }
    facts.reported = LogContext.start(behind: facts.reported, line.text)
    reportContext(line, to: line.text.byteCount, facts)
  }

  private mutating func reportContext(_ line: LogLine, to end: Int, _ facts: LineFacts) {
    guard let range = LogContext.range(line.text, facts.reported, to: end) else { return }
    var origin = line.origin
    origin.offset += UInt64(range.lowerBound)
    origin.set(facts.message.moment)
    reportContext(each: line.text.extracting(range), origin)
  }

  private mutating func reportContext(each lines: RawSpan, _ origin: Origin) {
    if let first = secondPrint.waiting?.candidate.origin.record, origin.record > first + 1 {
      endSecondPrint()
    }
    context.report(lines, origin, factReader.clock, waits: !hasAllReported, reporter.sink)
  }

  /// Whether no message waits, for whatever it is.
  private var hasAllReported: Bool {
    layers.waiting.isEmpty && secondPrint.waiting == nil && libraryPrints.waiting == nil
  }

  /// Reports the context that waited, once no message waits any more.
  mutating func passContext() {
    if hasAllReported { context.pass(reporter.sink) }
  }
}
