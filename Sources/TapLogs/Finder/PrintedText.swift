// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Texts that programs printed into the strings of a record, or else into fields of a table, as far
/// as they may hold a message that is no list.
struct PrintedText {
  private var strings: RecordString.Strings?
  private var fields = CSVField.Fields()
  /// The line begins as a record of JSON does, or is a string of it.
  private let isOfJSON: Bool

  private let leads: LogLeads
  /// A bit for each byte of the line at which something that is looked for may begin.
  private var places: ContiguousArray<UInt64> = []

  init(_ line: RawSpan, _ leads: LogLeads) {
    let element = RecordString.element(line)
    (self.leads, isOfJSON) = (leads, element != nil || line.starts(with: "{\""))
    strings =
      element ?? RecordString.fields(line) ?? RecordString.member(line)
      ?? line.firstIndex(of: .openBrace).map {
        RecordString.Strings(from: $0, isOfPython: line.dropping($0).starts(with: "{'"))
      }
    if strings != nil { leads.triples.find(in: line, places: &places) }
  }

  /// The next text, the anchors in it, and its place from its first quotation mark on.
  ///
  /// - Parameter mayBeField: those before it were no messages.
  mutating func next(
    _ line: RawSpan, mayBeField: Bool
  ) -> (text: Scratch, anchors: LogAnchors, range: Range<Int>)? {
    while let string = strings?.next(line) {
      let isPlain = string.isPlain(line)
      if isOfJSON && !string.mayBeJSON(line, isPlain: isPlain) {
        // A template put the text between quotation marks as it was.
        strings = nil
        return nil
      }
      // Most hold nothing.
      if isPlain && !hasPlace(in: string.open..<string.close) { continue }
      guard let text = string.text(line) else { continue }
      if let anchors = anchors(on: text.bytes) ?? (isPayload(string, line) ? .sent : nil) {
        return (text, anchors, string.open..<string.close)
      }
    }
    if strings != nil {
      if !mayBeField { return nil }
      strings = nil
    }
    while let (text, range) = fields.next(line) {
      if let anchors = anchors(on: text.bytes) { return (text, anchors, range) }
    }
    return nil
  }

  /// The name of the member of an event of the Chrome DevTools Protocol that has what a page sent
  /// or received: `Network.webSocketFrameSent`.
  static let payload: StaticString = "payloadData"

  /// Whether a string is the value of such a member, and may be an object.
  private func isPayload(_ string: RecordString, _ line: RawSpan) -> Bool {
    guard string.content(line).starts(with: "{") else { return false }
    let end = line.before(string.open) { [.space, .colon].contains($0) }
    let start = end - 1 - Self.payload.utf8CodeUnitCount
    return start > 0 && line.dropping(start).starts(with: Self.payload)
  }

  /// Whether something may stand in a part of the line.
  private func hasPlace(in range: Range<Int>) -> Bool {
    var block = range.lowerBound / 64
    var after = UInt64.max << UInt64(range.lowerBound % 64)
    while block * 64 < range.upperBound {
      let end = range.upperBound - block * 64
      let before = end < 64 ? UInt64(1) << UInt64(end) - 1 : .max
      if places[block] & after & before != 0 { return true }
      (block, after) = (block + 1, .max)
    }
    return false
  }

  /// The anchors in a text; `.program` where something else shows that it may hold a message; nil
  /// where nothing does.
  private func anchors(on text: RawSpan) -> LogAnchors? {
    let found = leads.survey(text).anchors
    if !found.isEmpty { return found }
    let mayHoldMessage =
      LogFormats.hasFrame(text) || leads.packets.next(text, from: 0) != nil
      || leads.objects.areAll && text.firstIndex(of: .openBrace) != nil
      // A frame ends so.
      || text.firstIndex(of: 0) != nil
    return mayHoldMessage ? .program : nil
  }

  /// Whether a line may be a record, a list of records, or of a table: its first string is in no
  /// other list.
  static func mayBegin(_ line: RawSpan) -> Bool {
    if line.starts(with: "[{\"") { return true }
    let first = line.firstIndex(ofAny: 0x2227_2227_2227_2227, from: 0)
    if first > 0, first < line.byteCount, line.byte(at: first - 1) == UInt8(ascii: "=") {
      return RecordString.fields(line) != nil
    }
    guard let quote = line.firstIndex(of: .quote) else { return false }
    if quote == line.behindSpace(0) { return true }
    switch line.byte(at: quote - 1) {
    case .openBrace, .comma, UInt8(ascii: ";"), .tab, UInt8(ascii: "|"):
      return !isInList(line, quote)
    default: return false
    }
  }

  /// Whether a list that begins before an offset has not ended there; `[Router 16741]` has.
  private static func isInList(_ line: RawSpan, _ end: Int) -> Bool {
    guard let first = line.firstIndex(of: .openBracket), first < end else { return false }
    var depth = 0
    for at in first..<end {
      switch line.byte(at: at) {
      case .openBracket: depth += 1
      case .closeBracket: depth -= 1
      default: break
      }
    }
    return depth > 0
  }
}
