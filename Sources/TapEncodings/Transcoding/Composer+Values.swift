// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Appends single values, common to all serializers.
extension Composer {
  /// Text; `offset` is the start of the value, `content` that of its bytes.
  @inline(__always)
  mutating func text(
    _ bytes: RawSpan, _ offset: Int, _ content: Int, _ text: inout TextBuffer
  ) {
    let start = text.count
    if !JSONString.appendPlain(bytes, to: &text) { odd(bytes, offset, content, &text) }
    ended(start, offset, isText: true, &text)
  }

  /// Text that needs escapes, is not ASCII, or is not UTF-8.
  @inline(never)
  private mutating func odd(
    _ bytes: RawSpan, _ offset: Int, _ content: Int, _ text: inout TextBuffer
  ) {
    hasUnplain = true
    if bytes.byte(at: 0) == 0 { note(.leadingNUL, offset) }
    if let invalid = JSONString.append(bytes, to: &text) {
      note(.invalidUTF8, content &+ invalid)
      BinaryString.append(bytes, to: &text)
    }
  }

  mutating func octets(_ bytes: RawSpan, _ offset: Int, _ text: inout TextBuffer) {
    let start = text.count
    BinaryString.append(bytes, to: &text)
    ended(start, offset, &text)
  }

  @inline(__always)
  mutating func natural(_ value: UInt64, _ offset: Int, _ text: inout TextBuffer) {
    let start = text.count
    if value < 10 {
      text.append(byte: 0x30 &+ UInt8(truncatingIfNeeded: value))
    } else {
      text.append(decimal: value)
    }
    ended(start, offset, &text)
  }

  @inline(__always)
  mutating func integer(_ value: Int64, _ offset: Int, _ text: inout TextBuffer) {
    let start = text.count
    text.append(decimal: Int(value))
    ended(start, offset, &text)
  }

  mutating func float(_ value: Double, _ offset: Int, _ text: inout TextBuffer) {
    let start = text.count
    // As a key it is quoted, and so still JSON.
    if !value.isFinite && !expectsKey {
      hasNonFinite = true
      note(.nonFinite, offset)
    }
    JSONNumber.append(value, to: &text)
    ended(start, offset, &text)
  }

  mutating func literal(_ word: StaticString, _ offset: Int, _ text: inout TextBuffer) {
    let start = text.count
    text.append(word)
    ended(start, offset, &text)
  }
}
