// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence
internal import TapTraffic

/// What stands in the place of a message and is none: malformed, which is worth more than silence.
/// Nothing but what stands around it can tell it from lists of other protocols.
extension LogReader {
  /// How much a text is like a message, where it may be one that is malformed.
  ///
  /// - Parameter range: what stands for it on the line.
  mutating func recognition(
    of text: RawSpan, _ kind: Delivery.Kind, _ line: RawSpan, _ range: Range<Int>,
    _ page: inout LogFacts, _ sink: any EvidenceSink
  ) -> Recognition? {
    // It changes nothing: of what may be changed, nothing has to be copied for the call.
    var recognition = recogniser.recognise(text, kind)
    if recognition.grade != .none { return recognition }
    guard kind == .text else { return nil }
    if isSaid(line, range, page) {
      guard JSONScanner.isList(text, limits) else { return nil }
    } else {
      let isCertain = page.match != nil && recognition.isCertainlyMalformed
      guard recognition.isMalformed, isCertain || score.knows(page.skeleton),
        isAlone(line, range, page)
      else { return nil }
    }
    recognition.grade = .possible
    return recognition
  }

  /// Whether the line says itself that what stands there is a message of a dialect we read, or
  /// somebody has said it of all.
  private func isSaid(_ line: RawSpan, _ range: Range<Int>, _ page: LogFacts) -> Bool {
    // Behind the first list, the mark speaks of nothing any more.
    if let match = page.match, match.isOfDialect { return page.begin <= match.markEnd }
    return place.choice.isForced && isAlone(line, range, page)
  }

  /// Whether the line has hardly anything but the message: nothing follows it, and what is before
  /// it says who sends, or is nothing.
  private func isAlone(_ line: RawSpan, _ range: Range<Int>, _ page: LogFacts) -> Bool {
    guard page.begin == 0, page.match != nil || range.lowerBound == 0 else { return false }
    return (range.upperBound..<line.byteCount).allSatisfy {
      switch line.byte(at: $0) {
      case 0x20, 0x09, 0x0A, 0x0D, 0x22, 0x27, 0x5C, 0x29, 0x7D: true
      default: false
      }
    }
  }

  /// What stands before a list of numbers that is no message.
  mutating func note(strange skeleton: UInt64) { score.note(strange: skeleton) }

  /// Whether a list of numbers is in something else that the line says was sent as it stands there:
  /// `< TEXT '{"type":"cursor","pos":[33,1,5]}'`.
  @inline(__always)
  func isInPayload(_ line: RawSpan, _ start: Int, _ page: LogFacts) -> Bool {
    guard let match = page.match, let row = match.row, !match.form.isWrapping,
      match.markEnd < start, row.isOfPayloads
    else { return false }
    return Self.hasBracket(line.extracting(match.markEnd..<start))
  }

  @inline(never)
  private static func hasBracket(_ prefix: RawSpan) -> Bool {
    let text = prefix.extracting(0..<LogWrapping.start(prefix))
    return text.firstIndex(of: 0x7B) != nil || text.firstIndex(of: 0x5B) != nil
  }

  /// Whether a list that is no message is worth counting: it stands where one could.
  func isOther(
    _ line: RawSpan, _ range: Range<Int>, _ page: LogFacts, _ sink: any EvidenceSink
  ) -> Bool {
    guard isAlone(line, range, page) else { return false }
    guard let end = LogNumbers.end(line, range.lowerBound) else { return true }
    return !LogNumbers.areNone(line.extracting(range.lowerBound..<end), recogniser)
  }

  /// What is no JSON at all behind a mark that says what it should be; answers the offset behind
  /// it.
  mutating func unreadable(
    _ line: RawSpan, _ before: RawSpan, _ start: Int, _ whole: Int?, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Int? {
    guard let whole, page.match?.isOfDialect == true, isSaid(line, start..<whole, page) else {
      return nil
    }
    take(
      line.extracting(start..<whole), Recognition(.possible), .text, line, before, start, whole,
      &page, sink)
    return whole
  }

  /// A line that a known program marks as one with a message, of which nothing can be read: its
  /// conversation is not whole.
  ///
  /// - Returns: whether it is one.
  mutating func tellUnread(
    _ line: RawSpan, _ before: RawSpan, _ origin: Origin, _ sink: any EvidenceSink
  ) -> Bool {
    guard let match = unreadMatch(line) else { return false }
    var page = LogFacts(origin: origin, first: nil, hasAnchor: true)
    page.match = match
    if isPrintedElsewhere(page) { return false }
    endRepeated(sink)
    context(line: line, origin, sink)
    tally.hasMessages = true
    var sight = sight(
      Recognition(.possible), .text, line, before, match.markEnd, line.byteCount, &page)
    if talks.find(&sight) { sink.gap(nil, Delivery(sight.origin)) }
    let mark = match.markEnd - (match.row?.mark.utf8CodeUnitCount ?? 0)
    let words = line.dropping(mark).copied().prefix { $0 != 0x0A }.prefix(100)
    sink.finding(
      Finding(
        .logUnread, .warning, sight.origin,
        "\(match.form.title) marks a message here that is not understood:"
          + " \(String(decoding: words, as: Unicode.UTF8.self))"))
    return true
  }

  private func unreadMatch(_ line: RawSpan) -> LogMatch? {
    let only = place.choice.logFormat
    if let (match, _) = NamedFields.find(line, only: only), case .keywords? = match.row?.form {
      return match
    }
    guard let match = LogMarks.all.find(line, only: only), match.isOfDialect else { return nil }
    // Of what is printed in several parts, this one may be without a message.
    let hasWords = (match.markEnd..<line.byteCount).contains {
      LiteralReader.isWord(line.byte(at: $0))
    }
    return hasWords || match.row?.isBelow == true ? match : nil
  }

  /// Whether this line has told the same message already.
  func isCopy(_ bytes: RawSpan, _ line: RawSpan, _ start: Int, _ page: LogFacts) -> Bool {
    copies.has(bytes, on: page.origin.record, line, start)
  }

  /// Keeps a message that may come once more on its line.
  mutating func remember(_ bytes: RawSpan, _ line: RawSpan, _ end: Int, _ page: LogFacts) {
    guard line.byteCount - end > 8, line.firstIndex(of: 0x5B, from: end) != nil else { return }
    copies.add(bytes, on: page.origin.record, end)
  }

  /// Whether a list stands right behind such a mark, so that nothing else need be looked for.
  mutating func hasListBehindMark(_ line: RawSpan, _ page: inout LogFacts) -> Bool {
    guard let start = page.list?.lowerBound ?? ListStart.next(line, from: 0) else { return false }
    let prefix = line.extracting(0..<start)
    let skeleton = page.skeleton(line, 0..<start)
    let match = rules.match(prefix, skeleton)
    page.first = (start, skeleton, match)
    guard let match, match.isOfDialect else { return false }
    return (match.markEnd..<start).allSatisfy { isJSONSpace(line.byte(at: $0)) }
  }

  /// The list behind such a mark that does not begin with a number and a comma, as messages do.
  func start(behindMarkOf line: RawSpan) -> Int? {
    guard let match = LogMarks.all.find(line, only: place.choice.logFormat), match.isOfDialect
    else { return nil }
    var at = match.markEnd
    // In a list of Node, the mark is a string before it.
    while at < line.byteCount, isBetween(line.byte(at: at)) { at += 1 }
    return at < line.byteCount && line.byte(at: at) == 0x5B ? at : nil
  }

  private func isBetween(_ byte: UInt8) -> Bool {
    isJSONSpace(byte) || byte == 0x27 || byte == 0x2C
  }
}

extension LogMatch {
  /// What stands behind the mark is of a dialect, whatever it looks like.
  var isOfDialect: Bool { (row?.dialect.utf8CodeUnitCount ?? 0) > 0 }
}
