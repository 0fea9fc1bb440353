// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Words that say who sends what follows them, in lines that no format knows.
enum LogDirectionWords {
  static let all: [(word: StaticString, direction: LogDirection)] = [
    ("received", .received), ("receive", .received), ("receiving", .received),
    ("recv", .received), ("rcv", .received), ("rx", .received), ("incoming", .received),
    ("inbound", .received), ("onmessage", .received), ("in", .received), ("got", .received),
    ("<-", .received), ("<--", .received), ("<<", .received), ("<<<", .received),
    ("←", .received), ("◀", .received), ("<", .received),
    ("sent", .sent), ("send", .sent), ("sending", .sent), ("snd", .sent), ("tx", .sent),
    ("publishing", .sent), ("outgoing", .sent), ("outbound", .sent), ("out", .sent), ("->", .sent),
    ("-->", .sent),
    (">>", .sent), (">>>", .sent), ("→", .sent), ("►", .sent), (">", .sent),
  ]

  /// Nouns that may stand between such a word and the message.
  static let nouns: [StaticString] = [
    "message", "msg", "text", "frame", "data", "payload", "ws", "wamp", "websocket", "raw", "json",
    "string", "event", "packet", "response", "request", "reply", "answer", "body",
    "req", "res",
  ]

  /// Words that say nothing: `Received a message on the WebSocket: `.
  private static let articles: [StaticString] = ["a", "the", "on"]

  /// Nouns that say of a list of numbers that it is a message, though no word says who sends it:
  /// `carriers` anywhere before it, `messages` right before it.
  private static let carriers: [StaticString] = ["ws", "wamp", "websocket"]
  private static let messages: [StaticString] = ["message", "msg"]

  /// Words that say that a message was not sent.
  private static let denials: [StaticString] = [
    "failed to send", "failed sending", "fail to send", "send failed", "sending failed", "not sent",
    "not send", "not be sent", "unable to send", "error sending", "dropped", "dropping",
    "discarded", "discarding", "cannot send",
  ]

  /// Ends of verbs that say so, too: can't, didn't, won't send.
  private static let contractions: [StaticString] = ["n't send", "n’t send"]

  /// Who sends, by the last words of a line before a message; nil when they say nothing. On lines
  /// that begin as those of old releases of Autobahn, other words may stand in between.
  static func direction(
    _ prefix: RawSpan, _ layouts: FieldLayouts = FieldLayouts()
  ) -> LogDirection? {
    if let channel = DebugpyChannel.find(prefix) { return channel.direction }
    if let direction = EmacsEvents.direction(prefix) { return direction }
    if let direction = nearest(prefix, layouts) { return direction }
    return LogFormat.autobahnBeginnings.first { LogMarks.last($0.words, in: prefix) != nil }?
      .direction
  }

  /// Who sends, by the last words alone. A word outweighs an arrow behind it, as in
  /// `received message -> […]`. One other word may stand in between, as in
  /// `Sending Identify message: {…}`.
  private static func nearest(_ prefix: RawSpan, _ layouts: FieldLayouts) -> LogDirection? {
    var end = LogWrapping.start(prefix)
    var arrow: LogDirection?
    var (isNamed, isDescribed) = (false, false)
    for _ in 0..<6 {
      while end > 0, prefix.byte(at: end - 1).isFiller {
        end = VimChannel.start(prefix, end) ?? call(prefix, end) ?? end - 1
      }
      let isWord = end > 0 && prefix.byte(at: end - 1).isAlpha
      var start = prefix.before(end, from: max(0, end - 12)) {
        $0.isAlpha == isWord && !$0.isFiller
      }
      if start == end { return arrow }
      // The letter of an escape is none of the word: `\tsent`.
      if start > 0, prefix.byte(at: start - 1) == .backslash, end - start > 1 {
        let letter = prefix.byte(at: start)
        if letter == UInt8(ascii: "t") || letter == UInt8(ascii: "n") { start += 1 }
      }
      let word = prefix.extracting(start..<end)
      if let entry = all.first(where: { isSame(word, $0.word) }) {
        if isDescribed && word.byteCount < 4 { return arrow }
        if word.byte(at: 0).isAlpha {
          return stands(word, alone: prefix, start) ? entry.direction : arrow
        }
        guard arrow == nil, isArrow(prefix, start, end) else { return arrow }
        arrow = entry.direction
      } else if isNoun(word) || layouts.named(word) != nil {
        isNamed = true
      } else if !(isNamed && articles.contains { isSame(word, $0) }) {
        guard isNamed, !isDescribed, word.byte(at: 0).isAlpha else { return arrow }
        isDescribed = true
      }
      end = start
    }
    return arrow
  }

  /// The letters that end at a place.
  static func word(_ prefix: RawSpan, endingAt end: Int) -> Range<Int> {
    let start = prefix.before(end, from: max(0, end - 24)) { $0.isAlpha }
    return start..<end
  }

  /// Where the word before brackets ends: a call with its arguments, `send(192.168.1.7:80)`, or a
  /// remark, `message (decoded)`, `sent (61 bytes)`.
  static func call(_ prefix: RawSpan, _ end: Int) -> Int? {
    guard prefix.byte(at: end - 1) == UInt8(ascii: ")") else { return nil }
    var at = end - 1
    while at > 0, end - at < 64, prefix.byte(at: at - 1) != UInt8(ascii: "(") {
      if prefix.byte(at: at - 1) == UInt8(ascii: ")") { return nil }
      at -= 1
    }
    guard at > 1, prefix.byte(at: at - 1) == UInt8(ascii: "(") else { return nil }
    let remark = prefix.extracting(at..<end - 1)
    let isRemark =
      prefix.byte(at: at - 2) == .space && direction(ofWhole: remark) == nil
      && (remark.behindDigits(0)..<remark.byteCount).allSatisfy {
        remark.byte(at: $0).isLowercase || $0 > 0 && remark.byte(at: $0) == .space
      }
    return isRemark || prefix.byte(at: at - 2).isAlpha ? at - 1 : nil
  }

  /// `in` and `out` belong to the word before them, logged out, checked in; a capital behind a dot,
  /// to the name of a class of Java, `com.example.ws.Received`.
  private static func stands(_ word: RawSpan, alone prefix: RawSpan, _ start: Int) -> Bool {
    if start > 1, prefix.byte(at: start - 1) == .period, word.byte(at: 0).isUppercase {
      let package = LogDirectionWords.word(prefix, endingAt: start - 1)
      // One word before the dot may be what was called, `client.Send`.
      return package.lowerBound == 0 || prefix.byte(at: package.lowerBound - 1) != .period
        || !prefix.byte(at: package.lowerBound).isLowercase
    }
    guard isSame(word, "in") || isSame(word, "out"), start > 1 else { return true }
    if LogInstances.isStream(prefix, start) { return false }
    // `System.out` is the stream that a program prints to, as a tag of Android: it does not say who
    // sends.
    let stream: StaticString = "System."
    if start >= stream.utf8CodeUnitCount,
      prefix.dropping(start - stream.utf8CodeUnitCount).starts(with: stream)
    {
      return false
    }
    return prefix.byte(at: start - 1) != .space || !prefix.byte(at: start - 2).isLowercase
  }

  /// Whether angle brackets and dashes are an arrow: not the end of a tag, nor `<<"` of Erlang, nor
  /// `<object.method>(` of Python.
  private static func isArrow(_ prefix: RawSpan, _ start: Int, _ end: Int) -> Bool {
    if end < prefix.byteCount,
      [.quote, UInt8(ascii: "(")].contains(prefix.byte(at: end))
    {
      return false
    }
    var before = start
    // `=>`
    while before > 0, prefix.byte(at: before - 1) == UInt8(ascii: "=") { before -= 1 }
    guard before > 0 else { return true }
    switch prefix.byte(at: before - 1) {
    case 0x20, 0x09, 0x5D, 0x29, 0x3A, 0x7C, 0x6D, 0x3E: return true
    case let byte where byte >= 0x80: return true
    // At the beginning of a string: not the end of a tag.
    case .quote
    where end < prefix.byteCount && [.space, UInt8(ascii: "=")].contains(prefix.byte(at: end)):
      return true
    case .quote where end - start > 1 && prefix.byte(at: end - 1) == .hyphen: return true
    default:
      return prefix.byte(at: start) != UInt8(ascii: ">")
        && prefix.byte(at: start) != UInt8(ascii: "<")
    }
  }

  /// Who sends, where a text is nothing but such a word.
  static func direction(ofWhole text: RawSpan) -> LogDirection? {
    all.first { isSame(text, $0.word) }?.direction
  }

  /// Whether a word may stand between one that says it and the message.
  static func isNoun(_ word: RawSpan) -> Bool { nouns.contains { isSame(word, $0) } }

  /// Whether what stands before a list speaks of messages of WebSocket, or calls it one: what comes
  /// behind a message that says something else, `message="resized" size=[33,1,5]`, is none.
  static func speaksOfMessages(_ prefix: RawSpan) -> Bool {
    var near = prefix.dropping(max(0, prefix.byteCount - 64))
    // What other members of a JSON record are called says nothing of this one.
    for divider in [",\"", ", \""] as [StaticString] {
      if let member = LogMarks.last(divider, in: near) { near = near.dropping(member) }
    }
    var isCalled = false
    var at = 0
    while at < near.byteCount {
      let start = at
      while at < near.byteCount, near.byte(at: at).isAlpha { at += 1 }
      if at == start {
        at += 1
        continue
      }
      let word = near.extracting(start..<at)
      if carriers.contains(where: { isSame(word, $0) }) { return true }
      if messages.contains(where: { isSame(word, $0) }) {
        isCalled = true
      } else if !isNoun(word) {
        // `Message received {…}`
        isCalled =
          isCalled && start > 1 && near.byte(at: start - 1) == .space
          && near.byte(at: start - 2).isAlpha && direction(ofWhole: word) != nil
      }
    }
    return isCalled
  }

  /// Whether a line says that the message behind these words was not sent.
  static func denies(_ prefix: RawSpan) -> Bool {
    let near = prefix.dropping(max(0, prefix.byteCount - 40))
    var small = Scratch()
    for at in 0..<near.byteCount {
      let byte = near.byte(at: at)
      small.append(byte.isUppercase ? byte | 0x20 : byte)
    }
    return contractions.contains { LogMarks.last($0, in: small.bytes) != nil }
      || denials.contains { isSentence($0, in: small.bytes) }
  }

  /// Whether a text has such words, and neither in the middle of others nor as the name of a
  /// number, `dropped=0`.
  private static func isSentence(_ words: StaticString, in text: RawSpan) -> Bool {
    guard let start = LogMarks.last(words, in: text) else { return false }
    let end = start + words.utf8CodeUnitCount
    if start > 0, text.byte(at: start - 1).isAlpha { return false }
    return end == text.byteCount || text.byte(at: end) != UInt8(ascii: "=")
  }

  /// Whether a word is the same as another, whatever its case; the other is in small letters.
  static func isSame(_ word: RawSpan, _ other: StaticString) -> Bool {
    guard word.byteCount == other.utf8CodeUnitCount else { return false }
    for at in 0..<word.byteCount {
      var byte = word.byte(at: at)
      if byte.isUppercase { byte |= 0x20 }
      if byte != other.utf8Start[at] { return false }
    }
    return true
  }
}
