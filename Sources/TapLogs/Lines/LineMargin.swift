// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What a collector of logs puts before every line of a text, also before lines that go on.
enum LineMargin {
  /// The length of what stands before the text of a line, and in the same way before that of
  /// another: the name of a container, or a time and the like; 0 for nothing.
  static func shared(_ line: RawSpan, with other: RawSpan) -> Int {
    let name = LinePrefix.length(line)
    if name > 0 {
      let isSame =
        other.byteCount >= name && line.extracting(0..<name).equals(other.extracting(0..<name))
      return isSame ? name : 0
    }
    return LinePrefix.stamp(line, as: other) ?? 0
  }

  /// The length of what Node's library `debug` puts before every line on a terminal, `  chat:ws `;
  /// 0 where the lines do not both have it.
  static func namespace(_ line: RawSpan, with other: RawSpan) -> Int {
    guard line.starts(with: "  ") else { return 0 }
    let end = line.behind(2) { $0 > 0x20 }
    guard end > 2, end < min(line.byteCount, other.byteCount), line.byte(at: end) == .space,
      line.extracting(0..<end + 1).equals(other.extracting(0..<end + 1))
    else { return 0 }
    return end + 1
  }
}
