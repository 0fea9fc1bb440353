// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Whether credentials may stand in a message of which pieces are not known: they do under certain
/// keys, and “·” may hide any of their octets.
enum WAMPPartialSecrets {
  /// A key whose values `WAMPSecrets` masks.
  private struct Key {
    var word: [UInt8]
    /// Keys that go on behind it count, too.
    var isPrefix = false

    init(_ word: String, isPrefix: Bool = false) {
      (self.word, self.isPrefix) = (Array(word.utf8), isPrefix)
    }
  }

  /// In any details, and in those of clients.
  private static let keys = [Key("transport"), Key("authextra"), Key("resume", isPrefix: true)]
  private static let clientKeys = ["password", "secret", "ticket", "token"].map { Key($0) }
  /// Octets of an escape: `\u0074`; and of a key of which each character is one.
  private static let escape = 6
  private static let longest = 10 * escape

  /// - Parameter code: of the message, for those that have details of a session.
  static func mayHold(_ code: UInt64, _ bytes: RawSpan) -> Bool {
    switch code {
    case 1: mayHold(keys + clientKeys, bytes)
    case 2: mayHold(keys, bytes)
    case 4, 5: true
    default: false
    }
  }

  /// The same for a payload, which may be details of a session; those come from the router.
  static func mayHold(payloadOf message: Message, _ bytes: RawSpan) -> Bool {
    WAMPOption.carriers.contains { WAMPType(code: $0)?.name.equals(message.name) == true }
      && mayHold(
        keys, bytes[message.payload], evenHidden: message.origin.direction != .toServer)
  }

  /// The same for a message of which nothing tells that it is about sessions: some letter of a key
  /// has to be known.
  static func mayHold(details bytes: RawSpan) -> Bool { mayHold(keys, bytes, evenHidden: false) }

  /// - Parameter evenHidden: whether a key counts of which nothing is known.
  private static func mayHold(
    _ keys: [Key], _ bytes: RawSpan, evenHidden: Bool = true
  ) -> Bool {
    let octets = known(bytes)
    var nextKnown = octets.count
    return octets.indices.reversed().contains { at in
      if octets[at] != nil { nextKnown = at }
      // Nothing that stands here would reach what is known.
      if !evenHidden && nextKnown - at > longest { return false }
      return may(octets, at, be: UInt8(ascii: "\""))
        && keys.contains { mayBe($0.word[...], $0.isPrefix, octets, at + 1, isSeen: evenHidden) }
    }
  }

  /// The octets that were sent; nil for those that are not known.
  private static func known(_ bytes: RawSpan) -> [UInt8?] {
    var octets: [UInt8?] = []
    var at = 0
    while at < bytes.byteCount {
      if bytes.dropping(at).starts(with: "·") {
        octets.append(nil)
        at += 2
      } else {
        octets.append(bytes.byte(at: at))
        at += 1
      }
    }
    return octets
  }

  private static func may(_ octets: [UInt8?], _ at: Int, be octet: UInt8) -> Bool {
    at < octets.count && (octets[at] == nil || octets[at] == octet)
  }

  /// Whether the rest of a key may stand here, each of its characters as it is or as an escape.
  ///
  /// - Parameter isSeen: enough of it is known already.
  private static func mayBe(
    _ word: ArraySlice<UInt8>, _ isPrefix: Bool, _ octets: [UInt8?], _ at: Int, isSeen: Bool
  ) -> Bool {
    guard let first = word.first else {
      return isSeen && (isPrefix ? mayEnd(octets, from: at) : mayEnd(octets, at))
    }
    let rest = word.dropFirst()
    if may(octets, at, be: first)
      && mayBe(rest, isPrefix, octets, at + 1, isSeen: isSeen || octets[at] != nil)
    {
      return true
    }
    return mayBeEscape(octets, at)
      && mayBe(
        rest, isPrefix, octets, at + escape,
        isSeen: isSeen || octets[at] != nil || octets[at + 1] != nil)
  }

  private static func mayBeEscape(_ octets: [UInt8?], _ at: Int) -> Bool {
    may(octets, at, be: UInt8(ascii: "\\")) && may(octets, at + 1, be: UInt8(ascii: "u"))
      && at + escape <= octets.count
      && octets[at + 2..<at + escape].allSatisfy { octet in
        octet.map { Character(Unicode.Scalar($0)).isHexDigit } ?? true
      }
  }

  /// Whether the quote behind a key and the colon may stand here.
  private static func mayEnd(_ octets: [UInt8?], _ at: Int) -> Bool {
    guard may(octets, at, be: UInt8(ascii: "\"")) else { return false }
    var next = at + 1
    while next < octets.count, let octet = octets[next], octet <= 0x20 { next += 1 }
    return next >= octets.count || may(octets, next, be: UInt8(ascii: ":"))
  }

  /// The same behind any number of other characters of the key.
  private static func mayEnd(_ octets: [UInt8?], from start: Int) -> Bool {
    var at = start
    while at < octets.count {
      if mayEnd(octets, at) { return true }
      if octets[at] == UInt8(ascii: "\"") { return false }
      at += octets[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return true
  }
}
