// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension InspectorState {
  /// Text around the messages of an input.
  mutating func context(_ words: RawSpan, _ line: ContextLine) {
    if showsSecrets { return renderer.context(words, line, into: &text) }
    // The time stamp needs no masking.
    let shown = masker.words(words.dropping(line.stamp).copied())
    let whole = words.extracting(0..<line.stamp).copied() + shown
    renderer.context(whole.span.bytes, line, into: &text)
  }
}
