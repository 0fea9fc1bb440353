// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that end with a message of text, whose first characters they print as words.
extension LogReader {
  /// Answers whether there is one.
  mutating func readPacket(
    _ heads: [LogRule.PacketHead], _ line: RawSpan, _ before: RawSpan, _ mark: Int,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    guard let head = heads.first(where: { line.dropping(mark).starts(with: $0.words) }) else {
      return false
    }
    let start = mark + head.words.utf8CodeUnitCount
    // What is known to be a secret only after OPEN is no context.
    if page.match?.row?.namesSecrets == true { told = start }
    guard let characters = head.characters else {
      miss(line, before, start, &page, sink)
      return true
    }
    var text = Scratch()
    text.append(characters)
    let content = line.dropping(start)
    // Who sends a value prints it as Python does: nothing, or a dictionary.
    if content.starts(with: "{'"), literal.read(content, from: 0) == content.byteCount {
      text.append(literal.json.bytes)
    } else if !content.equals("None") {
      text.append(content)
    }
    var recognition = recogniser.recognise(text.bytes, .text)
    if recognition.grade < .likely {
      // A line that others may print as well has to have more than such words.
      guard page.match?.isOfDialect == true else { return false }
      recognition = Recognition(.possible)
    }
    take(text.bytes, recognition, .text, line, before, start, line.byteCount, &page, sink)
    return true
  }

  /// A frame of STOMP in the notation of a program; answers whether there is one.
  mutating func readFrame(
    _ frame: PrintedFrame?, _ line: RawSpan, _ before: RawSpan, _ start: Int,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    guard let frame else { return false }
    let kind: Delivery.Kind = UTF8.firstInvalid(in: frame.bytes.bytes) == nil ? .text : .binary
    var recognition = recogniser.recognise(frame.bytes.bytes, kind)
    if recognition.grade == .none { recognition = Recognition(.possible) }
    take(frame.bytes.bytes, recognition, kind, line, before, start, frame.end, &page, sink)
    return true
  }

  /// A message of which the line has nothing but that it was there.
  private mutating func miss(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) {
    tally.sights += 1
    tally.use(page.origin.record, height)
    tally.unread += 1
    context(line: line, page.origin, sink)
    told = line.byteCount
    var sight = sight(
      Recognition(.possible), .text, line, before, start, line.byteCount, &page)
    if talks.find(&sight) { sink.gap(nil, Delivery(sight.origin)) }
  }
}
