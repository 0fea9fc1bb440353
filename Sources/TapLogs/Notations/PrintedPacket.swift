// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// A message of text that ends its line, whose first characters the program prints as words.
struct PrintedPacket {
  private let head: LogRule.PacketHead
  /// Where the rest of the message stands on the line.
  private(set) var place: Range<Int>
  /// The message; nil where the program does not print the rest of it, or nothing ends that.
  private var text: Scratch?

  /// - Parameters:
  ///   - mark: behind the mark of its line.
  ///   - close: what the program puts behind it.
  ///   - words: what else the program puts before it.
  init?(
    _ line: RawSpan, _ mark: Int, _ heads: [LogRule.PacketHead], until close: StaticString,
    behind words: StaticString, _ limits: Limits
  ) {
    guard let mark = Self.behind(words, line, mark),
      let head = heads.first(where: { line.dropping(mark).starts(with: $0.words) })
    else { return nil }
    self.head = head
    let start = mark + head.words.utf8CodeUnitCount
    place = start..<start + Self.withoutLapse(line.dropping(start))
    guard let characters = head.characters else { return }
    if close.utf8CodeUnitCount > 0 {
      guard let stop = LogMarks.last(close, in: line.extracting(place)) else { return }
      place = start..<start + stop
    }
    var whole = Scratch()
    whole.append(characters)
    let content = line.extracting(place)
    // A value that is sent may be printed as Python does: `None`, or a dictionary.
    var literal = LiteralReader(maximumDepth: limits.nesting)
    if content.starts(with: "{'"), literal.read(content, from: 0) == content.byteCount {
      whole.append(literal.json.bytes)
    } else if !content.equals("None") {
      whole.append(content)
    }
    text = whole
  }

  func found(_ rule: LogRule, _ recogniser: any TextRecogniser) -> FoundLine {
    if head.characters == nil { return .unread(at: place.lowerBound) }
    guard let text else { return .other }
    var recognition = recogniser.recognise(text.bytes, as: rule.dialect.description)
    if recognition.grade == .none {
      // Words that stand for its first characters say what it is, unless bytes are printed there.
      guard head.words.utf8CodeUnitCount > 0, !head.lacksBytes, !head.mayBeBytes else {
        return .other
      }
      recognition.grade = .possible
    }
    let found = FoundMessage(text, recognition, .text, place)
    return head.lacksBytes ? .incomplete(found) : .message(found)
  }

  /// Where these words end that stand behind a mark; nil where they do not.
  private static func behind(_ words: StaticString, _ line: RawSpan, _ mark: Int) -> Int? {
    if words.utf8CodeUnitCount == 0 { return mark }
    return line.firstIndex(of: words, from: mark).map { $0 + words.utf8CodeUnitCount }
  }

  /// How long a text is without the end of its line, which records of containers have in their
  /// strings, and what the library `debug` puts behind it on a terminal and in a browser, whose
  /// console puts a place in the source behind that: ` +3ms`, ` +3ms app.js:12:9`.
  private static func withoutLapse(_ text: RawSpan) -> Int {
    let end = text.before(text.byteCount) { $0 == .lineFeed || $0 == .carriageReturn }
    let last = text.beforeSpace(end)
    return lapse(text, endingAt: last)
      ?? SourceLocation.consoleStart(text, endingAt: last).flatMap { lapse(text, endingAt: $0) }
      ?? end
  }

  /// Where a lapse begins, with the blank before it; nil where none ends there.
  private static func lapse(_ text: RawSpan, endingAt end: Int) -> Int? {
    let units = text.before(end) { $0.isLowercase }
    let digits = text.beforeDigits(units)
    guard (1...2).contains(end - units), digits < units, digits > 1,
      text.byte(at: digits - 1) == UInt8(ascii: "+"),
      text.byte(at: digits - 2) == .space
    else { return nil }
    return digits - 2
  }
}
