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
}
