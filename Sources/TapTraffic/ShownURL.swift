// SPDX-License-Identifier: Apache-2.0

/// URLs, and texts that may have some in them, without the credentials.
public enum ShownURL {
  /// Query values that are short and under a harmless name stay readable; all others may be tokens.
  private static let harmless: Set<String> = [
    "eio", "transport", "v", "version", "t", "protocol", "encoding", "format", "lang", "room",
  ]

  /// The URL without who asks (RFC 3986 §3.2.1), and with the values of its query replaced by `***`
  /// unless they are harmless.
  public static func url(_ url: [UInt8]) -> [UInt8] {
    var url = url
    if let start = authority(url) {
      let end = url[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? url.count
      url.replaceSubrange(start..<end, with: authority(shown: url[start..<end]))
    }
    guard let mark = url.firstIndex(of: 0x3F) else { return url }
    var out = Array(url[...mark])
    var at = mark + 1
    while true {
      // Some write semicolons between the pairs (HTML 4.01 §B.2.2).
      let end = url[at...].firstIndex { $0 == 0x26 || $0 == 0x3B } ?? url.count
      out += pair(url[at..<end])
      if end == url.count { return out }
      out.append(url[end])
      at = end + 1
    }
  }

  /// Where the authority of an absolute URL begins; nil for a target without one.
  public static func authority(_ url: [UInt8]) -> Int? {
    guard let colon = url.firstIndex(of: 0x3A), colon > 0, url.count > colon + 2,
      url[colon + 1] == 0x2F, url[colon + 2] == 0x2F,
      url[..<colon].allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 })
    else { return nil }
    return colon + 3
  }

  /// A host and port, who asks replaced by `***`.
  public static func authority(shown authority: some Collection<UInt8>) -> [UInt8] {
    let authority = Array(authority)
    guard let mark = authority.lastIndex(of: 0x40) else { return authority }
    return Array("***".utf8) + authority[mark...]
  }

  /// One pair of a query.
  private static func pair(_ pair: ArraySlice<UInt8>) -> [UInt8] {
    let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: parts[0], as: Unicode.UTF8.self).lowercased()
    // A query without names may be a token as a whole.
    if parts.count == 1 { return pair.count >= 16 ? Array("***".utf8) : Array(pair) }
    let isShown = parts[1].isEmpty || (harmless.contains(name) && parts[1].count < 24)
    return parts[0] + [0x3D] + (isShown ? Array(parts[1]) : Array("***".utf8))
  }

  /// A text that another program wrote, with the credentials of the URLs in it masked, and what
  /// stands behind `Bearer` and its like (RFC 9110 §11.1).
  public static func text(_ text: String) -> String {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map { Array($0.utf8) }
    for index in words.indices {
      let isSecret = index > 0 && schemes.contains { words[index - 1].elementsEqual($0.utf8) }
      words[index] = isSecret ? Array("***".utf8) : word(words[index])
    }
    return String(decoding: Array(words.joined(separator: [0x20])), as: Unicode.UTF8.self)
  }

  /// Of an Authorization field.
  private static let schemes = ["Bearer", "bearer", "Basic", "basic", "Token", "token"]

  /// A URL may stand in quotes or brackets.
  private static func word(_ word: [UInt8]) -> [UInt8] {
    var start = word.startIndex
    if let colon = word.firstRange(of: Array("://".utf8)) {
      start = colon.lowerBound
      while start > 0, UInt8(ascii: "a")...UInt8(ascii: "z") ~= word[start - 1] | 0x20 {
        start -= 1
      }
    } else if word.contains(0x3F) {
      start = word.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? 0
    } else {
      return word
    }
    let isEnd = { (byte: UInt8) in [0x22, 0x27, 0x29, 0x3E, 0x5D, 0x2C].contains(byte) }
    let end = word[start...].firstIndex(where: isEnd) ?? word.endIndex
    return word[..<start] + url(Array(word[start..<end])) + word[end...]
  }
}
