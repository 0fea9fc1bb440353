// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The forms in which messages stand on lines.
extension LogReader {
  /// Where a list ends that was looked at, and whether it is a message.
  typealias List = (end: Int, isMessage: Bool)

  /// Takes the message that begins at `start`. What is inside of a list that is no message is none
  /// either.
  mutating func extract(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> List {
    if let end = marked(line, before, start, &page, sink) { return (end, true) }
    if PrintedString.mayBegin(line, start), let end = printed(line, before, start, &page, sink) {
      return (end, true)
    }
    // What is escaped is no JSON as it stands.
    if let list = escaped(line, before, start, &page, sink) { return list }
    let isForeign = page.foreign?.lowerBound == start
    let known = isForeign ? page.foreign : page.list
    let whole = known?.lowerBound == start ? known!.upperBound : ListEnd.json(line, start)
    if let whole {
      if whole < line.byteCount, let end = enclosed(line, before, start, whole, &page, sink) {
        return (end, true)
      }
      let list = line.extracting(start..<whole)
      if !isForeign,
        let recognition = recognition(of: list, .text, line, start..<whole, &page, sink)
      {
        take(list, recognition, .text, line, before, start, whole, &page, sink)
        return (whole, true)
      }
    }
    if let end = printed(line, before, start, &page, sink) ?? field(
      line, before, start, &page, sink)
      ?? recorded(line, before, start, &page, sink)
      ?? literal(line, start, line, before, start..<start, &page, sink)
      ?? cut(line, before, start, whole, &page, sink)
      ?? unreadable(line, before, start, whole, &page, sink)
    {
      return (end, true)
    }
    if whole == nil {
      // A line of brackets would be searched to its end from each of them.
      page.open += 1
      if page.open >= limits.openLists { return (line.byteCount, false) }
    }
    if let whole, isOther(line, start..<whole, page, sink) {
      tally.note(otherOn: page.origin.record)
      score.note(strange: page.skeleton)
    }
    return (whole ?? start + 1, false)
  }

  /// A form that the mark before the list says.
  private mutating func marked(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    switch page.match?.row?.form {
    case .measured? where !page.isMeasured: measured(line, before, start, &page, sink)
    case .clipped?: clipped(line, before, start, &page, sink)
    default: nil
    }
  }

  /// In the text of a string, which may be in the text of another.
  mutating func escaped(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> List? {
    let depth = EscapedList.depth(line, start)
    if depth == 0 { return nil }
    var (text, inner) = lendUnquoted()
    defer { takeBack(&text, &inner) }
    guard let list = EscapedList(line, start, depth: depth, into: &text, &inner) else {
      return nil
    }
    if !list.isCut {
      // In a string of a language in that of a record, its escapes are escaped once more.
      if list.end < line.byteCount, PrintedString.isQuote(line.byte(at: list.end)),
        let end = printed(line, before, start, &page, sink)
      {
        return (end, true)
      }
      guard
        let recognition = recognition(of: text.bytes, .text, line, start..<list.end, &page, sink)
      else { return nil }
      take(text.bytes, recognition, .text, line, before, start, list.end, &page, sink)
      return (list.end, true)
    }
    guard let cut = CutMark.end(text.bytes, 0, isMarked: page.match != nil) else { return nil }
    let beginning = text.bytes.extracting(0..<cut)
    return abridged(beginning, line, before, start, list.end, &page, sink).map { ($0, true) }
  }

  /// Two buffers, which are given back so that they need not be made for each string.
  private mutating func lendUnquoted() -> (Scratch, Scratch) {
    var (text, inner) = (Scratch(), Scratch())
    swap(&text, &unquoted)
    swap(&inner, &unquotedTwice)
    return (text, inner)
  }

  private mutating func takeBack(_ text: inout Scratch, _ inner: inout Scratch) {
    text.removeAll()
    text.shrink(above: 1 << 20)
    inner.removeAll()
    inner.shrink(above: 1 << 20)
    swap(&text, &unquoted)
    swap(&inner, &unquotedTwice)
  }

  /// As a value of the language that printed it.
  ///
  /// - Parameters:
  ///   - text: the line, or what a string on it stands for, with the list at `first`.
  ///   - range: what stands for it on the line; empty where that is the list itself.
  mutating func literal(
    _ text: RawSpan, _ first: Int, _ line: RawSpan, _ before: RawSpan, _ range: Range<Int>,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Int? {
    var reader = LiteralReader(maximumDepth: 0)
    swap(&reader, &literal)
    defer { swap(&reader, &literal) }
    guard let last = reader.read(text, from: first) else { return nil }
    let end = range.isEmpty ? last : range.upperBound
    let kind: Delivery.Kind = reader.isAbridged ? .abridged : .text
    // What lacks something needs a mark, or to be like nothing else.
    guard
      let recognition = recognition(
        of: reader.json.bytes, kind, line, range.lowerBound..<end, &page, sink),
      kind == .text || recognition.grade == .likely
        || page.match != nil && (page.match?.isOfDialect == true || reader.hasID)
    else { return nil }
    (page.isTooDeep, page.isUnread) = (reader.isTooDeep, kind != .text && !reader.isElided)
    page.isReworded = kind == .text && reader.isChanged
    take(
      reader.json.bytes, recognition, page.isReworded ? .abridged : kind, line, before,
      range.lowerBound, end, &page, sink)
    (page.isReworded, page.isTooDeep, page.isUnread) = (false, false, false)
    return last
  }

  /// A list that does not end on its line: the logger cut it there.
  mutating func cut(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ whole: Int?, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    guard whole == nil, let end = CutMark.end(line, start, isMarked: isOfMessages(page)) else {
      return nil
    }
    let list = line.extracting(start..<end)
    return abridged(list, line, before, start, line.byteCount, &page, sink)
  }

  /// Whether the words before a list are those of messages, or messages stood behind them before.
  private func isOfMessages(_ page: LogFacts) -> Bool {
    page.match != nil || score.knows(page.skeleton)
  }

  /// The beginning of a list, of which the rest was cut off.
  mutating func abridged(
    _ list: RawSpan, _ line: RawSpan, _ before: RawSpan, _ start: Int, _ end: Int,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Int? {
    var json = Scratch()
    CutList.close(list, into: &json)
    var recognition = recogniser.recognise(json.bytes, .abridged)
    if recognition.grade == .none {
      // All its elements may be there.
      json.removeAll()
      CutList.close(list, into: &json, isFull: true)
      recognition = recogniser.recognise(json.bytes, .abridged)
    }
    guard recognition.grade != .none, isOfMessages(page) || recognition.grade == .likely else {
      return nil
    }
    take(json.bytes, recognition, .abridged, line, before, start, end, &page, sink)
    return end
  }

  /// In a string whose true length the line says.
  mutating func measured(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    guard let found = Measured(line, start) else { return nil }
    page.isMeasured = true
    page.length = found.length
    var json = Scratch()
    guard found.read(line, into: &json) else { return nil }
    let kind: Delivery.Kind = found.isCut ? .abridged : .text
    let recognition = recogniser.recognise(json.bytes, kind)
    if recognition.grade == .none { return nil }
    take(json.bytes, recognition, kind, line, before, start, found.end, &page, sink)
    return found.end
  }

  /// Whether a line that a list has begun on goes on in the next: of a marked line its format
  /// knows, of any other what is there has to look like a message.
  mutating func mayGoOn(_ line: RawSpan, _ start: Int, _ sink: any EvidenceSink) -> Bool {
    // A string ends on its line.
    if EscapedList.depth(line, start) > 0 { return false }
    let prefix = line.extracting(0..<start)
    if let row = rules.match(prefix, LogRules.skeleton(prefix))?.row {
      if case .value = row.form { return row.isBelow }
      return false
    }
    var json = Scratch()
    let list = line.dropping(start)
    // What is before the first string or tuple of Python is JSON.
    let count = min(
      list.firstIndex(of: 0x27) ?? list.byteCount, list.firstIndex(of: 0x28) ?? list.byteCount)
    CutList.close(list.extracting(0..<count), into: &json, isFull: true)
    return recogniser.recognise(json.bytes, .abridged).grade != .none
  }

  /// Whether a line without a list says that one comes below it.
  ///
  /// - Parameter hasAnchor: without one, words on the line are those of no known program.
  func isBelow(_ line: RawSpan, hasAnchor: Bool) -> Bool {
    if hasAnchor, let (match, _) = NamedFields.find(line, only: place.choice.logFormat),
      match.row?.isBelow == false, frameStart(line) == nil
    {
      return false
    }
    if isBlock(line) || frameStart(line) != nil { return true }
    let last = (0..<line.byteCount).last { !isJSONSpace(line.byte(at: $0)) }
    if let last, line.byte(at: last) == 0x5B { return true }
    return LogFormats.marksAbove.contains { LogMarks.last($0, in: line) != nil }
  }
}
