// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What stands at a place.
enum NetStringShape {
  case dictionary, list, simple
}

/// What a value is; its bytes are lent beside it.
struct NetStringScalar {
  /// `,` bytes, `;` text, `#` an integer, `^` a number, `!` true or false, `~` nothing.
  let tag: UInt8
  /// Bytes of all of it: more than are lent when it was too long.
  let length: UInt64
  /// Where its bytes begin.
  let offset: UInt64

  func isWhole(_ bytes: RawSpan) -> Bool { length == UInt64(bytes.byteCount) }

  /// Bytes or text; nil for everything else.
  func text(_ bytes: RawSpan) -> [UInt8]? {
    (tag == .comma || tag == UInt8(ascii: ";")) && isWhole(bytes) ? bytes.copied() : nil
  }

  func truth(_ bytes: RawSpan) -> Bool? { tag == UInt8(ascii: "!") ? bytes.equals("true") : nil }

  func integer(_ bytes: RawSpan) -> Int64? {
    tag == UInt8(ascii: "#") ? Int64(String(decoding: bytes.copied(), as: Unicode.UTF8.self)) : nil
  }

  /// Seconds since 1970.
  func time(_ bytes: RawSpan) -> ExportTime? {
    tag == UInt8(ascii: "^") || tag == UInt8(ascii: "#") ? ExportTime(number: bytes) : nil
  }
}
