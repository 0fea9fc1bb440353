// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Binary values in WAMP's JSON: a string of U+0000 and base64 (WAMP, "Binary conversion of JSON
/// Strings").
public enum BinaryString {
  public static func append(_ bytes: RawSpan, to text: inout TextBuffer) {
    text.append("\"\\u0000")
    Base64.append(bytes, to: &text)
    text.append(byte: 0x22)
  }
}
