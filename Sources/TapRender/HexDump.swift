// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Bytes as tcpdump and hexdump print them: offset, sixteen bytes, what of them is ASCII.
enum HexDump {
  static func append(_ bytes: RawSpan, indent: Int, to text: inout TextBuffer) {
    let width = bytes.byteCount > 0x10000 ? 8 : 4
    var at = 0
    while at < bytes.byteCount {
      let end = min(at + 16, bytes.byteCount)
      text.append(spaces: indent)
      for shift in stride(from: width * 4 - 8, through: 0, by: -8) {
        text.append(hex: UInt8(truncatingIfNeeded: at >> shift))
      }
      text.append("  ")
      for place in 0..<16 {
        if place == 8 { text.append(byte: .space) }
        if at + place < end {
          text.append(hex: bytes.byte(at: at + place))
          text.append(byte: .space)
        } else {
          text.append("   ")
        }
      }
      text.append(byte: .space)
      for place in at..<end {
        let byte = bytes.byte(at: place)
        text.append(byte: byte >= 0x20 && byte < 0x7F ? byte : 0x2E)
      }
      text.append("\n")
      at = end
    }
  }
}
