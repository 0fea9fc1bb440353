// SPDX-License-Identifier: Apache-2.0
public import TapBytes

extension LineRenderer {
  /// The words of a log around its messages, dimmed.
  public mutating func context(_ words: RawSpan, into text: inout TextBuffer) {
    let begin = text.count
    style.begin(.dim, &text)
    text.append(escaping: words)
    style.end(&text)
    if let width { text.elide(from: begin, to: width) }
    text.append("\n")
  }
}
