// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

extension CandidateFinder {
  /// The object that begins at `start`, as JSON or as the language of the program prints it; nil
  /// where it is no message.
  ///
  /// - Parameter end: where its brackets close; nil where they do not.
  mutating func object(
    _ line: RawSpan, _ start: Int, _ end: Int?, _ message: inout MessageFacts
  ) -> FoundMessage? {
    if PrintedString.mayBegin(line, start),
      let found = xmlObject(line, start, isSent: message.isSent)
    {
      return found
    }
    if let found = printedObject(line, start, end, &message) { return found }
    if let found = escapedObject(line, start, isSent: message.isSent)
      ?? xmlObject(line, start, isSent: message.isSent)
    {
      return found
    }
    if let end {
      let recognition = recognition(
        ofObject: line.extracting(start..<end), isSent: message.isSent)
      if recognition.grade != .none {
        return FoundMessage(.line(start..<end), recognition, .text, start..<end)
      }
    }
    if message.isSent && SentJSON.isOfType(line, start) { return nil }
    return literal(line, start, line, start..<start, &message)
  }

  /// An object in a string literal, with its escapes undone; nil where nothing is escaped. Other
  /// text may stand in the literal, too: `b'event: message\r\ndata: {…}\r\n\r\n'`.
  private mutating func printedObject(
    _ line: RawSpan, _ start: Int, _ end: Int?, _ message: inout MessageFacts
  ) -> FoundMessage? {
    let object = line.extracting(start..<(end ?? line.byteCount))
    guard object.firstIndex(of: .backslash) != nil,
      let string = PrintedString(line, start, within: message.literal), !string.isCut
    else { return nil }
    message.literal = string.place
    guard let count = ListEnd.json(string.text.bytes, 0) else {
      // So that what does not end is not gone over again for each object in it.
      message.literal = nil
      return nil
    }
    var text = string.text
    text.truncate(count)
    let recognition = recognition(ofObject: text.bytes, isSent: message.isSent)
    if recognition.grade == .none { return nil }
    return FoundMessage(text, recognition, .text, start..<string.end(line, ofObject: start, count))
  }

  /// An object in the text of a string that is in no record: `data="{\"jsonrpc\":\"2.0\",…}"`.
  private mutating func escapedObject(
    _ line: RawSpan, _ start: Int, isSent: Bool
  ) -> FoundMessage? {
    let depth = EscapedList.depth(line, start)
    if depth == 0 { return nil }
    var (text, within) = (lend(), Scratch())
    if let object = EscapedList(line, start, depth: depth, into: &text, &within), !object.isCut {
      let recognition = recognition(ofObject: text.bytes, isSent: isSent)
      if recognition.grade != .none {
        return FoundMessage(text, recognition, .text, start..<object.end)
      }
    }
    giveBack(&text)
    return nil
  }

  /// An object in XML or HTML, `{&quot;jsonrpc&quot;:…}`; some loggers leave quotes as they are.
  private mutating func xmlObject(
    _ line: RawSpan, _ start: Int, isSent: Bool
  ) -> FoundMessage? {
    guard
      let object = XMLText(line, object: start)
        ?? (isReplaced ? nil : XMLText(line, start, isElement: true))
    else { return nil }
    var text = object.text
    // Behind it, the quote of its string may stand.
    if let count = ListEnd.json(text.bytes, 0) { text.truncate(count) }
    let recognition = recognition(ofObject: text.bytes, isSent: isSent)
    if recognition.grade == .none { return nil }
    return FoundMessage(text, recognition, .text, start..<object.end)
  }

  private mutating func recognition(ofObject text: RawSpan, isSent: Bool) -> Recognition {
    let found = recogniser.recognise(text, .text)
    return found.grade == .none && isSent ? recogniser.recognise(sent: text, .text) : found
  }
}
