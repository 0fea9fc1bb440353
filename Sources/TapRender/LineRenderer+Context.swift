// SPDX-License-Identifier: Apache-2.0
public import TapBytes

extension LineRenderer {
  /// The words of a log around its messages, dimmed; of several, with its name before them.
  public mutating func context(_ words: RawSpan, input: UInt16, into text: inout TextBuffer) {
    let begin = text.count
    style.begin(.dim, &text)
    if Int(input) < options.inputs.count {
      text.append(escaping: options.inputs[Int(input)])
      text.append(": ")
    }
    text.append(escaping: words)
    style.end(&text)
    if let width { text.elide(from: begin, to: width) }
    text.append("\n")
  }
}
