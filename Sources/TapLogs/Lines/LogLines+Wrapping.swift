// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Removes trailers that loggers put after messages, and joins wrapped lines.
extension LogLines {
  /// Reads a line, now or together with its continuation below.
  mutating func readWrapped(_ line: borrowing PlainLine, _ reader: inout LogReader) {
    let bytes = line.text
    if wrapped?.appendContinuation(bytes) == true { return }
    endWrapped(&reader)
    report.note(bytes)
    if report.isSource || isTraced(line) { return passOver(source: bytes, &reader) }
    if trailers.isLearning && number >= surveyed { trailers.learn(from: bytes) }
    let end = trailers.end(bytes)
    wrapped = trailers.wrapped(bytes, end, line.origin)
    if wrapped != nil { return }
    readMessage(PlainLine(line, withoutTrailerAt: end), &reader)
  }

  /// Whether it is source that a traceback shows.
  private func isTraced(_ line: borrowing PlainLine) -> Bool {
    if line.isAlone || !TracebackSource.mayBe(line.text) { return false }
    let frame = gatherer.above.last(line.chunkAbove)
    return TracebackSource.isSource(line.text, below: frame.bytes)
  }

  /// Reads the wrapped line: no more of it follows.
  mutating func endWrapped(_ reader: inout LogReader) {
    guard let line = wrapped.take() else { return }
    readMessage(
      PlainLine(line.text.bytes, line.origin, height: line.height, isAlone: true), &reader)
  }

  private mutating func readMessage(_ line: borrowing PlainLine, _ reader: inout LogReader) {
    if narrate(line.text, line.origin, &reader) { return gatherer.keepLineAbove(line.text) }
    if !gatherer.receive(line, &reader) && isWatching { watch(line.text, &reader) }
  }
}
