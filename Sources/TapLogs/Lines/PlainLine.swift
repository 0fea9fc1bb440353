// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A line as it is read: without escape sequences.
struct PlainLine: ~Escapable {
  let text: RawSpan
  /// The text before the line, in the same chunk.
  let chunkAbove: RawSpan
  /// The text with what a logger put behind it.
  let whole: RawSpan
  let origin: Origin
  /// Lines that it took, where a console wrapped it.
  let height: UInt64
  /// What makes it worth reading, where it was looked at.
  let lead: LogSurvey.Lead?
  /// The line above is unknown: it was overwritten, or this line waited in a buffer.
  let isAlone: Bool

  @_lifetime(copy text, copy chunkAbove)
  init(
    _ text: RawSpan, chunkAbove: RawSpan = RawSpan(), _ origin: Origin, height: UInt64 = 1,
    lead: LogSurvey.Lead? = nil, isAlone: Bool = false
  ) {
    (self.text, self.chunkAbove, whole) = (text, chunkAbove, text)
    (self.origin, self.height, self.lead) = (origin, height, lead)
    self.isAlone = isAlone
  }

  /// The line without what a logger put behind its message, which begins there.
  @_lifetime(copy line)
  init(_ line: borrowing PlainLine, withoutTrailerAt end: Int) {
    (text, chunkAbove) = (line.text.extracting(0..<end), line.chunkAbove)
    (whole, origin, height) = (line.text, line.origin, line.height)
    (lead, isAlone) = (end == line.text.byteCount ? line.lead : nil, line.isAlone)
  }

  /// A part of the line.
  @_lifetime(copy line)
  init(_ line: borrowing PlainLine, only part: Range<Int>) {
    self.init(
      line.text.extracting(part), chunkAbove: line.chunkAbove, line.origin, height: line.height,
      isAlone: line.isAlone)
  }

  /// Where a line ends, without what CRLF, or CR CR LF of a terminal, leaves there.
  static func end(_ line: RawSpan) -> Int {
    return line.before(line.byteCount) { $0 == .carriageReturn }
  }
}
