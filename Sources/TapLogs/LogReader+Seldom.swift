// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Lines that are read for what `LogRareNotations` finds.
extension LogReader {
  /// Answers whether there is something on the line.
  mutating func readSeldom(_ line: RawSpan, _ origin: Origin, _ sink: any EvidenceSink) -> Bool {
    // It was told that the line stands there.
    told = line.byteCount
    defer { told = 0 }
    let none = line.extracting(0..<0)
    identify(line, above: none, origin)
    var page = LogFacts(origin: origin, first: nil, hasAnchor: true)
    clock.begin()
    if let (match, _) = NamedFields.find(line, only: place.choice.logFormat) {
      if match.form.seldom.isEmpty { return false }
      let outcome = readNamed(line, none, &page, sink)
      if outcome == .noMessage { tally.unread += 1 }
      return outcome != .other
    }
    guard rules.takesWords else { return false }
    if let (start, end, octets) = LogRareNotations.octets(line), isOfOctets(line, start, &page) {
      return read(octets, line, start, end, &page, sink)
    }
    if let (start, payload) = LogRareNotations.closing(line), mark(line, start, &page) {
      var sight = sight(Recognition(.possible), .binary, line, none, start, line.byteCount, &page)
      var frame = LoggedFrame(octets: payload, isCut: false)
      frame.opcode = 8
      control(frame, &sight, sink)
      return true
    }
    if let start = LogRareNotations.length(line), mark(line, start, &page) {
      tally.unread += 1
      return true
    }
    return false
  }

  /// Whether the words before an offset say who sends.
  private mutating func mark(_ line: RawSpan, _ start: Int, _ page: inout LogFacts) -> Bool {
    let prefix = line.extracting(0..<start)
    page.skeleton = LogRules.skeleton(prefix)
    page.match = rules.match(prefix, page.skeleton)
    if page.match == nil { askMembers(line, start, &page) }
    return page.match != nil
  }

  /// Whether the record around a string says that it stands for bytes.
  private mutating func isOfOctets(
    _ line: RawSpan, _ start: Int, _ page: inout LogFacts
  ) -> Bool {
    guard mark(line, start, &page) else { return false }
    return Self.members(line, start, &page) { $0.isOfOctets(line) }?.isOfOctets(line) ?? false
  }

  /// A message of bytes.
  private mutating func read(
    _ octets: Scratch, _ line: RawSpan, _ start: Int, _ end: Int, _ page: inout LogFacts,
    _ sink: any EvidenceSink
  ) -> Bool {
    var recognition = recogniser.recognise(octets.bytes, .binary)
    if recognition.grade == .none {
      let sight = sight(
        Recognition(.possible), .binary, line, line.extracting(0..<0), start, end, &page)
      guard talks.isKnown(sight) else {
        tally.unread += 1
        return true
      }
      recognition = Recognition(.possible)
    }
    take(octets.bytes, recognition, .binary, line, line.extracting(0..<0), start, end, &page, sink)
    return true
  }
}
