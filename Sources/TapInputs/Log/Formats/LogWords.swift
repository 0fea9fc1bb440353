// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Words that say who sends what follows them, in lines that no format knows.
enum LogWords {
  static let all: [(word: StaticString, way: LogRule.Way)] = [
    ("received", .received), ("receive", .received), ("receiving", .received),
    ("recv", .received), ("rcv", .received), ("rx", .received), ("incoming", .received),
    ("inbound", .received), ("onmessage", .received), ("in", .received), ("got", .received),
    ("<-", .received), ("<--", .received), ("<<", .received), ("<<<", .received),
    ("←", .received), ("⬅", .received), ("<", .received),
    ("sent", .sent), ("send", .sent), ("sending", .sent), ("snd", .sent), ("tx", .sent),
    ("outgoing", .sent), ("outbound", .sent), ("out", .sent), ("->", .sent), ("-->", .sent),
    (">>", .sent), (">>>", .sent), ("→", .sent), ("➡", .sent), (">", .sent),
  ]

  /// Nouns that may stand between such a word and the message.
  static let nouns: [StaticString] = [
    "message", "msg", "text", "frame", "data", "payload", "ws", "wamp", "websocket", "raw", "json",
    "string", "event", "packet",
  ]

  /// What the last words of a line before a message say; nil when they say nothing.
  static func way(_ prefix: RawSpan) -> LogRule.Way? {
    var end = prefix.byteCount
    for _ in 0..<4 {
      while end > 0, isFiller(prefix.byte(at: end - 1)) { end -= 1 }
      var start = end
      while start > 0, end - start < 12,
        isWord(prefix.byte(at: start - 1)) == isWord(of: prefix, end),
        !isFiller(prefix.byte(at: start - 1))
      { start -= 1 }
      if start == end { return nil }
      // The letter of an escape is none of the word: `\tsent`.
      if start > 0, prefix.byte(at: start - 1) == 0x5C, end - start > 1 {
        let letter = prefix.byte(at: start)
        if letter == UInt8(ascii: "t") || letter == UInt8(ascii: "n") { start += 1 }
      }
      let word = prefix.extracting(start..<end)
      for entry in all where isSame(word, entry.word) { return entry.way }
      guard nouns.contains(where: { isSame(word, $0) }) else { return nil }
      end = start
    }
    return nil
  }

  /// Whether something before the list speaks of messages at all.
  static func speaksOfMessages(_ prefix: RawSpan) -> Bool {
    var near = prefix.dropping(max(0, prefix.byteCount - 64))
    // What other members of a JSON record are called says nothing of this one.
    if let member = LogMarks.last(",\"", in: near) { near = near.dropping(member) }
    for at in 0..<near.byteCount where at == 0 || !isWord(near.byte(at: at - 1)) {
      var end = at
      while end < near.byteCount, isWord(near.byte(at: end)) { end += 1 }
      if end == at { continue }
      let word = near.extracting(at..<end)
      if nouns.contains(where: { isSame(word, $0) }) { return true }
    }
    return false
  }

  private static func isWord(of prefix: RawSpan, _ end: Int) -> Bool {
    end > 0 && isWord(prefix.byte(at: end - 1))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
  }

  /// What stands between words and a message: blanks, colons, quotes and the like.
  private static func isFiller(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x3A, 0x3D, 0x22, 0x27, 0x60, 0x28, 0x5B, 0x5D, 0x29, 0x2C, 0x7C, 0x5C, 0x7B,
      0x2E, 0x2F:
      true
    default: false
    }
  }

  private static func isSame(_ word: RawSpan, _ other: StaticString) -> Bool {
    guard word.byteCount == other.utf8CodeUnitCount else { return false }
    for at in 0..<word.byteCount {
      var byte = word.byte(at: at)
      if byte &- 0x41 < 26 { byte |= 0x20 }
      if byte != other.utf8Start[at] { return false }
    }
    return true
  }
}
