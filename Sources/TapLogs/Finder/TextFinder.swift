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
      // A path before an object may look like a namespace.
      let isNamespaced = bracket > first && line.byte(at: bracket - 1) == .comma
      if isNamespaced && line.byte(at: bracket) == .openBrace && !isForced {
        found.needs.insert(.mark)
      }
      if recognition.grade != .likely && !isForced { found.needs.insert(.conversation) }
      return (found, at)
    }
    return withoutData(line, from: start)
  }

  /// A packet without data that ends the line: a path before a comma may look like it.
  private func withoutData(
    _ line: RawSpan, from start: Int
  ) -> (found: FoundMessage, inside: Int)? {
    guard let comma = line.lastUnspaced, comma >= start, line.byte(at: comma) == .comma,
      let first = packets.before(line, comma: comma, from: start),
      let recognition = recognise(line.extracting(first..<comma + 1))
    else { return nil }
    var found = FoundMessage(.line(first..<comma + 1), recognition, .text, first..<comma + 1)
    found.needs = [.mark, .conversation]
    return (found, comma + 1)
  }

  private static func isLast(_ line: RawSpan, _ text: Range<Int>) -> Bool {
    if text.lowerBound > 0, line.byte(at: text.lowerBound - 1) == UInt8(ascii: "=") { return false }
    if RecordSeparator.count(line, at: text.upperBound) > 0 { return true }
    return (text.upperBound..<line.byteCount).allSatisfy {
      line.byte(at: $0).isJSONSpace || PrintedString.isQuote(line.byte(at: $0))
        || line.byte(at: $0) == UInt8(ascii: ")")
    }
  }

  /// All packets of the body that a packet is of, in which separators stand between them; nil where
  /// it stands alone. There, any of them is a packet, also a lone digit.
  ///
  /// - Parameter begin: behind the message before it.
  func body(_ line: RawSpan, around found: FoundMessage, from begin: Int) -> [FoundMessage]? {
    var at = found.place.lowerBound
    var separator = RecordSeparator.count(line, before: at)
    if separator == 0 && RecordSeparator.count(line, at: found.end) == 0 { return nil }
    while separator > 0 && at - separator > begin {
      at = line.before(at - separator, from: begin) { $0.isOfBarePacket }
      separator = RecordSeparator.count(line, before: at)
    }
    var packets: [FoundMessage] = []
    while true {
      guard let end = at == found.place.lowerBound ? found.end : Self.end(line, ofPacketAt: at)
      else { return packets }
      let text = line.extracting(at..<end)
      if at == found.place.lowerBound {
        packets.append(found)
      } else if let recognition = recognise(text) {
        packets.append(FoundMessage(.line(at..<end), recognition, .text, at..<end))
      }
      let count = RecordSeparator.count(line, at: end)
      if count == 0 { return packets }
      at = end + count
    }
  }

  /// How well a text matches that is known to be a packet.
  private func recognise(_ packet: RawSpan) -> Recognition? {
    let found = recogniser.recognise(packet, .text)
    return found.grade == .likely ? found : recogniser.recognise(packet: packet)
  }

  /// Where a packet of a body ends; nil where its JSON does not end on the line.
  private static func end(_ line: RawSpan, ofPacketAt start: Int) -> Int? {
    var at = start
    while at < line.byteCount, line.byte(at: at).isOfBarePacket,
      RecordSeparator.count(line, at: at) == 0
    { at += 1 }
    let isJSON =
      at < line.byteCount && (line.byte(at: at) == .openBracket || line.byte(at: at) == .openBrace)
    return isJSON ? ListEnd.json(line, at) : at
  }

  /// A frame whose lines stand below each other, or in a string.
  func frame(_ line: RawSpan) -> FoundMessage? {
    guard let frame = PrintedFrame(in: line) else { return nil }
    let kind: Delivery.Kind = UTF8.firstInvalid(in: frame.bytes.bytes) == nil ? .text : .binary
    let found = recogniser.recognise(frame.bytes.bytes, kind)
    return found.grade == .likely
      ? FoundMessage(frame.bytes, found, kind, frame.start..<frame.end) : nil
  }

  /// A string whose length the line says, and in it something else than a list, or one of objects,
  /// such as a batch of JSON-RPC: what the cut leaves of these is no object that was sent.
  func measured(
    _ line: RawSpan, _ size: Measured.Size, _ message: inout MessageFacts
  ) -> FoundMessage? {
    guard !size.isContinued,
      let match = LogMarks.all.find(line.extracting(0..<size.start), only: only),
      case .measured? = match.rule?.form, match.markEnd < line.byteCount
    else { return nil }
    let start = match.markEnd
    let isList = line.byte(at: start) == .openBracket && ListStart.isStart(line, start)
    guard !isList || ListEnd.json(line, start) == nil, let string = Measured(line, start),
      !string.isCut || !isList && !SentJSON.isList(line, start)
    else { return nil }
    let (before, place) = (message, start..<string.end)
    message.match = match
    message.shape = LogRules.shape(line.extracting(0..<start))
    (message.length, message.extent) = (string.length, string.isCut ? .cut : .whole)
    if string.isCut {
      return FoundMessage(
        beginning: string.content(line) ?? Scratch(), place, takesSentJSON: takesSentJSON)
    }
    guard let text = string.content(line), !isList || !JSONScanner.isList(text.bytes, limits) else {
      message = before
      return nil
    }
    var found = FoundMessage(text, recogniser.recognise(text.bytes, .text), .text, place)
    let grade = found.recognition.grade
    if grade == .likely || isForced && grade != .none { return found }
    if let sent = sentJSON(text.bytes) {
      found.recognition = sent
    } else if text.bytes.starts(with: "[{") {
      // Its objects are looked for one by one: the length is that of all.
      message = before
      return nil
    } else if !JSONScanner.isList(text.bytes, limits) {
      // A whole text; that it is a message, only those around it show.
      found.recognition = recogniser.recognise(packet: text.bytes) ?? Recognition(.possible)
      found.needs = .conversation
    }
    return found
  }

  /// A message that stands as a dump below the number of its bytes; nil where that is none, or not
  /// all of it.
  func dumped(_ line: RawSpan, _ start: Int) -> FoundMessage? {
    guard let dump = LoggedDump(line, start), dump.isWhole else { return nil }
    let isText = UTF8.firstInvalid(in: dump.octets.bytes) == nil
    var found = recogniser.recognise(dump.octets.bytes, isText ? .text : .binary)
    if found.grade == .none {
      guard isText, let sent = sentJSON(dump.octets.bytes) else { return nil }
      found = sent
    }
    return FoundMessage(dump.octets, found, isText ? .text : .binary, start..<line.byteCount)
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

extension UInt8 {
  /// Whether a packet contains it that has no JSON, or has it before its JSON.
  fileprivate var isOfBarePacket: Bool {
    self > 0x20 && !PrintedString.isQuote(self) && self != .openBracket && self != .openBrace
  }
}
