// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Prints what the content of a JSON string stands for.
enum UnquotedText {
  /// Appends what the content of a JSON string stands for, as text of a plain field.
  ///
  /// Answers true when it was printable ASCII: each byte takes one column.
  @discardableResult
  static func append(_ content: RawSpan, to text: inout TextBuffer) -> Bool {
    var start = JSONString.unquotePlain(content, to: &text)
    if start == content.byteCount { return true }
    while let slash = content.firstIndex(of: .backslash, from: start) {
      if slash > start { text.append(escaping: content.extracting(start..<slash)) }
      guard slash + 1 < content.byteCount else { return false }
      let letter = content.byte(at: slash + 1)
      switch letter {
      case .quote, .slash, .backslash:
        text.append(byte: letter)
        start = slash + 2
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        // A plain field has the same escapes.
        text.append(byte: .backslash)
        text.append(byte: letter)
        start = slash + 2
      default:
        // Two halves of a character may stand behind each other.
        var end = slash
        while end + 1 < content.byteCount, content.byte(at: end) == .backslash,
          content.byte(at: end + 1) == letter
        {
          end = min(end + (letter == UInt8(ascii: "u") ? 6 : 2), content.byteCount)
        }
        text.append(escaping: JSON.unescaped(content.extracting(slash..<end)).span.bytes)
        start = end
      }
    }
    text.append(escaping: content.dropping(start))
    return false
  }
}
