// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic

extension InspectorState {
  /// Text around the messages of an input.
  mutating func context(_ words: RawSpan, _ line: ContextLine) {
    if showsSecrets { return renderer.context(words, line, into: &text) }
    // The time stamp needs no masking.
    let said = words.dropping(line.stamp)
    let secrets = SecretsInText.ranges(said) + BytesInText.secrets(in: said)
    let shown = masker.words(said.copied(), with: secrets)
    let whole = words.extracting(0..<line.stamp).copied() + shown
    renderer.context(whole.span.bytes, line, into: &text)
  }
}
