// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Control characters as rsyslog writes them into its files, in octal: `#033[32m`, `#011`, `#015`.
/// It does not escape the number sign itself, so `"#011e41"` may be a colour. JSON strings have no
/// control characters, so escapes are not decoded inside quotes.
enum SyslogEscapes {
  /// The line with control characters decoded and terminal sequences removed; nil if it has none.
  static func undone(_ line: RawSpan) -> Scratch? {
    guard var at = next(line, from: 0), LogSources.isSyslog(line) else { return nil }
    var text = Scratch()
    var (done, quotes, counted) = (0, 0, 0)
    while true {
      for place in counted..<at where isQuote(line, place) { quotes += 1 }
      counted = at
      if quotes & 1 == 0 {
        text.append(line.extracting(done..<at))
        text.append((line.byte(at: at + 2) - 0x30) << 3 | (line.byte(at: at + 3) - 0x30))
        done = at + 4
      }
      guard let following = next(line, from: at + 4) else { break }
      at = following
    }
    if done == 0 { return nil }
    text.append(line.dropping(done))
    return text.bytes.firstIndex(of: 0x1B) == nil ? text : ANSI.stripped(text.bytes)
  }

  /// The place of the next escape.
  private static func next(_ line: RawSpan, from start: Int) -> Int? {
    var at = start
    while let sign = line.firstIndex(of: UInt8(ascii: "#"), from: at) {
      let text = line.dropping(sign)
      if (["#033[", "#011", "#015"] as [StaticString]).contains(where: { text.starts(with: $0) }) {
        return sign
      }
      at = sign + 1
    }
    return nil
  }

  private static func isQuote(_ line: RawSpan, _ at: Int) -> Bool {
    line.byte(at: at) == .quote && (at == 0 || line.byte(at: at - 1) != .backslash)
  }
}
