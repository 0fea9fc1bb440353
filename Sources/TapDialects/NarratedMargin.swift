// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The prefix of log lines (time, source, level) as a pattern that all lines of one program share:
/// every word is replaced by a placeholder.
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

  /// The end of such a prefix in a line; nil when the line has another one.
  func end(in line: RawSpan) -> Int? {
    if bytes.isEmpty { return 0 }
    return (1...max(1, min(line.byteCount, Self.longest))).first {
      $0 <= line.byteCount && Self(line.extracting(0..<$0)) == self
    }
  }

  /// The longest prefix, in bytes.
  static let longest = 160

  /// Whether this prefix begins with the other one.
  func begins(with other: Self) -> Bool { bytes.starts(with: other.bytes) }

  /// Letters, digits, and the punctuation within times and names.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isWord || byte >= 0x80 || "-.,".utf8.contains(byte)
  }
}
