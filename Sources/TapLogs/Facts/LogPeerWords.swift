// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The two that talk, where the words before a message name them: `to server`, `from client`,
/// `[editor -> server]`.
enum LogPeerWords {
  private static let clients: [StaticString] = ["client", "browser", "frontend", "editor"]
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
    if let sender = sender(text, last.lowerBound), sender != .unknown, sender != side {
      return direction(isTo: true, side)
    }
    guard let verb = word(text, last.lowerBound) else { return nil }
    if LogDirectionWords.isSame(text.extracting(verb), "to") { return direction(isTo: true, side) }
    return LogDirectionWords.isSame(text.extracting(verb), "from")
      ? direction(isTo: false, side) : nil
  }

  /// The side before an arrow that ends at an offset, in brackets: without these, other hosts may
  /// have such names.
  private static func sender(_ text: RawSpan, _ end: Int) -> LogFormat.Side? {
    let end = text.beforeBlanks(end)
    guard end > 2, text.extracting(end - 2..<end).equals("->"),
      let name = word(text, text.beforeBlanks(end - 2)), name.lowerBound > 0,
      text.byte(at: name.lowerBound - 1) == .openBracket
    else { return nil }
    return self.side(text.extracting(name))
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
    let end = text.before(end) { $0.isFiller }
    let start = text.before(end) { $0.isOfMemberName }
    return start < end ? start..<end : nil
  }
}
