// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Ledger {
  /// What stands around the messages of an input.
  mutating func context(_ words: RawSpan, _ input: UInt16) {
    renderer.context(words, input: input, into: &text)
  }
}
