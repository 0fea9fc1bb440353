// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The two that talk, where the words before a message name them: `client -> server`, `C->S`,
/// `received from client 7`, `router: <- client1`.
enum LogPeerWords {
  /// What such words say: who sends, and where the name of the client stands, if it has one.
  struct Found {
    var way: LogRule.Way
    var peer: Range<Int>?
    /// Both are named by numbers: another line of the same words may say the opposite.
    var isByAddress = false
    /// It says more than a word that says who sends.
    var isSure = false
  }

  private static let clients: [StaticString] = ["client", "browser", "frontend"]
  private static let servers: [StaticString] = [
    "server", "router", "broker", "upstream", "backend", "crossbar",
  ]
  private static let arrows: [(words: StaticString, isRight: Bool)] = [
    ("→", true), ("➡", true), ("⟶", true), ("⇒", true), ("←", false), ("⬅", false), ("⟵", false),
    ("⇐", false),
  ]

  /// Words for both.
  private static let ways: [(word: StaticString, way: LogRule.Way)] = [
    ("c2s", .toServer), ("upstream", .toServer), ("s2c", .toClient), ("downstream", .toClient),
  ]

  /// What the last words of a text say; nil when they name nobody.
  static func read(_ text: RawSpan) -> Found? {
    guard var last = place(text) ?? word(text, text.byteCount) else { return nil }
    let whole = last
    for _ in 0..<2 where LogDirectionWords.isNoun(text.extracting(last)) {
      guard let before = word(text, last.lowerBound) else { return nil }
      last = before
    }
    // `client 7`
    if isDigits(text.extracting(last)), let name = adjacent(text, last.lowerBound),
      LogConnectionKeys.isName(text.extracting(name))
    {
      last = name.lowerBound..<last.upperBound
    }
    if let (isRight, start) = arrow(text, last.lowerBound) {
      return read(text, adjacent(text, start), isRight, last)
    }
    if let entry = ways.first(where: { LogDirectionWords.isSame(text.extracting(whole), $0.word) })
    {
      return Found(way: entry.way)
    }
    guard let verb = adjacent(text, last.lowerBound) else { return nil }
    if let way = subject(text, verb, LogDirectionWords.way(ofWhole: text.extracting(last))) {
      return Found(way: way, isSure: true)
    }
    let isFrom = LogDirectionWords.isSame(text.extracting(verb), "from")
    guard isFrom || LogDirectionWords.isSame(text.extracting(verb), "to") else { return nil }
    switch side(text.extracting(last)) {
    case .client: return Found(way: isFrom ? .toServer : .toClient)
    case .router: return Found(way: isFrom ? .toClient : .toServer)
    case .unknown:
      guard isConnection(text.extracting(last)) else { return nil }
      let way = LogDirectionWords.way(text.extracting(0..<verb.lowerBound))
      return Found(way: way ?? (isFrom ? .received : .sent), peer: last)
    }
  }

  /// What a whole value says.
  static func way(_ value: RawSpan) -> LogRule.Way? { read(value)?.way }

  /// What `"from":"client"` says, and its like.
  static func way(member: StaticString, _ value: RawSpan) -> LogRule.Way? {
    let side = side(value)
    if side == .unknown { return nil }
    switch member.description {
    case "from", "sender", "source", "src": return side == .client ? .toServer : .toClient
    default: return side == .client ? .toClient : .toServer
    }
  }

  /// Two names with an arrow between them, or an arrow and one.
  private static func read(
    _ text: RawSpan, _ first: Range<Int>?, _ isRight: Bool, _ last: Range<Int>
  ) -> Found? {
    let isShort = first.map { isLetters(text, $0, last) } ?? false
    if isShort {
      let isUp = (text.byte(at: last.lowerBound) | 0x20 == UInt8(ascii: "s")) == isRight
      return Found(way: isUp ? .toServer : .toClient)
    }
    if let first, let way = between(text.extracting(first), text.extracting(last)) {
      return Found(way: isRight ? way : way.opposite, isByAddress: true, isSure: true)
    }
    let one = first.map { side(text.extracting($0)) } ?? .unknown
    let other = side(text.extracting(last))
    if one == .unknown && other == .unknown {
      guard isConnection(text.extracting(last)) else { return nil }
      return Found(way: isRight ? .sent : .received, peer: last)
    }
    let (from, to) = isRight ? (one, other) : (other, one)
    let way = to == .router || from == .client ? LogRule.Way.toServer : .toClient
    return Found(
      way: way,
      peer: other == .router
        ? (one == .unknown ? first : nil)
        : one == .router && other == .unknown ? last : nil)
  }

  /// What one of them does: `client 10.0.0.7:51234 sent`. Without a number, the name may be that of
  /// the program. It may be the connection on which a router does: the types of messages say that.
  private static func subject(
    _ text: RawSpan, _ name: Range<Int>, _ way: LogRule.Way?
  ) -> LogRule.Way? {
    guard way == .sent || way == .received, isConnection(text.extracting(name)),
      let before = adjacent(text, name.lowerBound)
    else { return nil }
    switch side(text.extracting(before)) {
    case .client: return way == .sent ? .toServer : .toClient
    case .router: return way == .sent ? .toClient : .toServer
    case .unknown: return nil
    }
  }

  /// Two addresses: a client has one of the ports that systems give to those who ask for none
  /// (RFC 6335 §6, and those of Linux). Where that does not tell, what the one sends goes one way,
  /// and the types of messages say which.
  private static func between(_ from: RawSpan, _ to: RawSpan) -> LogRule.Way? {
    guard let source = port(from), let target = port(to) else { return nil }
    let first = 32_768
    if (source < first) != (target < first) { return source < first ? .toClient : .toServer }
    for at in 0..<min(from.byteCount, to.byteCount) where from.byte(at: at) != to.byte(at: at) {
      return from.byte(at: at) < to.byte(at: at) ? .sent : .received
    }
    return nil
  }

  private static func port(_ address: RawSpan) -> Int? {
    guard LogConnectionKeys.address(address, 0) == address.byteCount,
      let colon = (0..<address.byteCount).last(where: { address.byte(at: $0) == 0x3A })
    else { return nil }
    return (colon + 1..<address.byteCount).reduce(0) { $0 * 10 + Int(address.byte(at: $1) - 0x30) }
  }

  /// `C->S` and `S->C`.
  private static func isLetters(_ text: RawSpan, _ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.count == 1, other.count == 1 else { return false }
    let letters = (text.byte(at: one.lowerBound) | 0x20, text.byte(at: other.lowerBound) | 0x20)
    return letters == (UInt8(ascii: "c"), UInt8(ascii: "s"))
      || letters == (UInt8(ascii: "s"), UInt8(ascii: "c"))
  }

  /// Which of the two a word means; unknown for any other.
  private static func side(_ word: RawSpan) -> LogFormat.Side {
    if clients.contains(where: { LogDirectionWords.isSame(word, $0) }) { return .client }
    return servers.contains(where: { LogDirectionWords.isSame(word, $0) }) ? .router : .unknown
  }

  /// Whether a word names a connection: `client1`, `10.0.0.7:51234`, `3f2a`, `7`.
  private static func isConnection(_ word: RawSpan) -> Bool {
    if isPlace(word) { return true }
    var letters = 0
    while letters < word.byteCount, word.byte(at: letters) | 0x20 &- 0x61 < 26 { letters += 1 }
    let isNamed = LogConnectionKeys.isName(word.extracting(0..<letters))
    let id = isNamed ? word.dropping(letters) : word
    var digits = 0
    for at in 0..<id.byteCount {
      let byte = id.byte(at: at)
      if byte &- 0x30 < 10 { digits += 1 }
      let isHex = byte &- 0x30 < 10 || byte | 0x20 &- 0x61 < 6
      guard isHex || byte == 0x2D || isNamed && (byte == 0x20 || byte == 0x23) else { return false }
    }
    return digits > 0
  }

  /// An address, also as Java prints it, `/10.0.0.7:51234`, or a URL.
  private static func isPlace(_ word: RawSpan) -> Bool {
    if word.starts(with: "ws://") || word.starts(with: "wss://") { return true }
    return LogConnectionKeys.address(word, word.starts(with: "/") ? 1 : 0) == word.byteCount
  }

  /// An address or a URL that ends there, which are more than a word.
  private static func place(_ text: RawSpan) -> Range<Int>? {
    var end = text.byteCount
    while end > 0, LogDirectionWords.isFiller(text.byte(at: end - 1)),
      text.byte(at: end - 1) != 0x5D
    {
      end -= 1
    }
    var start = end
    while start > 0, end - start < 128, text.byte(at: start - 1) > 0x20 { start -= 1 }
    return start < end && isPlace(text.extracting(start..<end)) ? start..<end : nil
  }

  /// The word that ends before an offset, but for what stands between words.
  private static func word(_ text: RawSpan, _ end: Int) -> Range<Int>? {
    var end = end
    while end > 0, LogDirectionWords.isFiller(text.byte(at: end - 1)) { end -= 1 }
    return letters(text, end)
  }

  /// The word that ends there, but for blanks.
  private static func adjacent(_ text: RawSpan, _ end: Int) -> Range<Int>? {
    var end = end
    while end > 0, text.byte(at: end - 1) == 0x20 { end -= 1 }
    return letters(text, end)
  }

  private static func letters(_ text: RawSpan, _ end: Int) -> Range<Int>? {
    var start = end
    while start > 0, isWord(text, start - 1, end) { start -= 1 }
    return start < end ? start..<end : nil
  }

  private static func isWord(_ text: RawSpan, _ at: Int, _ end: Int) -> Bool {
    let byte = text.byte(at: at)
    if LogTimeNames.isLetter(byte) { return true }
    switch byte {
    case 0x2D, 0x2E, 0x3A, 0x23:
      return at + 1 < end && at > 0 && LogTimeNames.isLetter(text.byte(at: at - 1))
    default: return false
    }
  }

  /// The arrow before an offset, and where it begins.
  private static func arrow(_ text: RawSpan, _ end: Int) -> (isRight: Bool, start: Int)? {
    var end = end
    while end > 0, text.byte(at: end - 1) == 0x20 { end -= 1 }
    for (words, isRight) in arrows where end >= words.utf8CodeUnitCount {
      let start = end - words.utf8CodeUnitCount
      if text.dropping(start).starts(with: words) { return (isRight, start) }
    }
    var start = end
    var heads: (left: Bool, right: Bool) = (false, false)
    while start > 0, end - start < 4 {
      let byte = text.byte(at: start - 1)
      guard byte == 0x2D || byte == 0x3C || byte == 0x3E || byte == 0x3D else { break }
      if byte == 0x3C { heads.left = true }
      if byte == 0x3E { heads.right = true }
      start -= 1
    }
    return heads.left == heads.right ? nil : (heads.right, start)
  }

  private static func isDigits(_ word: RawSpan) -> Bool {
    (0..<word.byteCount).allSatisfy { word.byte(at: $0) &- 0x30 < 10 }
  }
}
