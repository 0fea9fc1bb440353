// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What stands ahead of the words of a line, a time, a source or a level, as it looks on all lines
/// of one program: each word is the same as any other.
struct NarratedMargin: Hashable {
  private var bytes: [UInt8] = []

  init(_ text: RawSpan) {
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      let one = Self.isWord(byte) ? UInt8(ascii: "w") : byte == .tab ? .space : byte
      let repeats = one == UInt8(ascii: "w") || one == .space
      if !repeats || bytes.last != one { bytes.append(one) }
    }
  }

  /// Where a line goes on behind such a margin; nil where it has another one.
  func end(in line: RawSpan) -> Int? {
    if bytes.isEmpty { return 0 }
    return (1...max(1, min(line.byteCount, Self.longest))).first {
      $0 <= line.byteCount && Self(line.extracting(0..<$0)) == self
    }
  }

  /// Bytes of a line that may stand ahead of it.
  private static let longest = 160

  /// Whether this stands there, and perhaps something behind it.
  func begins(with other: Self) -> Bool { bytes.starts(with: other.bytes) }

  /// Letters, digits, and what stands between those of times and names.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isWord || byte >= 0x80 || "-.,".utf8.contains(byte)
  }
}
