// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What a reader expects of a row of tagged netstrings (https://tnetstrings.info). A value says
/// only behind its end what it is, so that what is to be looked into has to be known by its place.
protocol NetStringForm: ExportForm {
  /// The place of an element of a list.
  static func element(_ index: Int, of node: Node) -> Node
  static func shape(of node: Node) -> NetStringShape

  /// A dictionary or a list begins that has a meaning.
  mutating func begin(_ node: Node, at offset: UInt64, _ sink: any EvidenceSink)
  /// It ends, or cannot be read any further.
  mutating func end(_ node: Node, isWhole: Bool, _ sink: any EvidenceSink)
  /// The row makes no sense at some place.
  ///
  /// - Parameter isEnd: whether nothing behind it can be read; else the outermost value is over.
  func damaged(at offset: UInt64, _ reason: String, isEnd: Bool, _ sink: any EvidenceSink)
  /// A simple value that has a meaning.
  mutating func scalar(
    _ bytes: RawSpan, _ value: NetStringScalar, _ node: Node, _ sink: any EvidenceSink)
}

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
