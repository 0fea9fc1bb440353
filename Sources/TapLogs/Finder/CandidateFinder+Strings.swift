// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Messages in string literals of languages and in fields of exports. The notation around such a
/// text decides what it stands for.
extension CandidateFinder {
  /// A list of JSON in a string or an element whose end follows it.
  @inline(__always)
  mutating func enclosed(
    _ line: RawSpan, _ start: Int, _ whole: Int, _ message: inout MessageFacts
  ) -> FoundList? {
    let next = line.byte(at: whole)
    if PrintedString.isQuote(next) { return printed(line, start, &message) }
    return next == UInt8(ascii: "<") ? element(line, start, &message) : nil
  }

  /// Lists in the text of an element of XML.
  mutating func element(_ line: RawSpan, _ start: Int, _ message: inout MessageFacts) -> FoundList?
  {
    guard !isReplaced, let text = XMLText(line, start, isElement: true) else { return nil }
    return lists(text.text.bytes, isCut: false, line, start..<text.end, &message)
  }

  /// Lists in a string literal whose quotes let those of JSON stand in it as they are.
  mutating func printed(_ line: RawSpan, _ start: Int, _ message: inout MessageFacts) -> FoundList?
  {
    guard let string = PrintedString(line, start) else { return nil }
    if !string.isCut, let whole = ListEnd.json(line, start), whole <= string.end,
      !isMessage(string.text.bytes),
      let recognition = grader.recognition(
        of: line.extracting(start..<whole), .text, line, start..<whole, &message)
    {
      // The program put quotes around the text and escaped nothing: the escapes are those of JSON.
      return .one(
        FoundMessage(.line(start..<whole), recognition, .text, start..<whole), end: string.end)
    }
    return lists(string.text.bytes, isCut: string.isCut, line, start..<string.end, &message)
  }

  /// Whether a text begins with a list of JSON that may be a message.
  private mutating func isMessage(_ text: RawSpan) -> Bool {
    guard let end = ListEnd.json(text, 0) else { return false }
    return recogniser.recognise(text.extracting(0..<end), .text).grade != .none
  }

  /// Lists in a field of CSV, whose quotes are doubled, or in XML, which has entities in their
  /// place.
  mutating func field(_ line: RawSpan, _ start: Int, _ message: inout MessageFacts) -> FoundList? {
    if let field = CSVField(line, start) {
      return lists(field.text.bytes, isCut: field.isCut, line, start..<field.end, &message)
    }
    guard let text = XMLText(line, start, isElement: false) else { return nil }
    return lists(text.text.bytes, isCut: false, line, start..<text.end, &message)
  }

  /// Lists in a string of a record, as the program printed it that wrote the text: its own escapes
  /// are escaped there.
  mutating func recorded(_ line: RawSpan, _ start: Int, _ facts: inout LineFacts) -> FoundList? {
    guard
      let string = facts.records.string(line, around: start),
      let slash = line.extracting(0..<string.close).firstIndex(of: .backslash, from: start),
      slash < string.close, let text = string.text(line),
      let first = string.place(line, of: start)
    else { return nil }
    return lists(
      text.bytes, from: first, isCut: false, line, start..<string.close, &facts.message)
  }

  /// All messages in a text, of which the first begins at `first`; `place` is the part of the line
  /// that the text was made of.
  private mutating func lists(
    _ text: RawSpan, from first: Int = 0, isCut: Bool, _ line: RawSpan, _ place: Range<Int>,
    _ message: inout MessageFacts
  ) -> FoundList? {
    guard let one = list(text, first, isCut: isCut, line, place, &message) else { return nil }
    var more: [FoundMessage] = []
    var at = one.end
    while let next = ListStart.next(text, from: at) {
      at = next + 1
      if let one = list(text, next, isCut: isCut, line, place, &message) {
        more.append(one)
        at = one.end
      }
    }
    return more.isEmpty ? FoundList(one) : .several([one] + more, end: place.upperBound)
  }

  private mutating func list(
    _ text: RawSpan, _ first: Int, isCut: Bool, _ line: RawSpan, _ place: Range<Int>,
    _ message: inout MessageFacts
  ) -> FoundMessage? {
    if let end = ListEnd.json(text, first) {
      let list = text.extracting(first..<end)
      if let recognition = grader.recognition(of: list, .text, line, place, &message) {
        var copy = lend()
        copy.append(list)
        return FoundMessage(copy, recognition, .text, place, end: end)
      }
    }
    // A record may be in a field, and a value as a program prints it in a string.
    var (unescaped, within) = (Scratch(), Scratch())
    let depth = EscapedList.depth(text, first)
    if let list = EscapedList(text, first, depth: depth, into: &unescaped, &within), !list.isCut,
      let recognition = grader.recognition(of: unescaped.bytes, .text, line, place, &message)
    {
      return FoundMessage(unescaped, recognition, .text, place, end: list.end)
    }
    if let found = literal(text, first, line, place, &message) { return found }
    guard isCut, let cut = CutMark.end(text, first, isMarked: message.match != nil), cut > first,
      var found = abridged(text.extracting(first..<cut), place, &message)
    else { return nil }
    found.end = text.byteCount
    return found
  }
}
