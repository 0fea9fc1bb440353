// SPDX-License-Identifier: Apache-2.0
import TapBytes

extension TextBuffer {
  /// How many bytes there are, and the first of them as hex: `3 bytes: 83010a`.
  mutating func append(octets: RawSpan, most: Int) {
    append(grouped: UInt64(octets.byteCount))
    append(octets.byteCount == 1 ? " byte: " : " bytes: ")
    for at in 0..<min(octets.byteCount, most) { append(hex: octets.byte(at: at)) }
    if octets.byteCount > most { append("…") }
  }
}
