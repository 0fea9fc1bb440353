// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Escape sequences of terminals (ECMA-48): colours, cursor movements, titles.
enum ANSI {
  /// The line without them.
  static func stripped(_ line: RawSpan) -> Scratch {
    var text = Scratch()
    var at = 0
    while let escape = line.firstIndex(of: 0x1B, from: at) {
      text.append(line.extracting(at..<escape))
      at = end(line, escape)
    }
    text.append(line.dropping(at))
    return text
  }

  private static func end(_ line: RawSpan, _ escape: Int) -> Int {
    var at = escape + 1
    guard at < line.byteCount else { return at }
    switch line.byte(at: at) {
    case 0x5B:
      // Parameters, then one final byte.
      at += 1
      while at < line.byteCount, line.byte(at: at) &- 0x20 < 0x20 { at += 1 }
      return min(at + 1, line.byteCount)
    case 0x5D:
      // Up to BEL or ST.
      while at < line.byteCount, line.byte(at: at) != 0x07, line.byte(at: at) != 0x1B { at += 1 }
      return min(at + 1, line.byteCount)
    default: return at + 1
    }
  }
}
