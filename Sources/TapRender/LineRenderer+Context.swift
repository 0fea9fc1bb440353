// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

extension LineRenderer {
  /// Lines of a log around its messages, dimmed, with the log's name when there are several. Before
  /// the first message they show their own time, as ours counts from that message.
  public mutating func context(
    _ words: RawSpan, _ line: ContextLine, into text: inout TextBuffer
  ) {
    let begin = text.count
    let isTimed = appendTime(ofContext: line.origin, to: &text)
    // Nothing but a time.
    if isTimed && line.stamp == words.byteCount { return text.truncate(begin) }
    style.begin(.dim, &text)
    let input = Int(line.origin.input)
    if input < options.inputs.count {
      text.append(escaping: options.inputs[input])
      text.append(": ")
    }
    text.append(escaping: isTimed ? words.dropping(line.stamp) : words)
    style.end(&text)
    if let width { TextLayout.elide(&text, from: begin, to: width) }
    text.append("\n")
  }

  /// The time of a line between messages, or its room.
  ///
  /// - Returns: whether the time stands there: not ahead of the first message, from which it is
  ///   counted.
  private mutating func appendTime(ofContext origin: Origin, to text: inout TextBuffer) -> Bool {
    if origin.time.isKnown && (!isRelative || since.isCounting) {
      let begin = text.count
      time(origin, &text)
      contextColumns = text.count - begin
      return true
    }
    let begin = text.count
    if showsNumbers { number(origin, &text) }
    text.append(spaces: max(contextColumns - (text.count - begin), 0))
    return false
  }
}
