// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Names of members of records that say when a message was sent, by whom, and of which connection
/// it is.
enum LogMemberNames {
  private static let directions: [StaticString] = [
    "direction", "dir", "way", "flow", "data_direction", "message_direction", "frame_direction",
    "msg_direction", "messagedirection", "framedirection",
  ]
  /// Names of members that say what happens.
  private static let events: [StaticString] = [
    "type", "event", "eventname", "event_name", "eventtype", "event_type", "method", "kind",
    "action", "op", "operation", "name", "category", "tag", "label", "message", "msg", "text",
    "@m", "@mt", "log", "title", "description",
  ]
  /// The best first.
  private static let ways = WordList(directions + events)
  private static let firstVague = UInt8(directions.count)

  /// Names of members that hold what was sent, whatever it is.
  private static let messages: [StaticString] = [
    "payload", "data", "message", "msg", "text", "frame", "raw", "body", "content", "json", "ws",
    "packet", "string",
  ]
  /// Names of members that hold a message, if it is like one.
  private static let payloads = WordList(
    messages + [
      "wamp", "args", "arguments", "params", "value", "line", "log", "response", "request", "@m",
    ])
  private static let levels = WordList([
    "level", "lvl", "levelname", "level_name", "loglevel", "log.level", "severity", "@l",
  ])
  private static let processes = WordList(streams + ["_pid", "pid", "process_id", "processid"])
  /// Names of members that name an instance by its log stream.
  private static let streams: [StaticString] = ["logstreamname", "@logstream"]
  private static let lengths = WordList(["len", "length", "size", "bytes"])
  private static let hosts = WordList(["_hostname", "hostname", "host"])

  /// All of these, by what they say.
  private static let lists: [(names: WordList, topic: LogRecord.Topic)] = [
    (ways, .direction), (LogConnectionKeys.names, .connection), (processes, .process),
    (hosts, .host),
    (LogTimeNames.names, .time),
  ]
  /// One list of them, so that most words are looked for once.
  private static let all = WordList(lists.flatMap(\.names.words))
  /// What each of them says, and its rank.
  private static let meanings = ContiguousArray(
    lists.flatMap { list in list.names.words.indices.map { (list.topic, UInt8($0)) } })

  /// What a member of this name may say, and how sure that is: the lower, the better.
  static func find(
    _ line: RawSpan, _ word: Range<Int>
  ) -> (topic: LogRecord.Topic, rank: UInt8)? {
    if let place = all.place(in: line, of: word) { return meanings[place] }
    guard word.count > 1, line.byte(at: word.lowerBound) == UInt8(ascii: "_"),
      let place = all.place(in: line, of: word.dropFirst()),
      [.connection, .direction].contains(meanings[place].0)
    else { return nil }
    // A field that an application adds to a record of GELF (GELF 1.1, "_[additional field]").
    return meanings[place]
  }

  /// Whether the value of such a member names an instance, and not a process on some host.
  static func isOfInstance(_ rank: UInt8) -> Bool { rank < streams.count }

  /// Whether a member of this name has what is sent: `payload`, `payloadData`.
  static func isPayload(_ name: RawSpan) -> Bool { payload(name) != nil }

  /// Whether it has what is sent also where that is like no message.
  static func isMessage(_ name: RawSpan) -> Bool {
    payload(name).map { Int($0) < messages.count } ?? false
  }

  private static func payload(_ name: RawSpan) -> UInt8? {
    place(name, payloads) ?? place(name.dropping(lastWord(name)), payloads)
  }

  /// How sure a member or a field says who sends by its name alone; nil where it is not called so.
  static func rank(ofDirection line: RawSpan, _ name: Range<Int>) -> UInt8? {
    guard let (topic, rank) = find(line, name), topic == .direction, !isVague(rank) else {
      return nil
    }
    return rank
  }

  /// Whether a member says what happens, which may be something else than that a message was sent.
  static func isVague(_ rank: UInt8) -> Bool { rank >= firstVague }

  /// Whether a member of this name says how severe a line is.
  static func isLevel(_ name: RawSpan) -> Bool { levels.place(of: name) != nil }

  /// Whether a member of this name says when a message was logged, or where, or how long it is.
  static func isBeside(_ line: RawSpan, _ name: Range<Int>) -> Bool {
    if let (topic, _) = find(line, name) { return topic != .direction }
    return lengths.place(in: line, of: name) != nil
  }

  /// Who sends, as the value of such a member says it; nil when it does not.
  static func direction(_ value: RawSpan, _ rank: UInt8) -> LogDirection? {
    if value.isEmpty { return nil }
    let start = lastWord(value)
    let last = value.dropping(start)
    // Behind other words, `in` and `out` may mean anything: many things come in and go out.
    if isVague(rank) && last.byteCount < 4 && last.byteCount < value.byteCount { return nil }
    return LogDirectionWords.direction(value) ?? LogDirectionWords.direction(last)
      ?? LogPeerWords.direction(value) ?? verb(value, before: start)
  }

  /// `send-request`, `receive-notification`
  private static func verb(_ value: RawSpan, before noun: Int) -> LogDirection? {
    let end = value.before(noun) { !$0.isAlpha }
    let last = value.dropping(noun)
    guard end > 3,
      LogDirectionWords.isNoun(last) || LogDirectionWords.isSame(last, "notification")
    else { return nil }
    return LogDirectionWords.direction(ofWhole: value.extracting(0..<end))
  }

  /// Where the last of several words begins: `Sent` of `webSocketFrameSent`, `sent` of `ws.sent`.
  private static func lastWord(_ name: RawSpan) -> Int {
    var at = name.byteCount
    while at > 0 {
      let byte = name.byte(at: at - 1)
      if !byte.isAlpha { return at }
      at -= 1
      if byte.isUppercase, at > 0, name.byte(at: at - 1).isLowercase { return at }
    }
    return 0
  }

  private static func place(_ word: RawSpan, _ names: WordList) -> UInt8? {
    names.place(of: word).map { UInt8($0) }
  }
}
