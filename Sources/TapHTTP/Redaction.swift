// SPDX-License-Identifier: Apache-2.0

/// Credentials in what HTTP tells on. Heads themselves are never told.
enum Redaction {
  /// Query values that are short and under a harmless name stay readable; all others may be tokens.
  private static let harmless: Set<String> = [
    "eio", "transport", "v", "version", "t", "protocol", "encoding", "format", "lang", "room",
  ]

  /// The URL with the values of its query replaced by `***` unless they are harmless.
  static func url(_ url: [UInt8]) -> [UInt8] {
    guard let mark = url.firstIndex(of: 0x3F) else { return url }
    var out = Array(url[...mark])
    for (index, pair) in url[(mark + 1)...].split(
      separator: 0x26, omittingEmptySubsequences: false
    ).enumerated() {
      if index > 0 { out.append(0x26) }
      let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      let name = Head.lowered(Array(parts[0]))
      // A query without names may be a token as a whole.
      guard parts.count > 1 else {
        out += pair.count >= 16 ? Array("***".utf8) : Array(pair)
        continue
      }
      out += parts[0]
      out.append(0x3D)
      let isShown = parts[1].isEmpty || (harmless.contains(name) && parts[1].count < 24)
      out += isShown ? Array(parts[1]) : Array("***".utf8)
    }
    return out
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
        let names = Head.split(value, at: 0x2C).map { $0.count > 40 ? Array("***".utf8) : $0 }
        shown = Array(names.joined(separator: [0x2C, 0x20]))
      }
      lines.append(mark + Array(name.utf8) + [0x3A, 0x20] + shown)
    }
    return lines
  }
}
