// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapTraffic

/// Finds messages that stand on lines as lists, in any notation. It only returns what it finds.
/// Methods that change nothing are mutating all the same: otherwise what may be changed is copied
/// for each call.
struct CandidateFinder {
  let recogniser: any TextRecogniser
  var grader: MessageGrader
  private var literal: LiteralReader
  /// Lists without an end that are looked at on one line.
  private let mostOpen: Int
  /// The text is of a document of XML whose entities are replaced already.
  var isReplaced = false
  /// What a string in a string stands for, and a buffer for the next message that is made.
  private var (inner, spare) = (Scratch(), Scratch())

  init(_ recogniser: any TextRecogniser, _ limits: Limits, isForced: Bool) {
    (self.recogniser, mostOpen) = (recogniser, limits.openLists)
    grader = MessageGrader(recogniser: recogniser, limits: limits, isForced: isForced)
    literal = LiteralReader(maximumDepth: limits.nesting)
  }

  /// The message that begins at `start`. What is inside of a list that is no message is none
  /// either.
  mutating func find(_ line: LogLine, _ start: Int, _ facts: inout LineFacts) -> FoundList {
    let text = line.text
    // A form that the mark before the list says.
    switch facts.message.match?.rule?.form {
    case .measured? where facts.message.extent == nil:
      if let found = measured(text, start, &facts.message) { return FoundList(found) }
    case .clipped?:
      if let found = clipped(text, start, &facts.message) { return FoundList(found) }
    default: break
    }
    let depth = EscapedList.depth(text, start)
    if PrintedString.mayBegin(text, start),
      let found = element(text, start, &facts.message) ?? printed(text, start, &facts.message),
      depth == 0 || found.isWhole
    {
      return found
    }
    // What is escaped is no JSON as it stands.
    if depth > 0, let found = escaped(text, start, depth: depth, &facts.message) { return found }
    let foreign = line.first?.foreign
    let isForeign = foreign?.lowerBound == start
    let known = isForeign ? foreign : line.first?.list
    let whole = known?.lowerBound == start ? known!.upperBound : ListEnd.json(text, start)
    if let whole {
      if whole < text.byteCount, let found = enclosed(text, start, whole, &facts.message) {
        return found
      }
      if !isForeign,
        let recognition = grader.recognition(
          of: text.extracting(start..<whole), .text, text, start..<whole, &facts.message)
      {
        return .one(
          FoundMessage(.line(start..<whole), recognition, .text, start..<whole), end: whole)
      }
    }
    if let found = printed(text, start, &facts.message) ?? field(text, start, &facts.message)
      ?? recorded(text, start, &facts)
    {
      return found
    }
    if let found = literal(text, start, text, start..<start, &facts.message) ?? cut(
      text, start, whole, &facts.message)
      ?? unreadable(text, start, whole, &facts.message)
    {
      return FoundList(found)
    }
    if whole == nil {
      // A line of brackets would be searched to its end from each of them.
      facts.openLists += 1
      if facts.openLists >= mostOpen { return .none(end: text.byteCount, isOther: false) }
    }
    guard let whole else { return .none(end: start + 1, isOther: false) }
    if let found = unclaimed(text, start, facts.message) { return FoundList(found) }
    return .none(end: whole, isOther: grader.isOther(text, start..<whole, &facts.message))
  }

  /// A list in the text of a string, which may be in the text of another.
  private mutating func escaped(
    _ line: RawSpan, _ start: Int, depth: Int, _ message: inout MessageFacts
  ) -> FoundList? {
    var (text, within) = (lend(), Scratch())
    swap(&within, &inner)
    defer {
      within.removeAll()
      within.shrink(above: 1 << 20)
      swap(&within, &inner)
    }
    guard let list = EscapedList(line, start, depth: depth, into: &text, &within) else {
      giveBack(&text)
      return nil
    }
    if !list.isCut {
      // In a string of a language in that of a record, its escapes are escaped once more, unless
      // they are those of JSON alone.
      if list.end < line.byteCount, PrintedString.isQuote(line.byte(at: list.end)),
        let found = printed(line, start, &message), found.isWhole
      {
        return found
      }
      guard
        let recognition = grader.recognition(
          of: text.bytes, .text, line, start..<list.end, &message)
      else { return nil }
      return FoundList(FoundMessage(text, recognition, .text, start..<list.end))
    }
    guard let cut = CutMark.end(text.bytes, 0, isMarked: message.match != nil) else { return nil }
    let beginning = text.bytes.extracting(0..<cut)
    return abridged(beginning, start..<list.end, &message).map { FoundList($0) }
  }

  /// A list or an object as a value of the language that printed it.
  ///
  /// - Parameters:
  ///   - text: the line, or what a string on it stands for, with the list at `first`.
  ///   - range: what stands for it on the line; empty where that is the list itself.
  mutating func literal(
    _ text: RawSpan, _ first: Int, _ line: RawSpan, _ range: Range<Int>,
    _ message: inout MessageFacts
  ) -> FoundMessage? {
    if literal.json.capacity == 0 { literal.json = lend() }
    guard let last = literal.read(text, from: first) else { return nil }
    let place = range.lowerBound..<(range.isEmpty ? last : range.upperBound)
    let kind: Delivery.Kind = literal.isAbridged ? .abridged : .text
    let isReworded = kind == .text && literal.isChanged
    var json = Scratch()
    swap(&json, &literal.json)
    let known = grader.recognition(of: json.bytes, kind, line, place, &message)
    if known?.grade != .likely, let recognition = recognition(ofLua: json.bytes) {
      return FoundMessage(json, recognition, .abridged, place, end: last)
    }
    guard let recognition = known,
      kind == .text || mayLack(recognition, json.bytes, message)
    else {
      giveBack(&json)
      return nil
    }
    var found = FoundMessage(json, recognition, isReworded ? .abridged : kind, place, end: last)
    if literal.isTooDeep { found.traits.insert(.tooDeep) }
    if isReworded { found.traits.insert(.reworded) }
    if kind != .text && !literal.isElided { found.traits.insert(.unread) }
    return found
  }

  /// What a table of Lua is where it is no message as it stands: members that are nil are not in
  /// it.
  private mutating func recognition(ofLua json: RawSpan) -> Recognition? {
    guard literal.isOfLua, !literal.isAbridged, json.starts(with: "{") else { return nil }
    let found = recogniser.recognise(json, .abridged)
    return found.grade == .likely ? found : nil
  }

  /// Whether what was read may be a message although something of it is missing. A list needs a
  /// mark, or to be like nothing else. Of an object, the program says what it has left out, or
  /// prints a value in a notation of its own, `at: 1970-01-01T00:00:00.000Z`. What has names of a
  /// program, `received {id=1, body=Foo(x=1)}`, is none unless it is like nothing else and was
  /// sent.
  private func mayLack(
    _ recognition: Recognition, _ json: RawSpan, _ message: MessageFacts
  ) -> Bool {
    if json.starts(with: "{") {
      let isLikely = recognition.grade == .likely
      if literal.hasUnread && literal.isOfProgram { return isLikely && message.isSent }
      return (literal.isElided || literal.hasUnread) && (isLikely || message.isSent)
    }
    if let match = message.match, match.isOfDialect || CutList.hasElementBehindCode(json) {
      return true
    }
    // `[1, "P1Y", 1.year + 1.month]` is a list of a program.
    return recognition.grade == .likely
      && !(literal.hasUnread && recognition.sequence == 0
        && recognition.opens == 0 && recognition.answers == 0 && recognition.uses == 0)
  }

  /// A list that does not end on its line: the logger cut it there.
  private mutating func cut(
    _ line: RawSpan, _ start: Int, _ whole: Int?, _ message: inout MessageFacts
  ) -> FoundMessage? {
    guard whole == nil, let end = CutMark.end(line, start, isMarked: message.isOfMessages) else {
      return nil
    }
    return abridged(line.extracting(start..<end), start..<line.byteCount, &message)
  }

  /// The beginning of a list that was cut off.
  mutating func abridged(_ list: RawSpan, _ place: Range<Int>, _ message: inout MessageFacts)
    -> FoundMessage?
  {
    guard message.extent != .whole,
      let (json, recognition) = CutList.message(list, recogniser) ?? unknown(list, message),
      message.isOfMessages || recognition.grade == .likely,
      message.match?.isOfDialect == true || CutList.hasElementBehindCode(json.bytes)
    else { return nil }
    return FoundMessage(json, recognition, .abridged, place)
  }

  /// The beginning of a list of another protocol, which a program marks as sent.
  private func unknown(
    _ list: RawSpan, _ message: MessageFacts
  ) -> (json: Scratch, recognition: Recognition)? {
    guard let match = message.match, match.isCertain, !match.isOfDialect else { return nil }
    var json = Scratch()
    CutList.close(list, into: &json)
    return (json, Recognition(.possible))
  }

  /// A list that is no JSON at all, behind a mark that says what it should be.
  private mutating func unreadable(
    _ line: RawSpan, _ start: Int, _ whole: Int?, _ message: inout MessageFacts
  ) -> FoundMessage? {
    guard let whole, message.match?.isOfDialect == true,
      grader.isSaid(line, start..<whole, &message)
    else { return nil }
    return FoundMessage(.line(start..<whole), Recognition(.possible), .text, start..<whole)
  }

  /// A list in a string whose true length the line says.
  private mutating func measured(
    _ line: RawSpan, _ start: Int, _ message: inout MessageFacts
  ) -> FoundMessage? {
    guard let found = Measured(line, start) else { return nil }
    (message.length, message.extent) = (found.length, found.isCut ? .cut : .whole)
    guard let json = found.read(line) else { return nil }
    let kind: Delivery.Kind = found.isCut ? .abridged : .text
    var recognition = recogniser.recognise(json.bytes, kind)
    var needs: FoundMessage.Needs = []
    if recognition.grade == .none || recognition.isAnswerOnly {
      // A list of another protocol. If it is cut, only what is around it shows which.
      let sent = found.isCut ? Recognition.none : recogniser.recognise(sent: json.bytes, .text)
      if sent.grade != .none {
        recognition = sent
      } else if found.isCut && recognition.grade == .none {
        (recognition, needs) = (Recognition(.possible), .handshake)
      }
    }
    if recognition.grade == .none { return nil }
    var message = FoundMessage(json, recognition, kind, start..<found.end)
    message.needs = needs
    return message
  }

  /// A whole list that no dialect claims: how long it is says that it was sent.
  private func unclaimed(
    _ line: RawSpan, _ start: Int, _ message: MessageFacts
  ) -> FoundMessage? {
    guard case .measured? = message.match?.rule?.form, message.extent == .whole,
      let found = Measured(line, start), let json = found.read(line),
      JSONScanner.isList(json.bytes, grader.limits)
    else { return nil }
    return FoundMessage(json, Recognition(.possible), .text, start..<found.end)
  }

  /// A text whose first characters stand on the line, which says how long it is.
  private mutating func clipped(
    _ line: RawSpan, _ start: Int, _ message: inout MessageFacts
  ) -> FoundMessage? {
    let mark: StaticString = "..], byteCount="
    guard let dots = LogMarks.last(mark, in: line), dots > start else { return nil }
    var digits = DigitReader(line.dropping(dots + mark.utf8CodeUnitCount))
    message.length = digits.number(most: 9).map { Int($0.value) } ?? 0
    return abridged(line.extracting(start..<dots), start..<line.byteCount, &message)
  }

  /// A buffer for a message that is made; it is given back so that not each needs memory of its
  /// own.
  mutating func lend() -> Scratch {
    var text = Scratch()
    swap(&text, &spare)
    return text
  }

  mutating func giveBack(_ text: inout Scratch) {
    text.removeAll()
    text.shrink(above: 1 << 20)
    swap(&text, &spare)
  }

  /// Takes back the buffer of a message that was reported.
  mutating func giveBack(_ content: FoundMessage.Content) {
    guard case .made(var text) = content else { return }
    giveBack(&text)
  }
}
