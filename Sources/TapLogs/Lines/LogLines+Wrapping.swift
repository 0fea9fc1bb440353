// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Removes trailers that loggers put after messages, and joins wrapped lines.
extension LogLines {
  /// Reads a line without escape sequences, now or together with its continuation below.
  mutating func readWrapped(
    _ bytes: RawSpan, at start: Int, above: RawSpan, _ known: LogSurvey.Lead?,
    _ reader: inout LogReader
  ) {
    if wrapped?.goOn(bytes) == true { return }
    endWrapped(&reader)
    report.note(bytes)
    if report.isSource { return passOver(source: bytes, &reader) }
    if trailers.isLearning && number >= surveyed { trailers.learn(from: bytes) }
    let end = trailers.end(bytes)
    wrapped = trailers.wrapped(bytes, end, origin(at: start))
    if wrapped != nil { return }
    readMessage(
      bytes.extracting(0..<end), above: above, whole: bytes,
      known: end == bytes.byteCount ? known : nil, origin(at: start), &reader)
  }

  /// Reads the wrapped line: no more of it follows.
  mutating func endWrapped(_ reader: inout LogReader) {
    guard let line = wrapped.take() else { return }
    readMessage(line.text.bytes, height: line.height, line.origin, &reader)
  }

  private mutating func readMessage(
    _ text: RawSpan, above: RawSpan = RawSpan(), whole: RawSpan = RawSpan(),
    height: UInt64 = 1, known: LogSurvey.Lead? = nil, _ origin: Origin,
    _ reader: inout LogReader
  ) {
    defer { if gathering == nil && !parked.isEmpty { gathering = parked.removeFirst() } }
    if narrate(text, origin, &reader) { return keepLineAbove(text) }
    if gathering != nil && !gather(text, &reader) { return }
    let hasMessage = read(
      text, above: above, whole: whole, height: height, known: known, origin, mayGather: true,
      &reader)
    if isWatching && gathering == nil && !hasMessage { watch(text, at: 0, &reader) }
    keepLineAbove(text)
  }
}
