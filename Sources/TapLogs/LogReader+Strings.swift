// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages in the strings of languages and the fields of exports: what such a text stands for is
/// decided by what is around it.
extension LogReader {
  /// A list of JSON in a string or an element whose end follows it.
  @inline(__always)
  mutating func enclosed(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ whole: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    let next = line.byte(at: whole)
    if PrintedString.isQuote(next) { return printed(line, before, start, &page, sink) }
    guard next == 0x3C, let text = XMLText(line, start, isElement: true) else { return nil }
    return inner(text.text.bytes, isCut: false, line, before, start..<text.end, &page, sink)
  }

  /// In a string of a language, between quotes that those of JSON stand in as they are.
  mutating func printed(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    guard let string = PrintedString(line, start) else { return nil }
    if !string.isCut, let whole = ListEnd.json(line, start), whole <= string.end,
      !isMessage(string.text.bytes, sink),
      let recognition = recognition(
        of: line.extracting(start..<whole), .text, line, start..<whole, &page, sink)
    {
      // The program put quotes around the text and escaped nothing: what is escaped is so in JSON.
      take(
        line.extracting(start..<whole), recognition, .text, line, before, start, whole, &page, sink
      )
      return string.end
    }
    return inner(
      string.text.bytes, isCut: string.isCut, line, before, start..<string.end, &page, sink)
  }

  /// Whether a text begins with a list of JSON that may be a message.
  private func isMessage(_ text: RawSpan, _ sink: any EvidenceSink) -> Bool {
    guard let end = ListEnd.json(text, 0) else { return false }
    return recogniser.recognise(text.extracting(0..<end), .text).grade != .none
  }

  /// In a field of CSV, whose quotes are doubled, or in XML, which has entities in their place.
  mutating func field(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    if let field = CSVField(line, start) {
      return inner(
        field.text.bytes, isCut: field.isCut, line, before, start..<field.end, &page, sink)
    }
    guard let text = XMLText(line, start, isElement: false) else { return nil }
    return inner(text.text.bytes, isCut: false, line, before, start..<text.end, &page, sink)
  }

  /// In a string of a record, as the program printed it that wrote the text: its own escapes are
  /// escaped there.
  mutating func recorded(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    guard page.isInBrace(line, start), let string = page.string(line, around: start),
      let slash = line.extracting(0..<string.close).firstIndex(of: 0x5C, from: start),
      slash < string.close, let text = string.text(line), var at = string.place(line, of: start)
    else { return nil }
    let range = start..<string.close
    guard let end = literal(text.bytes, at, line, before, range, &page, sink) else { return nil }
    at = end
    while let next = ListStart.next(text.bytes, from: at) {
      at = literal(text.bytes, next, line, before, range, &page, sink) ?? next + 1
    }
    return string.close
  }

  /// A text that begins with a list, and for which a part of the line stands: all messages in it.
  private mutating func inner(
    _ text: RawSpan, isCut: Bool, _ line: RawSpan, _ before: RawSpan, _ range: Range<Int>,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Int? {
    guard
      var at = list(text, 0, isCut: isCut, line, before, range, &page, sink)
    else { return nil }
    while let next = ListStart.next(text, from: at) {
      at = list(text, next, isCut: isCut, line, before, range, &page, sink) ?? next + 1
    }
    return range.upperBound
  }

  /// One list of it; answers where it ends.
  private mutating func list(
    _ text: RawSpan, _ first: Int, isCut: Bool, _ line: RawSpan, _ before: RawSpan,
    _ range: Range<Int>, _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Int? {
    if let end = ListEnd.json(text, first) {
      let list = text.extracting(first..<end)
      if let recognition = recognition(of: list, .text, line, range, &page, sink) {
        take(
          list, recognition, .text, line, before, range.lowerBound, range.upperBound, &page, sink)
        return end
      }
    }
    // A record may be in a field, and a value as a program prints it in a string.
    var (unescaped, spare) = (Scratch(), Scratch())
    let depth = EscapedList.depth(text, first)
    if let list = EscapedList(text, first, depth: depth, into: &unescaped, &spare), !list.isCut,
      let recognition = recognition(of: unescaped.bytes, .text, line, range, &page, sink)
    {
      take(
        unescaped.bytes, recognition, .text, line, before, range.lowerBound, range.upperBound,
        &page,
        sink)
      return list.end
    }
    if let end = literal(text, first, line, before, range, &page, sink) { return end }
    guard isCut, let cut = CutMark.end(text, first, isMarked: page.match != nil), cut > first,
      abridged(
        text.extracting(first..<cut), line, before, range.lowerBound, range.upperBound, &page,
        sink) != nil
    else { return nil }
    return text.byteCount
  }

  /// A text of which the line has its first characters, and says how long it is.
  mutating func clipped(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    let mark: StaticString = "..], byteCount="
    guard let dots = LogMarks.last(mark, in: line), dots > start else { return nil }
    var digits = LogDigits(line.dropping(dots + mark.utf8CodeUnitCount))
    page.length = digits.number(most: 9).map { Int($0.value) } ?? 0
    return abridged(
      line.extracting(start..<dots), line, before, start, line.byteCount, &page, sink)
  }
}
