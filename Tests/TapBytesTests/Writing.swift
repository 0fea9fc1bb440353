// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What `write` put into a text buffer. It starts as small as it gets, so that it has to grow.
func written(_ write: (inout TextBuffer) -> Void) -> String {
  var text = TextBuffer(capacity: 0)
  write(&text)
  return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
}

func octets(_ count: Int, _ random: inout some RandomNumberGenerator) -> [UInt8] {
  (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
}
