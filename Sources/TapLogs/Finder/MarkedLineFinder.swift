// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Finds what stands on lines whose mark says in what form: fields by their names, frames, packets,
/// octets.
struct MarkedLineFinder {
  let recogniser: any TextRecogniser
  let named: NamedFields
  let limits: Limits

  /// - Parameter start: behind the mark of the rule that the line follows.
  func find(_ line: RawSpan, _ start: Int, _ facts: inout LineFacts) -> FoundLine {
    guard let match = facts.message.match, let rule = match.rule else { return .other }
    switch rule.form {
    case .ignored, .ignoredBefore: return .nothing
    case .aside: return .aside
    case .loss: return .loss
    case .subprotocol: return .subprotocols
    case .request: return .request
    case .ended: return .ended
    case .block(let opcode): return block(line, start, opcode)
    case .dump:
      guard let dump = LoggedDump(line, start) else { return .nothing }
      if dump.isText { return .dots }
      return .stream(dump.octets, at: start, missing: dump.length - dump.octets.count)
    case .frame(let notation):
      return LoggedFrame.find(line, start, notation).map { .frame($0) } ?? .other
    case .octets:
      return LoggedOctets.find(line, start, isLayer: match.format.traits.contains(.layered)).map {
        .stream($0.octets, at: $0.at, missing: 0)
      } ?? .other
    case .packet(let heads, let close, let words, let cut):
      if Self.isCut(line.dropping(start), before: close, cut) { return .unread(at: start) }
      let packet = PrintedPacket(line, start, heads, until: close, behind: words, limits)
      // The text before the packet has the id of the session, or the text behind it. That it is a
      // secret is known only after OPEN, so it is not shown around a packet that is read.
      if let packet, rule.namesSecrets {
        facts.reported = packet.place.lowerBound
        if case .secretBehind = rule.writer { facts.reported = line.byteCount }
      }
      return packet?.found(rule, recogniser) ?? .other
    case .pieces: return found(PrintedFrame(pieces: line, start), start, rule)
    case .frameLines: return found(PrintedFrame(lines: line, start), start, rule)
    case .frameParts: return found(PrintedFrame(parts: line, start), start, rule)
    default: return fields(line, match, start)
    }
  }

  /// Whether what ends before `close` ends with the words of a program that has cut it.
  private static func isCut(
    _ text: RawSpan, before close: StaticString, _ cut: StaticString
  ) -> Bool {
    guard cut.utf8CodeUnitCount > 0, let end = LogMarks.last(close, in: text),
      let at = LogMarks.last(cut, in: text)
    else { return false }
    return at + cut.utf8CodeUnitCount == end
  }

  /// What marks a line as one with a message, where nothing of it can be read; nil for other lines.
  func unreadMark(_ line: RawSpan) -> LogMatch? {
    let other = named.find(line)?.match
    if case .keywords? = other?.rule?.form { return other }
    guard let match = LogMarks.all.find(line, only: named.only) else { return nil }
    // Not where another rule of the program has read the line.
    if match.rule?.isClipped == true && other?.formatIndex != match.formatIndex { return match }
    if !match.isOfDialect { return nil }
    // A program may print its line in several parts, and this one may have no message.
    let hasWords = (match.markEnd..<line.byteCount).contains {
      line.byte(at: $0).isOfIdentifier
    }
    return hasWords || match.rule?.placement.contains(.below) == true ? match : nil
  }

  /// The message on the lines below a mark, which says that it is one, whatever it looks like.
  private func block(_ line: RawSpan, _ start: Int, _ opcode: Opcode) -> FoundLine {
    // Without flow details, mitmdump prints nothing below.
    if line.firstIndex(of: .lineFeed) == nil { return .nothing }
    guard let block = LoggedBlock(line, opcode) else { return .unread(at: start) }
    if block.isCut { return .cut(LoggedFrame(beginning: block.octets)) }
    let kind: Delivery.Kind = opcode == .text ? .text : .binary
    var recognition = recogniser.recognise(block.octets.bytes, kind)
    if recognition.grade == .none || recognition.isAnswerOnly {
      recognition = Recognition(.possible)
    }
    return .message(FoundMessage(block.octets, recognition, kind, start..<line.byteCount))
  }

  /// A frame of text in the notation of a program.
  private func found(_ frame: PrintedFrame?, _ start: Int, _ rule: LogRule) -> FoundLine {
    guard let frame else { return .other }
    let kind: Delivery.Kind = UTF8.firstInvalid(in: frame.bytes.bytes) == nil ? .text : .binary
    var recognition = recogniser.recognise(frame.bytes.bytes, as: rule.dialect.description)
    if recognition.grade == .none { recognition.grade = .possible }
    return .message(FoundMessage(frame.bytes, recognition, kind, start..<frame.end))
  }

  private func fields(_ line: RawSpan, _ match: LogMatch, _ start: Int) -> FoundLine {
    // A list among keywords is a value of one.
    let unread: FoundLine = if case .keywords? = match.rule?.form { .nothing } else { .other }
    guard let (json, isAbridged) = named.read(line, match, start) else { return unread }
    let kind: Delivery.Kind = isAbridged ? .abridged : .text
    let recognition = recogniser.recognise(json.bytes, kind)
    if recognition.grade == .none { return unread }
    return .message(FoundMessage(json, recognition, kind, start..<line.byteCount))
  }
}
