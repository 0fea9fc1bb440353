// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Puts the separator between the fields of a line, and keeps count of columns where that is easy.
struct LineFields {
  let start: Int
  /// The next field belongs to the last one.
  var isGlued = false
  /// Each character of the line takes one column and one byte, but for `extra` bytes.
  var isSimple = true
  var extra = 0
  /// Where the reason of a failure ends; 0 without one.
  var reasonEnd = 0

  init(_ start: Int) { self.start = start }

  @inline(__always)
  mutating func separate(_ text: inout TextBuffer) {
    if text.count > start {
      if isGlued {
        text.append(byte: .space)
      } else {
        text.append(" · ")
        extra &+= 1
      }
    }
    isGlued = false
  }

  @inline(__always)
  mutating func append(escaping bytes: RawSpan, _ text: inout TextBuffer) {
    if !text.append(escaping: bytes) { isSimple = false }
  }
}
