// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A binary value in the JSON of WAMP: a string of U+0000 and base64 (WAMP, "Binary conversion of
/// JSON Strings"). People are shown its text, `b"don't ask"`, or its bytes, `<3 bytes 00fffe>`.
struct BinaryValue {
  /// The string, in its quotes.
  let range: ByteRange
  private let bytes: Scratch

  private static let mark: StaticString = #"u0000"#

  /// Whether messages of a dialect write binary values so.
  static func areWritten(by dialect: StaticString) -> Bool { dialect.equals("wamp") }

  /// Whether there is anything to look at.
  @inline(__always)
  static func mayBe(in json: RawSpan, of dialect: StaticString) -> Bool {
    json.firstIndex(of: .backslash) != nil && areWritten(by: dialect)
  }

  /// The first that begins at or behind an offset.
  static func next(in json: RawSpan, from start: Int) -> BinaryValue? {
    var at = start
    while let slash = json.firstIndex(of: .backslash, from: at) {
      if slash > 0, json.byte(at: slash - 1) == .quote, let value = BinaryValue(json, slash - 1) {
        return value
      }
      // Behind a backslash is the character that it escapes, which may be another backslash.
      at = slash + 2
    }
    return nil
  }

  /// The string that begins with the quote at an offset; nil when it is no binary value.
  init?(_ json: RawSpan, _ quote: Int) {
    let begin = quote + 7
    guard begin < json.byteCount, quote == 0 || json.byte(at: quote - 1) != .backslash,
      json.extracting(quote + 2..<begin).equals(Self.mark),
      let end = json.firstIndex(of: .quote, from: begin)
    else { return nil }
    var decoded = Scratch()
    let digits = JSON.unescaped(json.extracting(begin..<end))
    guard Base64.decode(digits.span.bytes, into: &decoded) == nil else { return nil }
    (range, bytes) = (ByteRange(quote, end + 1), decoded)
  }

  func append(to text: inout TextBuffer) {
    if isText {
      text.append("b")
      text.append(jsonString: bytes.bytes)
    } else {
      PayloadText.append(bytes.bytes, of: bytes.count, to: &text)
    }
  }

  /// Whether it is UTF-8 without invisible characters.
  private var isText: Bool {
    let span = bytes.bytes
    var at = 0
    while at < span.byteCount {
      guard let scalar = UTF8.scalar(in: span, at: at), !UTF8.isUnseen(scalar.value) else {
        return false
      }
      at += scalar.length
    }
    return true
  }
}

extension BinaryValue {
  /// Appends a JSON text with its binary values as people read them; `other` appends what stands
  /// between these.
  static func appendAll(
    in json: RawSpan, of dialect: StaticString, to text: inout TextBuffer,
    _ other: (RawSpan, inout TextBuffer) -> Void
  ) {
    var at = 0
    if areWritten(by: dialect) {
      while let value = next(in: json, from: at) {
        if value.range.start > at { other(json.extracting(at..<value.range.start), &text) }
        value.append(to: &text)
        at = value.range.end
      }
    }
    other(json.dropping(at), &text)
  }
}
