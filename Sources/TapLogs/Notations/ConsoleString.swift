// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings

/// The last of several strings that a page has printed on the console of its browser, as the log of
/// the browser has them: each between quotation marks, with escapes.
///
///     http://a.example/ 3:102 "WS send" "42[\"chat\",{\"n\":1}]"
enum ConsoleString {
  /// The line with the text of the string in its place; nil where no line ends so, and where it is
  /// JSON itself, which is found in any string.
  static func undone(_ line: RawSpan) -> Scratch? {
    let end = line.byteCount - 1
    guard end > 0, line.byte(at: end) == .quote, let start = start(line) else { return nil }
    let first = start + 1 < end ? line.byte(at: start + 1) : .quote
    if first == .openBrace || first == .openBracket { return nil }
    var at = start + 1
    while at < end, line.byte(at: at) != .quote { at += line.byte(at: at) == .backslash ? 2 : 1 }
    guard at == end else { return nil }
    var undone = Scratch()
    undone.append(line.extracting(0..<start))
    undone.append(JSON.unescaped(line.extracting(start + 1..<end)).span.bytes)
    return undone
  }

  /// Where the string begins behind the first, `" "`.
  private static func start(_ line: RawSpan) -> Int? {
    var at = 0
    while let quote = line.firstIndex(of: .quote, from: at), quote + 2 < line.byteCount {
      if line.byte(at: quote + 1) == .space, line.byte(at: quote + 2) == .quote { return quote + 2 }
      at = quote + 1
    }
    return nil
  }
}
