// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A field of a form (URL Standard, "application/x-www-form-urlencoded").
enum FormField {
  /// Appends the decoded value of a field; false when the form has no such field.
  ///
  /// - Parameter name: with a trailing `=`.
  static func append(_ name: StaticString, of form: RawSpan, to value: inout Scratch) -> Bool {
    var start = 0
    while start < form.byteCount {
      let end = form.firstIndex(of: UInt8(ascii: "&"), from: start) ?? form.byteCount
      let pair = form.extracting(start..<end)
      if pair.starts(with: name) {
        decode(pair.dropping(name.utf8CodeUnitCount), to: &value)
        return true
      }
      start = end + 1
    }
    return false
  }

  private static func decode(_ text: RawSpan, to value: inout Scratch) {
    var at = 0
    while at < text.byteCount {
      let byte = text.byte(at: at)
      if byte == UInt8(ascii: "%"), let octet = text.hexOctet(at: at + 1) {
        value.append(octet)
        at += 3
      } else {
        value.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        at += 1
      }
    }
  }
}
