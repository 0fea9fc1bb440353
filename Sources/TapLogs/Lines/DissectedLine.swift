// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Lines that describe packets, a field each: `tshark -V` and `tshark -T pdml`. What a WebSocket
/// carries stands in a field that is named, and often in one without a name once more.
enum DissectedLine {
  private static let beginnings: [StaticString] = ["<?xml ", "<pdml", "<packet>", "<proto "]
  private static let field: StaticString = "<field name=\""
  private static let show: StaticString = " show=\""
  /// What stands before the number of a TCP stream.
  private static let streams: [StaticString] = ["[Stream index: ", "<field name=\"tcp.stream\""]

  /// Whether a text that begins with this line may be of such lines.
  static func begins(_ line: RawSpan) -> Bool {
    line.starts(with: "Frame ") && line.contains(" bytes on wire (")
      || beginnings.contains { line.starts(with: $0) }
  }

  /// The number of the TCP stream that the lines below are of; nil where the line names none.
  @_lifetime(copy line)
  static func stream(_ line: RawSpan) -> RawSpan? {
    let text = line.dropping(line.behindBlanks(0))
    guard let mark = streams.first(where: { text.starts(with: $0) }) else { return nil }
    let start = shown(text)?.lowerBound ?? mark.utf8CodeUnitCount
    let end = text.behindDigits(start)
    return end > start ? text.extracting(start..<end) : nil
  }

  /// What a field of PDML shows: before it the same stands in words, and behind it in hexadecimal.
  /// Empty for a field without a name; nil for what is no field, or shows nothing.
  static func shown(_ line: RawSpan) -> Range<Int>? {
    let begin = line.behindBlanks(0)
    guard line.dropping(begin).starts(with: field) else { return nil }
    let name = begin + field.utf8CodeUnitCount
    guard let found = line.firstIndex(of: show, from: name) else { return nil }
    if line.byte(at: name) == .quote { return begin..<begin }
    let start = found + show.utf8CodeUnitCount
    return start..<(line.firstIndex(of: .quote, from: start) ?? line.byteCount)
  }

  /// Whether it has a message whose text is cut.
  static func isCut(_ line: RawSpan) -> Bool {
    let field = line.dropping(line.behindBlanks(0))
    return field.starts(with: "Text [truncated]: ") || field.starts(with: "Text […]: ")
  }
}
