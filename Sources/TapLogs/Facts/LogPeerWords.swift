// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The two that talk, where the words before a message name them: `client -> server`, `to server`,
/// `received from client`.
enum LogPeerWords {
  private static let clients: [StaticString] = ["client", "browser", "frontend"]
  private static let servers: [StaticString] = [
    "server", "router", "broker", "backend", "crossbar",
  ]

  /// Who sends, as the last words of a text say it; nil when they name no peer.
  static func direction(_ text: RawSpan) -> LogDirection? {
    guard var last = word(text, text.byteCount) else { return nil }
    for _ in 0..<2 where LogDirectionWords.isNoun(text.extracting(last)) {
      guard let before = word(text, last.lowerBound) else { return nil }
      last = before
    }
    let side = side(text.extracting(last))
    if side == .unknown { return nil }
    if let (isRight, start) = arrow(text, last.lowerBound) {
      let other = word(text, start).map { self.side(text.extracting($0)) } ?? .unknown
      // Both words name the same side, so they do not say who talks to whom.
      return other == side ? nil : direction(isTo: isRight, side)
    }
    guard let verb = word(text, last.lowerBound) else { return nil }
    if LogDirectionWords.isSame(text.extracting(verb), "to") { return direction(isTo: true, side) }
    return LogDirectionWords.isSame(text.extracting(verb), "from")
      ? direction(isTo: false, side) : nil
  }

  private static func direction(isTo: Bool, _ side: LogFormat.Side) -> LogDirection {
    isTo == (side == .server) ? .toServer : .toClient
  }

  /// Whether a word names one of the two.
  static func names(_ word: RawSpan) -> Bool { side(word) != .unknown }

  /// Which of the two a word means; unknown for any other.
  private static func side(_ word: RawSpan) -> LogFormat.Side {
    if clients.contains(where: { LogDirectionWords.isSame(word, $0) }) { return .client }
    return servers.contains(where: { LogDirectionWords.isSame(word, $0) }) ? .server : .unknown
  }

  /// The last word before an offset; blanks and the like behind it are skipped.
  private static func word(_ text: RawSpan, _ end: Int) -> Range<Int>? {
    var end = end
    while end > 0, LogDirectionWords.isFiller(text.byte(at: end - 1)) { end -= 1 }
    var start = end
    while start > 0, LogTimeNames.isOfName(text.byte(at: start - 1)) { start -= 1 }
    return start < end ? start..<end : nil
  }

  /// The arrow before an offset, `->` or `→` and the like, and where it begins.
  private static func arrow(_ text: RawSpan, _ end: Int) -> (isRight: Bool, start: Int)? {
    var end = end
    while end > 0, text.byte(at: end - 1) == .space { end -= 1 }
    for (words, isRight) in [("→", true), ("←", false)] as [(StaticString, Bool)]
    where end >= words.utf8CodeUnitCount {
      let start = end - words.utf8CodeUnitCount
      if text.dropping(start).starts(with: words) { return (isRight, start) }
    }
    var start = end
    var heads: (left: Bool, right: Bool) = (false, false)
    while start > 0, end - start < 4 {
      let byte = text.byte(at: start - 1)
      guard
        byte == .hyphen || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
          || byte == UInt8(ascii: "=")
      else { break }
      if byte == UInt8(ascii: "<") { heads.left = true }
      if byte == UInt8(ascii: ">") { heads.right = true }
      start -= 1
    }
    return heads.left == heads.right ? nil : (heads.right, start)
  }
}
