// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The content of a JavaScript string literal (ECMA-262, "String Literals"); JSON strings are a
/// subset.
enum ScriptString {
  /// Appends the unescaped text in UTF-8. An unpaired surrogate becomes U+FFFD; an invalid escape
  /// is kept as it is.
  static func append(_ quoted: RawSpan, to text: inout Scratch) {
    var at = 0
    var high: UInt32 = 0
    while at < quoted.byteCount {
      let byte = quoted.byte(at: at)
      guard byte == UInt8(ascii: "\\"), at + 1 < quoted.byteCount else {
        flush(&high, &text)
        text.append(byte)
        at += 1
        continue
      }
      let escape = quoted.byte(at: at + 1)
      if escape == UInt8(ascii: "u") || escape == UInt8(ascii: "x"),
        let unit = hex(quoted, from: at + 2, escape == UInt8(ascii: "u") ? 4 : 2)
      {
        at += escape == UInt8(ascii: "u") ? 6 : 4
        add(unit, &high, &text)
        continue
      }
      flush(&high, &text)
      text.append(simple(escape))
      at += 2
    }
    flush(&high, &text)
  }

  private static func add(_ unit: UInt32, _ high: inout UInt32, _ text: inout Scratch) {
    if high != 0 && (0xDC00...0xDFFF).contains(unit) {
      append(0x10000 + (high - 0xD800) << 10 + unit - 0xDC00, &text)
      high = 0
      return
    }
    flush(&high, &text)
    if (0xD800...0xDBFF).contains(unit) { high = unit } else { append(unit, &text) }
  }

  private static func flush(_ high: inout UInt32, _ text: inout Scratch) {
    if high != 0 { append(high, &text) }
    high = 0
  }

  private static func append(_ scalar: UInt32, _ text: inout Scratch) {
    let character = Unicode.Scalar(scalar) ?? "\u{FFFD}"
    for byte in Unicode.UTF8.encode(character)! { text.append(byte) }
  }

  private static func hex(_ bytes: RawSpan, from start: Int, _ count: Int) -> UInt32? {
    guard start + count <= bytes.byteCount else { return nil }
    var value: UInt32 = 0
    for at in start..<(start + count) {
      guard let digit = Digits.hexValue(bytes.byte(at: at)) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private static func simple(_ escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "n"): .lineFeed
    case UInt8(ascii: "r"): .carriageReturn
    case UInt8(ascii: "t"): .tab
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "v"): 0x0B
    case UInt8(ascii: "0"): 0
    default: escape
    }
  }
}
