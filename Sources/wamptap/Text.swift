// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Text of foreign origin made safe for a terminal.
enum Text {
  static func escaped(_ text: String) -> String {
    var buffer = TextBuffer(capacity: 256)
    buffer.append(escaping: text)
    return String(decoding: buffer.bytes.copied(), as: Unicode.UTF8.self)
  }
}
