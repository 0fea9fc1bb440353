// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence
internal import TapTraffic

/// Finds messages of text that are no lists, but can be recognised by themselves.
struct TextFinder {
  let recogniser: any TextRecogniser
  let packets: PacketStarts
  /// The dialect that an option names.
  let dialect: String?
  /// All that has the form of a message is one.
  let isForced: Bool
  /// The only format that is asked; nil for all.
  let only: Int?
  let mostOpen: Int
  /// JSON is a message where its line says that it was sent.
  let takesSentJSON: Bool
  let limits: Limits

  /// The next packet from an offset on, and where another may begin behind its bracket; nil where
  /// there is none.
  ///
  /// - Parameter open: how many lists of the line do not end on it. Each was searched to the end of
  ///   the line, so few are tried.
  func next(
    _ line: RawSpan, from start: Int, open: inout Int
  ) -> (found: FoundMessage, inside: Int)? {
    var at = start
    while open < mostOpen, let (first, bracket) = packets.next(line, from: at) {
      at = bracket + 1
      guard let end = ListEnd.json(line, bracket) else {
        open += 1
        continue
      }
      let text = line.extracting(first..<end)
      let recognition =
        dialect.map { recogniser.recognise(text, as: $0) } ?? recogniser.recognise(text, .text)
      if recognition.grade == .none { continue }
      var found = FoundMessage(.line(first..<end), recognition, .text, first..<end)
      // Among other words it could be the code of a program.
      if !Self.isLast(line, first..<end) { found.needs.insert(.mark) }
      if recognition.grade != .likely && !isForced { found.needs.insert(.conversation) }
      return (found, at)
    }
    return nil
  }

  private static func isLast(_ line: RawSpan, _ text: Range<Int>) -> Bool {
    if text.lowerBound > 0, line.byte(at: text.lowerBound - 1) == UInt8(ascii: "=") { return false }
    return (text.upperBound..<line.byteCount).allSatisfy {
      line.byte(at: $0).isJSONSpace || PrintedString.isQuote(line.byte(at: $0))
        || line.byte(at: $0) == UInt8(ascii: ")")
    }
  }

  /// A string whose length the line says, and in it something else than a list, or one of objects,
  /// such as a batch of JSON-RPC: what the cut leaves of these is no object that was sent.
  func measured(
    _ line: RawSpan, _ size: Measured.Size, _ message: inout MessageFacts
  ) -> FoundMessage? {
    guard !size.isContinued,
      let match = LogMarks.all.find(line.extracting(0..<size.start), only: only),
      case .measured? = match.rule?.form, match.markEnd < line.byteCount,
      !(line.byte(at: match.markEnd) == .openBracket && ListStart.isStart(line, match.markEnd)),
      let string = Measured(line, match.markEnd),
      !(string.isCut && SentJSON.isList(line, match.markEnd))
    else { return nil }
    let before = message
    message.match = match
    message.shape = LogRules.shape(line.extracting(0..<match.markEnd))
    (message.length, message.extent) = (string.length, string.isCut ? .cut : .whole)
    var text = Scratch()
    var recognition = Recognition(.possible)
    var needs: FoundMessage.Needs = .conversation
    if string.isCut {
      // The beginning of a text does not show its dialect; only the messages around it do.
      text = string.beginning(line)
      // An object was sent as it is: no other text begins so.
      let isObject = text.bytes.starts(with: "{\"") || text.bytes.starts(with: "[{\"")
      if takesSentJSON && isObject { needs = [] }
    } else {
      guard let whole = string.read(line) else { return nil }
      text = whole
      recognition = recogniser.recognise(text.bytes, .text)
      if recognition.grade == .likely || isForced && recognition.grade != .none {
        needs = []
      } else if let sent = sentJSON(text.bytes) {
        (recognition, needs) = (sent, [])
      } else if !text.bytes.starts(with: "[{"), JSONScanner.isList(text.bytes, limits) {
        needs = []
      } else {
        guard let packet = recogniser.recognise(packet: text.bytes) else {
          // Its objects are looked for one by one: the length is that of all.
          if line.byte(at: match.markEnd) == .openBracket { message = before }
          return nil
        }
        recognition = packet
      }
    }
    var found = FoundMessage(
      text, recognition, string.isCut ? .abridged : .text, match.markEnd..<string.end)
    found.needs = needs
    return found
  }

  /// JSON that is a message only because its line says so. Its escapes are undone here: on the
  /// line, they are those of a string within a string.
  private func sentJSON(_ text: RawSpan) -> Recognition? {
    guard takesSentJSON, !text.isEmpty,
      text.byte(at: 0) == .openBrace || SentJSON.isList(text, 0)
    else { return nil }
    let found = recogniser.recognise(sent: text, .text)
    return found.grade == .none ? nil : found
  }
}
