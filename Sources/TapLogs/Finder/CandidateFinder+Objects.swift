// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
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
      let found = printedObject(line, start, isSent: message.isSent)
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

  /// One in a string of a language, whose escapes are undone; nil where nothing is escaped.
  private mutating func printedObject(
    _ line: RawSpan, _ start: Int, isSent: Bool
  ) -> FoundMessage? {
    guard let string = PrintedString(line, start), !string.isCut,
      ListEnd.json(string.text.bytes, 0) == string.text.count
    else { return nil }
    let recognition = recognition(ofObject: string.text.bytes, isSent: isSent)
    if recognition.grade == .none { return nil }
    return FoundMessage(string.text, recognition, .text, start..<string.end)
  }

  private mutating func recognition(ofObject text: RawSpan, isSent: Bool) -> Recognition {
    let found = recogniser.recognise(text, .text)
    return found.grade == .none && isSent ? recogniser.recognise(sent: text, .text) : found
  }

  /// Whether an object that seems to be a message because it was sent is the record of one instead:
  /// a list in it, or in a string of it, is hardly anything else.
  mutating func wraps(_ found: FoundMessage, _ line: RawSpan) -> Bool {
    if !found.recognition.needsSender || found.recognition.grade == .likely { return false }
    switch found.content {
    case .line(let range): return hasMessage(line.extracting(range))
    case .made(let text): return hasMessage(text.bytes)
    }
  }

  private mutating func hasMessage(_ object: RawSpan) -> Bool {
    var at = 0
    var (text, within) = (Scratch(), Scratch())
    for _ in 0..<limits.openLists {
      guard let start = ListStart.next(object, from: at) else { return false }
      text.removeAll()
      let depth = EscapedList.depth(object, start)
      if let list = EscapedList(object, start, depth: depth, into: &text, &within) {
        at = list.end
      } else {
        at = ListEnd.json(object, start) ?? object.byteCount
        text.append(object.extracting(start..<at))
      }
      switch recogniser.recognise(text.bytes, .text).grade {
      case .likely: return true
      case .possible where Self.isOnlyString(object, start..<at): return true
      default: break
      }
    }
    return false
  }

  /// Whether an object is nothing but a name for a text, `{"message":"[33,11,5862354]"}`.
  private static func isOnlyString(_ object: RawSpan, _ text: Range<Int>) -> Bool {
    var at = 1
    guard let member = JSON.next(object, &at, inObject: true), member.value.kind == .string,
      member.value.range == ByteRange(text.lowerBound - 1, text.upperBound + 1)
    else { return false }
    return JSON.next(object, &at, inObject: true) == nil
  }
}
