// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The character 0x1E between the messages of a body, as it is or as loggers escape it.
enum RecordSeparator {
  private static let spellings: [StaticString] = ["\u{1E}", "\\x1e", "\\u001e", "\\x1E", "\\u001E"]

  /// The bytes of the one that begins at an offset; 0 where none does.
  static func count(_ line: RawSpan, at start: Int) -> Int {
    guard start < line.byteCount, isFirst(line.byte(at: start)) else { return 0 }
    let rest = line.dropping(start)
    return spellings.first { rest.starts(with: $0) }?.utf8CodeUnitCount ?? 0
  }

  /// The bytes of the one that ends before an offset; 0 where none does.
  static func count(_ line: RawSpan, before end: Int) -> Int {
    guard end > 0, [0x1E, UInt8(ascii: "e"), UInt8(ascii: "E")].contains(line.byte(at: end - 1))
    else { return 0 }
    return spellings.first {
      let start = end - $0.utf8CodeUnitCount
      return start >= 0 && line.dropping(start).starts(with: $0)
    }?.utf8CodeUnitCount ?? 0
  }

  @inline(__always)
  private static func isFirst(_ byte: UInt8) -> Bool { byte == 0x1E || byte == .backslash }
}
