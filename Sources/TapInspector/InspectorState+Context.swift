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
    let shown: [UInt8]
    if contextCredentials.hide(said) {
      let start = said.behindSpace(0)
      let rest = said.byteCount - start
      shown =
        said.extracting(0..<start).copied() + (rest > 0 ? "<withheld, \(rest) bytes>" : "").utf8
    } else {
      let secrets =
        SecretsInText.ranges(said) + BytesInText.secrets(in: said)
        + contextCredentials.ranges(in: said, masker.names)
      shown = masker.words(said.copied(), with: secrets)
    }
    let whole = words.extracting(0..<line.stamp).copied() + shown
    renderer.context(whole.span.bytes, line, into: &text)
  }
}
