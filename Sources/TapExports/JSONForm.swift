// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What a reader expects of a JSON text.
protocol JSONForm: ExportForm {
  /// The place of each element of an array.
  static func element(of node: Node) -> Node
  /// Whether a value is wanted as it is written: reported as a literal, whatever it is.
  func isKept(_ node: Node) -> Bool

  /// An object or an array begins that has a meaning.
  mutating func begin(_ node: Node, at offset: UInt64, _ sink: any EvidenceSink)
  /// It ends.
  mutating func end(_ node: Node, at offset: UInt64, _ sink: any EvidenceSink)
  /// A string or a literal that has a meaning.
  mutating func scalar(
    _ bytes: RawSpan, _ value: JSONScalar, _ node: Node, _ sink: any EvidenceSink)
}

extension JSONForm {
  func isKept(_: Node) -> Bool { false }
  mutating func begin(_: Node, at _: UInt64, _: any EvidenceSink) {}
  mutating func end(_: Node, at _: UInt64, _: any EvidenceSink) {}
}

/// What a value is: a string without its quotes and escapes, or a number, `true`, `false` or `null`
/// as it is written. Its bytes are lent beside it.
struct JSONScalar {
  let isString: Bool
  /// Bytes of all of it: more than are lent when it was too long.
  let length: UInt64
  /// Where it begins in the text.
  let offset: UInt64

  func isWhole(_ bytes: RawSpan) -> Bool { length == UInt64(bytes.byteCount) }

  /// The text as an array; nil for what is no whole string.
  func text(_ bytes: RawSpan) -> [UInt8]? {
    isString && isWhole(bytes) ? bytes.copied() : nil
  }

  func isTrue(_ bytes: RawSpan) -> Bool { !isString && bytes.equals("true") }

  /// A number that is written as an integer, or as a string of digits.
  func integer(_ bytes: RawSpan) -> Int64? {
    guard isWhole(bytes), bytes.byteCount > 0, bytes.byteCount < 19 else { return nil }
    let isNegative = bytes.byte(at: 0) == .hyphen
    let first = isNegative || bytes.byte(at: 0) == UInt8(ascii: "+") ? 1 : 0
    guard first < bytes.byteCount else { return nil }
    var value: Int64 = 0
    for at in first..<bytes.byteCount {
      guard bytes.byte(at: at).isDigit else { return nil }
      value = value * 10 + Int64(bytes.byte(at: at) - 0x30)
    }
    return isNegative ? -value : value
  }
}
