// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Messages that a line prints by the names of their fields. Where each stands in a message is
/// known to the printing program, not to the line: see `FieldLayout`.
struct NamedFields {
  let layouts: FieldLayouts
  /// The only format that is asked; nil for all.
  let only: Int?

  init(_ printed: PrintedMessages = PrintedMessages(), only: Int?) {
    (layouts, self.only) = (FieldLayouts(printed), only)
  }

  /// The rule of a line that prints fields, and where they begin; nil when it prints none.
  func find(_ line: RawSpan) -> (match: LogMatch, start: Int)? {
    let octets = ASCIISet(line)
    for named in LogFormats.named
    where named.octets.isSubset(of: octets) && (only == nil || only == named.match.formatIndex) {
      guard let at = LogMarks.last(named.rule.mark, in: line) else { continue }
      var end = at + named.rule.mark.utf8CodeUnitCount
      switch named.rule.form {
      case .structure: if !line.contains("&{") { continue }
      case .bareStructure:
        guard let start = typeOfStructure(line, endingAt: at) else { continue }
        if case .bracketed = named.rule.session, RuleFacts.bracketed(line, before: start) == nil {
          continue
        }
        end = start
      case .keywords:
        // Some loggers print strings with their quotes.
        if end < line.byteCount && line.byte(at: end) == .quote { end += 1 }
        guard Self.hasKeywords(line, end) else { continue }
      case .model: if !PrintedModel.mayBegin(line, end) { continue }
      case .packet(_, let close, _, _) where close.utf8CodeUnitCount > 1:
        if LogMarks.last(close, in: line.dropping(end)) == nil { continue }
      case .frameLines: if FrameLines.command(line, end) == nil { continue }
      default: break
      }
      var match = named.match
      match.markEnd = end
      return (match, end)
    }
    return nil
  }

  /// The message as JSON, and whether something of it was not printed; nil when it is none that can
  /// be read.
  func read(
    _ line: RawSpan, _ match: LogMatch, _ start: Int
  ) -> (json: Scratch, isAbridged: Bool)? {
    switch match.rule?.form {
    case .keywords: keywords(line, start)
    case .model: Self.model(line, start)
    case .structure, .bareStructure: structure(line, start)
    case .elements: elements(line, start).map { ($0, false) }
    case .title: Self.isAlone(line, start) ? title(line, start).map { ($0, true) } : nil
    default: nil
    }
  }

  /// Whether a name and a parenthesis stand there.
  private static func hasKeywords(_ line: RawSpan, _ start: Int) -> Bool {
    var at = line.behind(start) { $0.isAlpha }
    if at == start { return false }
    if line.dropping(at).starts(with: " Message ") { at += " Message ".utf8.count }
    return at < line.byteCount && line.byte(at: at) == UInt8(ascii: "(")
  }

  /// `Subscribe(request=1, topic=com.example.onhello, match=None)`
  ///
  /// Or `SUBSCRIBE Message (request = 1, topic = com.example.onhello)`.
  private func keywords(
    _ line: RawSpan, _ start: Int
  ) -> (json: Scratch, isAbridged: Bool)? {
    guard let open = line.firstIndex(of: UInt8(ascii: "("), from: start) else { return nil }
    let words = line.extracting(start..<open)
    let name = line.extracting(start..<(words.firstIndex(of: .space) ?? words.byteCount) + start)
    guard
      let layout = layouts.named(words) ?? layouts.named(name)
    else { return nil }
    var fields: [FieldLayout.Field] = []
    var isAbridged = false
    var at = open + 1
    while let equals = line.firstIndex(of: UInt8(ascii: "="), from: at) {
      let nameEnd = line.beforeBlanks(equals, from: at)
      let name = line.extracting(at..<nameEnd)
      let start = line.behindSpace(equals + 1)
      var value = KeywordValue.read(line, start)
      // `-` stands for no payload.
      if name.equals("payload"), line.extracting(start..<value.end).equals("-") {
        (value.json, value.isAbridged) = ([], false)
      }
      if name.equals("payload"), !value.json.isEmpty {
        // Bytes in the place of arguments, in hex as far as they are printed.
        fields.append(FieldLayout.Field(name: Array("args".utf8), json: Array("[\"…\"]".utf8)))
        isAbridged = true
      } else if !value.json.isEmpty {
        fields.append(FieldLayout.Field(name: name.copied(), json: value.json))
      }
      if value.isAbridged { isAbridged = true }
      at = value.end
      guard at < line.byteCount, line.byte(at: at) == .comma else { break }
      at = line.behindSpace(at + 1)
    }
    return (layout.message(fields), isAbridged)
  }

  private static func model(_ line: RawSpan, _ start: Int) -> (json: Scratch, isAbridged: Bool)? {
    var model = PrintedModel()
    return model.read(line, start).map { ($0, model.isAbridged) }
  }

  /// Whether nothing follows the name but an address: `@5bd3c1c3`, `object at 0x7f…`.
  private static func isAlone(_ line: RawSpan, _ start: Int) -> Bool {
    var at = line.behind(start) { $0.isOfIdentifier }
    at = line.behindSpace(at)
    guard at < line.byteCount else { return true }
    return line.byte(at: at) == UInt8(ascii: "@") || line.dropping(at).starts(with: "object")
  }

  /// `io.crossbar.autobahn.wamp.messages.Hello@5bd3c1c3`, or `SUBSCRIBED`.
  private func title(_ line: RawSpan, _ start: Int) -> Scratch? {
    var (word, at) = (start, start)
    while at < line.byteCount {
      let byte = line.byte(at: at)
      if byte == .period { word = at + 1 } else if !byte.isOfIdentifier { break }
      at += 1
    }
    let name = line.extracting(word..<at)
    return layouts.named(name)?.title
  }

  /// `subscribe [1, {}, "com.example.onhello"]`
  private func elements(_ line: RawSpan, _ start: Int) -> Scratch? {
    let at = line.behind(start) { $0.isOfIdentifier }
    let name = line.extracting(start..<at)
    guard at + 1 < line.byteCount, line.byte(at: at) == .space,
      line.byte(at: at + 1) == .openBracket,
      let layout = layouts.named(name),
      let end = ListEnd.json(line, at + 1)
    else { return nil }
    return layout.message(elements: line.extracting(at + 2..<end - 1))
  }

  /// Where the type of a message begins that ends there.
  private func typeOfStructure(_ line: RawSpan, endingAt end: Int) -> Int? {
    let start = line.before(end) { $0.isOfIdentifier }
    return layouts.named(line.extracting(start..<end)).map { _ in start }
  }

  /// `SUBSCRIBE: &{Request:1 Options:map[] Topic:com.example.onhello}`, whose fields are in the
  /// order of the message, and are called as nexus calls them: any program in Go may print
  /// structures.
  private func structure(
    _ line: RawSpan, _ start: Int
  ) -> (json: Scratch, isAbridged: Bool)? {
    guard let brace = line.firstIndex(of: .openBrace, from: start), brace > start + 3,
      let colon = line.firstIndex(of: .colon, from: start), colon < brace,
      let layout = layouts.named(line.extracting(start..<colon))
    else { return nil }
    var reader = GoReader(line)
    guard let fields = reader.fields(brace + 1), layout.hasNames(of: fields) else { return nil }
    return (layout.message(inOrder: fields), reader.isAbridged)
  }
}
