// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What lines that no format knows say of the connection or the session: `session=4711`.
struct LogKeys {
  private static let names: [StaticString] = [
    "session", "session_id", "sessionid", "sid", "conn", "conn_id", "connid", "connection",
    "connection_id", "connectionid", "socket", "socket_id", "socketid", "ws_id", "wsid", "client",
    "client_id", "clientid", "peer",
  ]

  /// Kinds of lines that are remembered, and octets of a value.
  private static let most = 1024
  private static let longest = 48

  /// Whether lines of a kind have such a key, and whether they say that nothing was sent, by the
  /// skeleton of what is before the message.
  private var known = IDTable<Bool>()
  private var denying = IDTable<Bool>()
  /// Whether records of a kind say who sends, or have a session, beside what stands before the
  /// message.
  private var members = IDTable<Bool>()

  /// False for what is known to have none.
  func mayHaveMembers(_ skeleton: UInt64) -> Bool { members[WideKey(0, skeleton)] ?? true }

  mutating func note(hasMembers: Bool, _ skeleton: UInt64) {
    if members.count >= Self.most { members = IDTable() }
    members[WideKey(0, skeleton)] = hasMembers
  }

  /// Whether a line says that its message was not sent.
  mutating func denies(_ prefix: RawSpan, _ skeleton: UInt64) -> Bool {
    if let denies = denying[WideKey(0, skeleton)] { return denies }
    if denying.count >= Self.most { denying = IDTable() }
    let denies = LogWords.denies(prefix)
    denying[WideKey(0, skeleton)] = denies
    return denies
  }

  /// The key and its value; empty where there is none. A value without a digit is a word that
  /// follows by chance.
  mutating func connection(_ prefix: RawSpan, _ skeleton: UInt64) -> String {
    let key = WideKey(0, skeleton)
    if known[key] == false { return "" }
    let found = Self.find(prefix)
    if known.count >= Self.most { known = IDTable() }
    known[key] = found != nil
    return found.map { Self.words($0.name, prefix.extracting($0.value)) } ?? ""
  }

  /// The key that a text begins with, and its value.
  static func connection(_ text: RawSpan) -> String {
    let near = text.extracting(0..<min(text.byteCount, 2 * longest))
    return find(near).map { words($0.name, near.extracting($0.value)) } ?? ""
  }

  private static func words(_ name: StaticString, _ value: RawSpan) -> String {
    guard (0..<value.byteCount).contains(where: { value.byte(at: $0) &- 0x30 < 10 }) else {
      return ""
    }
    return name.description + " " + String(decoding: value.copied(), as: Unicode.UTF8.self)
  }

  /// The name that a word is.
  static func name(_ word: RawSpan) -> StaticString? {
    names.first { LogWords.isSame(word, $0) }
  }

  private static func find(_ prefix: RawSpan) -> (name: StaticString, value: Range<Int>)? {
    var at = 0
    while at < prefix.byteCount {
      guard isWord(prefix.byte(at: at)) else {
        at += 1
        continue
      }
      let start = at
      while at < prefix.byteCount, isWord(prefix.byte(at: at)) { at += 1 }
      let word = prefix.extracting(start..<at)
      guard let name = name(word) else { continue }
      var value = at
      while value < prefix.byteCount, isQuote(prefix.byte(at: value)) { value += 1 }
      while value + 1 < prefix.byteCount, prefix.byte(at: value) == 0x20,
        prefix.byte(at: value + 1) == 0x20 || prefix.byte(at: value + 1) == 0x3D
      { value += 1 }
      guard value < prefix.byteCount,
        prefix.byte(at: value) == 0x3D || prefix.byte(at: value) == 0x3A
      else { continue }
      value += 1
      while value < prefix.byteCount,
        prefix.byte(at: value) == 0x20 || isQuote(prefix.byte(at: value))
      { value += 1 }
      var end = value
      while end < prefix.byteCount, end - value < longest, isValue(prefix.byte(at: end)) {
        end += 1
      }
      return (name, value..<end)
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool { byte | 0x20 &- 0x61 < 26 || byte == 0x5F }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == 0x22 || byte == 0x27 || byte == 0x5C
  }

  /// Numbers, names, and addresses with their port.
  private static func isValue(_ byte: UInt8) -> Bool {
    isWord(byte) || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x3A
  }
}
