// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Credentials in what HTTP tells on. Heads themselves are never told.
enum Redaction {
  /// Query values that are short and under a harmless name stay readable; all others may be tokens.
  private static let harmless: Set<String> = [
    "eio", "transport", "v", "version", "t", "protocol", "encoding", "format", "lang", "room",
  ]

  /// The URL without who asks (RFC 3986 §3.2.1), and with the values of its query replaced by `***`
  /// unless they are harmless.
  static func url(_ url: [UInt8]) -> [UInt8] {
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
  static func authority(_ url: [UInt8]) -> Int? {
    guard let colon = url.firstIndex(of: 0x3A), colon > 0, url.count > colon + 2,
      url[colon + 1] == 0x2F, url[colon + 2] == 0x2F,
      url[..<colon].allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 })
    else { return nil }
    return colon + 3
  }

  /// A host and port, who asks replaced by `***`.
  private static func authority(shown authority: some Collection<UInt8>) -> [UInt8] {
    let authority = Array(authority)
    guard let mark = authority.lastIndex(of: 0x40) else { return authority }
    return Array("***".utf8) + authority[mark...]
  }

  /// One pair of a query.
  private static func pair(_ pair: ArraySlice<UInt8>) -> [UInt8] {
    let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
    let name = Head.lowered(Array(parts[0]))
    // A query without names may be a token as a whole.
    if parts.count == 1 { return pair.count >= 16 ? Array("***".utf8) : Array(pair) }
    let isShown = parts[1].isEmpty || (harmless.contains(name) && parts[1].count < 24)
    return parts[0] + [0x3D] + (isShown ? Array(parts[1]) : Array("***".utf8))
  }

  /// Fields whose value is no credential; of all others only the name is shown.
  private static let harmlessFields: Set<String> = [
    ":authority", ":protocol", ":scheme", "host", "origin", "upgrade", "connection", "user-agent",
    "server", "date", "via", "pragma",
    "cache-control", "accept-language", "accept-encoding", "content-length", "content-type",
    "sec-websocket-key", "sec-websocket-accept", "sec-websocket-version",
    "sec-websocket-extensions", "sec-websocket-protocol",
  ]

  /// A head line by line, credentials replaced by `***`: `> GET /ws HTTP/1.1` and what was asked
  /// for, or `< HTTP/1.1 101 …` and what was granted.
  static func lines(_ head: Head) -> [[UInt8]] {
    let mark = Array((head.isResponse ? "< " : "> ").utf8)
    var first = head.startLine
    if !head.isResponse && first.count > 1 { first[1] = url(first[1]) }
    var lines = [mark + Array(first.joined(separator: [0x20]))]
    for (name, value) in head.fields {
      var shown = harmlessFields.contains(name) ? value : Array("***".utf8)
      // Browsers cannot set headers, so tokens travel among the subprotocols.
      if name == "sec-websocket-protocol" {
        let names = Head.split(value, at: 0x2C).map(Opening.shown(subprotocol:))
        shown = Array(names.joined(separator: [0x2C, 0x20]))
      } else if name == "host" || name == ":authority" || name == "origin" {
        shown = url(shown)
        if authority(shown) == nil { shown = authority(shown: shown) }
      }
      lines.append(mark + Array(name.utf8) + [0x3A, 0x20] + shown)
    }
    return lines
  }
}
