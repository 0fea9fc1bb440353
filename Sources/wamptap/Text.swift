// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSources

/// Text of foreign origin made safe for a terminal.
enum Text {
  static func escaped(_ text: String) -> String {
    var buffer = TextBuffer(capacity: 256)
    buffer.append(escaping: FileName.octets(text).span.bytes)
    return String(decoding: buffer.bytes.copied(), as: Unicode.UTF8.self)
  }

  /// The name of a file as text for renderers, which escape it: bytes that are no UTF-8 become
  /// `\xff`.
  static func shown(_ name: String) -> String {
    let octets = FileName.octets(name)
    return UTF8.firstInvalid(in: octets.span.bytes) == nil ? name : escaped(name)
  }
}
