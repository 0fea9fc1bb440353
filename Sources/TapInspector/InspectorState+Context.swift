// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension InspectorState {
  /// What stands around the messages of an input.
  mutating func context(_ words: RawSpan, _ input: UInt16) {
    if showsSecrets { return renderer.context(words, input: input, into: &text) }
    let shown = masker.words(words.copied())
    renderer.context(shown.span.bytes, input: input, into: &text)
  }
}
