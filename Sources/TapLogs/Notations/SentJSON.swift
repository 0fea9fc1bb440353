// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// JSON behind words that say that it was sent: `Sending message: {"type":…}`. Where no such words
/// stand, an object of a log is a record. Lists that begin with a number are looked for anywhere;
/// here are those of other protocols, `["1","2","room:lobby","phx_join",{}]`.
enum SentJSON {
  /// What may stand between such words and the brace, which may be on the line below them.
  static let before = Array(" \t\n:='\"`<>-".utf8) + signs
  /// What maps of Erlang and Elixir have before their brace.
  static let signs = Array("#%".utf8)
  /// What those lists begin with, behind their bracket: a string, or null.
  static let elements: [UInt8] = [0x22, UInt8(ascii: "n")]
  /// Whether the two bytes behind a bracket may begin such a list, as far as the first of them is
  /// one of `elements`: names of threads begin with n, too, `[nio-8080-exec-1]`.
  @inline(__always)
  static func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
    first != UInt8(ascii: "n") || second == UInt8(ascii: "u")
  }

  /// Bytes before it that are looked at.
  private static let furthest = 64
  /// Bytes of a string before it: a time, a level and the place in a program.
  private static let longestHead = 256

  /// Whether a line says that what stands below it was sent: `Received message:`.
  @inline(never)
  static func isAbove(_ line: RawSpan) -> Bool {
    line.byteCount > 0 && line.byte(at: line.byteCount - 1) == .colon
      && isSaid(line, line.byteCount, from: 0)
  }

  /// The object that a line begins with, as it is or as a library prints its messages.
  static func object(_ line: RawSpan, _ first: Int) -> Int? {
    if first < line.byteCount, line.byte(at: first) == .openBrace { return first }
    guard line.dropping(first).starts(with: LogWrapping.message) else { return nil }
    return line.firstIndex(of: .openBrace, from: first)
  }

  /// Whether an object in a string stands there, as below `SEND ► [` of Node.
  static func isString(_ line: RawSpan, _ at: Int) -> Bool {
    at + 1 < line.byteCount && line.byte(at: at + 1) == .openBrace
      && [.quote, .apostrophe, UInt8(ascii: "`")].contains(line.byte(at: at))
  }

  /// Whether such a list may begin there.
  @inline(__always)
  static func isList(_ line: RawSpan, _ at: Int) -> Bool {
    guard line.byte(at: at) == .openBracket, at + 2 < line.byteCount else { return false }
    if line.byte(at: at + 1) == .quote { return true }
    return line.byte(at: at + 2) == UInt8(ascii: "u") && line.dropping(at + 1).starts(with: "null,")
  }

  /// Whether words before it say that it was sent.
  ///
  /// - Parameter start: where its line begins.
  @inline(never)
  static func isSaid(_ line: RawSpan, _ at: Int, from start: Int) -> Bool {
    let prefix = line.extracting(max(start, at - furthest)..<at)
    if isInside(prefix) { return false }
    guard prefix.firstIndex(of: 0x1B) != nil else { return isSaid(prefix) }
    let words = ANSI.stripped(prefix)
    return isSaid(words.bytes)
  }

  private static func isSaid(_ prefix: RawSpan) -> Bool {
    LogRules.direction(prefix) != nil && !isOfOthers(prefix)
  }

  /// Whether the words speak of something else than messages: `Email sent: `, `logged in: `,
  /// `error in message: `, or are of a program: `ws.send({`, `(request) => {`.
  static func isOfOthers(_ prefix: RawSpan) -> Bool {
    var end = LogWrapping.start(prefix)
    if end > 0, prefix.byte(at: end - 1) == UInt8(ascii: "(") { return true }
    var hasNoun = false
    for _ in 0..<4 {
      while end > 0, prefix.byte(at: end - 1).isFiller {
        end = LogDirectionWords.call(prefix, end) ?? end - 1
      }
      let word = LogDirectionWords.word(prefix, endingAt: end)
      if word.isEmpty { return isArrowOfOthers(prefix, end) }
      if LogDirectionWords.isNoun(prefix.extracting(word)) {
        (hasNoun, end) = (true, word.lowerBound)
      } else {
        return isOfOthers(prefix, word, hasNoun: hasNoun)
      }
    }
    return false
  }

  /// - Parameter hasNoun: what is sent or received is named behind the word.
  private static func isOfOthers(
    _ prefix: RawSpan, _ place: Range<Int>, hasNoun: Bool
  ) -> Bool {
    let word = prefix.extracting(place)
    func isAny(_ words: [StaticString]) -> Bool {
      words.contains { LogDirectionWords.isSame(word, $0) }
    }
    let end = prefix.beforeBlanks(place.lowerBound)
    let before = LogDirectionWords.word(prefix, endingAt: end)
    let isOfMessage = LogDirectionWords.isNoun(prefix.extracting(before))
    if isAny(["got"]) { return !hasNoun }
    if isAny(["in", "out"]) {
      return hasNoun || end > 0 && prefix.byte(at: end - 1).isOfMemberName && !isOfMessage
    }
    // In small letters behind another word it is part of a sentence, `Email sent`; a message
    // follows `Received`. A level before it is the head of the line, and a single letter is no
    // word: it ends a time, or is the tag of a container runtime.
    guard isAny(["sent", "received"]), word.byte(at: 0).isLowercase, end < place.lowerBound,
      before.count > 1, !isOfMessage
    else { return false }
    let subject = prefix.extracting(before)
    return !LogPeerWords.names(subject) && !LogSources.isNameOfLevel(subject)
      && !shortLevels.contains { subject.equals($0) }
  }

  /// Levels as zerolog and Serilog write them.
  private static let shortLevels: [StaticString] = ["TRC", "DBG", "INF", "WRN", "ERR"]

  /// Whether an arrow stands between the words of a sentence, or of a program: `x -> `, `() => `;
  /// `DEBUG -> ` is the head of a line, as is a time.
  private static func isArrowOfOthers(_ prefix: RawSpan, _ end: Int) -> Bool {
    let first = prefix.before(end) { $0 == .hyphen || (0x3C...0x3E).contains($0) }
    let arrow = prefix.extracting(first..<end)
    if arrow.equals("=>") { return true }
    guard arrow.equals("->") || arrow.equals("<-"), first > 1, prefix.byte(at: first - 1) == .space
    else { return false }
    if let time = LinePrefix.timeEnd(prefix), prefix.beforeBlanks(first) <= time { return false }
    let word = LogDirectionWords.word(prefix, endingAt: first - 1)
    if !word.isEmpty, prefix.byte(at: word.lowerBound).isUppercase {
      return !LogSources.isNameOfLevel(prefix.extracting(word))
    }
    let before = prefix.byte(at: first - 2)
    return before.isOfMemberName || before == UInt8(ascii: ")")
  }

  /// Whether it is part of other JSON: the name of a member, a comma or a bracket stands before it.
  private static func isInside(_ prefix: RawSpan) -> Bool {
    let end = prefix.beforeSpace(prefix.byteCount)
    guard end > 1 else { return false }
    if prefix.byte(at: end - 1) == .comma || prefix.byte(at: end - 1) == .openBracket {
      return true
    }
    guard prefix.byte(at: end - 1) == .colon else { return false }
    return prefix.byte(at: end - 2) == .quote || prefix.byte(at: end - 2) == .apostrophe
  }

  /// Whether the line says who sent what begins there, and nothing else of it: it is in no record,
  /// unless a string of that says so, and behind no other object.
  static func isSent(_ line: RawSpan, _ start: Int, _ facts: inout LineFacts) -> Bool {
    guard let match = facts.message.match, match.direction != .unsaid,
      match.rule?.isOfPayloads ?? true, !isEmptyContext(line, start)
    else { return false }
    if facts.records.isInObject(line, start, from: facts.message.begin) {
      return start == facts.contextMessage || isSaidBeside(line, start, facts.message)
        || isSaidInString(line, start)
    }
    if isSaidBeside(line, start, facts.message) { return true }
    return match.ruleIndex != nil || !isOfOthers(line.extracting(max(0, start - furthest)..<start))
  }

  /// Whether a member or a field says it of another that is called as messages are.
  private static func isSaidBeside(_ line: RawSpan, _ start: Int, _ message: MessageFacts) -> Bool {
    guard message.isMatchOfMembers, isPayload(line, start),
      // What Node makes of bytes is looked for by these.
      !line.dropping(start).starts(with: #"{"type":"Buffer","#)
    else { return false }
    guard let members = message.members, let said = members.direction else { return true }
    // It may be said of a record around the one that has this member.
    if !members.isDirectionBeside { return false }
    return !LogMemberNames.isVague(said.rank) || !isOfOtherThings(line.extracting(said.value))
  }

  /// Whether what happens is that something else than messages was sent or received:
  /// `order.received`, `email_sent`.
  private static func isOfOtherThings(_ value: RawSpan) -> Bool {
    let word = LogDirectionWords.word(value, endingAt: value.byteCount)
    let border = word.lowerBound - 1
    guard border > 0, LogDirectionWords.direction(ofWhole: value.extracting(word)) != nil else {
      return isOfOthers(value)
    }
    let subject = value.extracting(LogDirectionWords.word(value, endingAt: border))
    return !LogDirectionWords.isNoun(subject) && !LogPeerWords.names(subject)
  }

  /// Whether it is the value of a member, or of a field, that is called as messages are:
  /// `"payload":"{\"type\":…`, `data={`, and in Go `Payload:{`.
  static func isPayload(_ line: RawSpan, _ start: Int) -> Bool {
    let value = line.before(start) { $0.isQuoting || $0 == .space }
    let sign = ANSI.start(line, ofSequenceEndingAt: value) - 1
    guard sign > 0 else { return false }
    let end = ANSI.start(line, ofSequenceEndingAt: sign)
    guard var name = LogTimeNames.word(line, before: end) else { return false }
    // A colour, `\e[36mpayload=`.
    if name.lowerBound > 1, line.byte(at: name.lowerBound - 2) == 0x1B {
      name = min(ANSI.behind(line, name.lowerBound - 2), name.upperBound)..<name.upperBound
    }
    switch line.byte(at: sign) {
    case .colon where name.upperBound == end:
      guard line.byte(at: value - 1) == .colon, name.lowerBound > 0,
        [.space, .openBrace, .comma].contains(line.byte(at: name.lowerBound - 1))
      else { return false }
    case .colon: break
    case UInt8(ascii: "=") where name.upperBound == end: break
    default: return false
    }
    return LogMemberNames.isMessage(line.extracting(name))
  }

  /// Whether such a member, or such a field, may be that of a record on this line: objects of many
  /// lines have members of that name, too.
  @inline(never)
  static func isPayloadOfRecord(_ line: RawSpan, _ start: Int, from begin: Int) -> Bool {
    let text = line.extracting(begin..<line.byteCount)
    guard isPayload(text, start - begin) else { return false }
    let last = line.byte(at: start - 1)
    return last == .quote || last == .apostrophe || last == UInt8(ascii: "=")
      || text.extracting(0..<start - begin).firstIndex(of: .openBrace) != nil
  }

  /// Whether it is what Log4j prints for a context that is empty, ahead of the message of its line:
  /// `com.example.ws.Received {} - Connected`.
  private static func isEmptyContext(_ line: RawSpan, _ start: Int) -> Bool {
    line.dropping(start).starts(with: "{} - ")
  }

  /// Whether a member is a string whose words say so: `"message": "CP_1: send [2,\"…`.
  private static func isSaidInString(_ line: RawSpan, _ start: Int) -> Bool {
    guard line.byte(at: start) == .openBrace || beginsWithText(line, start) else { return false }
    var open = start - 1
    while open > 0, start - open < longestHead, line.byte(at: open) != .quote { open -= 1 }
    guard open > 0, line.byte(at: open) == .quote, line.byte(at: open - 1) != .backslash else {
      return false
    }
    return isInside(line.extracting(0..<open)) && isSaid(line, start, from: open + 1)
  }

  /// Whether the first element of a list is no number, or a text follows it: lists of WAMP, which
  /// need no words, hardly begin so.
  private static func beginsWithText(_ line: RawSpan, _ list: Int) -> Bool {
    var at = line.behindDigits(list + 1)
    if at > list + 1 {
      guard at < line.byteCount, line.byte(at: at) == .comma else { return false }
      at += 1
      at = line.behindBlanks(at)
    }
    return at < line.byteCount && !line.byte(at: at).isDigit && line.byte(at: at) != .openBrace
  }

  /// Whether the line above is of the output of diff, whose marks are those of a prompt.
  static func isDiff(_ above: RawSpan) -> Bool {
    if above.equals("---") { return true }
    let at = above.behind(0) { $0.isDigit || $0 == .comma }
    guard at > 0, at + 1 < above.byteCount else { return false }
    let isChange = [UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "d")].contains(
      above.byte(at: at))
    return isChange && above.byte(at: at + 1).isDigit
  }

  /// Whether the name of a type stands before the brace, `Event { kind: … }`: a value of a program.
  static func isOfType(_ line: RawSpan, _ brace: Int) -> Bool {
    guard brace > 1, line.byte(at: brace - 1) == .space else { return false }
    let name = LogDirectionWords.word(line, endingAt: brace - 1)
    return !name.isEmpty && line.byte(at: name.lowerBound).isUppercase
      && LogDirectionWords.isNoun(line.extracting(name))
  }

  /// The object that begins on a line and goes on in the next; nil for none.
  static func open(_ line: RawSpan) -> ListEnd? {
    guard let last = line.lastUnspaced,
      [.openBrace, .openBracket, .comma].contains(line.byte(at: last)),
      let brace = line.firstIndex(of: .openBrace), isSaid(line, brace, from: 0),
      // A string ends on its line.
      EscapedList.depth(line, brace) == 0
    else { return nil }
    var end = ListEnd(of: brace)
    end.advance(line)
    return end.state == .inside ? end : nil
  }
}
