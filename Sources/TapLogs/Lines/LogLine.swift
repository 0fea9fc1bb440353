// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A line that may hold messages, or several that belong together: what the stages hand on.
struct LogLine: ~Escapable {
  let text: RawSpan
  /// The line before it, or its beginning.
  let above: RawSpan
  /// Where it stands; its time is read later.
  let origin: Origin
  /// The end of its first list, where it was looked for.
  let first: ListEnd?
  /// The text with what a logger put behind it.
  let whole: RawSpan
  /// Words on it.
  let anchors: LogAnchors
  /// Lines that it consists of.
  let height: UInt64
  /// Length of the beginning that was already reported.
  let reported: Int

  @_lifetime(copy text, copy above, copy whole)
  init(
    _ text: RawSpan, above: RawSpan, whole: RawSpan = RawSpan(), _ origin: Origin,
    first: ListEnd? = nil, anchors: LogAnchors, height: UInt64 = 1, reported: Int = 0
  ) {
    (self.text, self.above, self.origin) = (text, above, origin)
    self.whole = whole.isEmpty ? text : whole
    (self.first, self.anchors) = (first, anchors)
    (self.height, self.reported) = (height, reported)
  }

  /// Words of a known program stand on it.
  var hasAnchor: Bool { anchors.contains(.program) }

  /// The shape of what stands between two messages, or before the first; see `LogLineShape`.
  func shape(_ words: Range<Int>) -> UInt64 {
    if words.lowerBound == 0, words.upperBound == first?.start, let known = first?.shape {
      return known
    }
    return LogRules.shape(text.extracting(words))
  }

  /// A copy with another text, as where an escape was undone.
  @_lifetime(copy self, copy text)
  func standingFor(_ text: RawSpan, _ leads: LogLeads) -> LogLine {
    let more: LogAnchors = anchors.isEmpty ? [] : leads.survey(text).anchors
    return LogLine(
      text, above: above, whole: text, origin, anchors: anchors.union(more), height: height)
  }
}

extension LogLine {
  /// Whether it is the line above once more, in another form: with something before it, or as the
  /// string of a record.
  var repeatsAbove: Bool {
    let (count, most) = (above.byteCount, text.byteCount - above.byteCount)
    if count == 0 || most < 0 || beginsLikeAbove { return false }
    return (0...most).contains { text.extracting($0..<$0 + count).equals(above) }
  }

  /// Whether a handler has printed both lines in the same form: they begin alike.
  var beginsLikeAbove: Bool {
    let count = min(8, above.byteCount, whole.byteCount)
    return whole.extracting(0..<count).equals(above.extracting(0..<count))
  }
}
