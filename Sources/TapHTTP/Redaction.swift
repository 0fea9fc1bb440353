// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Credentials in what HTTP tells on. Heads themselves are never told.
enum Redaction {
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
    if !head.isResponse && first.count > 1 { first[1] = ShownURL.url(first[1]) }
    var lines = [mark + Array(first.joined(separator: [0x20]))]
    for (name, value) in head.fields {
      var shown = harmlessFields.contains(name) ? value : Array("***".utf8)
      // Browsers cannot set headers, so tokens travel among the subprotocols.
      if name == "sec-websocket-protocol" {
        let names = Head.split(value, at: 0x2C).map(Opening.shown(subprotocol:))
        shown = Array(names.joined(separator: [0x2C, 0x20]))
      } else if name == "host" || name == ":authority" || name == "origin" {
        shown = ShownURL.url(shown)
        if ShownURL.authority(shown) == nil { shown = ShownURL.authority(shown: shown) }
      }
      lines.append(mark + Array(name.utf8) + [0x3A, 0x20] + shown)
    }
    return lines
  }
}
