// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence
internal import TapTraffic

/// What bytes are that are one value of a serializer from the first to the last.
struct SerializedValue {
  /// In which they can be read; of several, the first.
  var serializer: Serializer
  /// A list; else an object.
  var isList: Bool
  /// It begins with a small number, as messages do that have a type code.
  var hasCode: Bool

  /// Nil for bytes that are no list and no object, or that go on behind it.
  ///
  /// - Parameter isAll: nothing follows; else it is enough that they begin one.
  init?(_ bytes: RawSpan, isAll: Bool) {
    self.init(bytes) { transcoder, serializer, text in
      isAll
        ? transcoder.transcode(bytes, serializer, into: &text) == bytes.byteCount
        : transcoder.transcode(beginning: bytes, serializer, into: &text)
    }
  }

  private init?(
    _ bytes: RawSpan, _ read: (inout Transcoder, Serializer, inout TextBuffer) -> Bool
  ) {
    guard bytes.byteCount > 2, Self.mayBegin(bytes.byte(at: 0)) else { return nil }
    let limits = Limits()
    var transcoder = Transcoder(
      maximumDepth: limits.nesting, maximumBytes: limits.messageBytes)
    var text = TextBuffer(capacity: 64)
    var found: SerializedValue?
    for serializer in Serializer.allCases {
      text.removeAll()
      guard read(&transcoder, serializer, &text),
        let value = SerializedValue(serializer, text.bytes)
      else { continue }
      if value.hasCode || found == nil { found = value }
      if value.hasCode { break }
    }
    guard let found else { return nil }
    self = found
  }

  private init?(_ serializer: Serializer, _ text: RawSpan) {
    guard let first = text.isEmpty ? nil : text.byte(at: 0),
      first == .openBracket || first == .openBrace
    else {
      return nil
    }
    self.serializer = serializer
    isList = first == .openBracket
    hasCode = isList && Self.hasCode(text)
  }

  /// The first bytes of lists and objects in MessagePack and CBOR, of self-described CBOR, and of a
  /// list and an object in UBJSON.
  private static func mayBegin(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x80...0xBF, 0xDC...0xDF, 0xD9, 0x5B, 0x7B: true
    default: false
    }
  }

  /// At most three digits, then an id, a text or an object.
  private static func hasCode(_ text: RawSpan) -> Bool {
    var at = 1
    while at < text.byteCount, text.byte(at: at).isDigit { at += 1 }
    guard 2...4 ~= at, at + 1 < text.byteCount, text.byte(at: at) == .comma else { return false }
    let next = text.byte(at: at + 1)
    return next == .quote || next == .openBrace || next.isDigit
  }

  /// What bytes are that are no message: "an object in CBOR"; nil when nothing can be said.
  static func description(of bytes: RawSpan) -> String? {
    if let value = SerializedValue(bytes, isAll: true) { return "\(value.words), and no message" }
    // Of what is not whole, or has something behind it, only the beginning of a message is named.
    if let cut = SerializedValue(bytes, isAll: false), cut.hasCode {
      return "the beginning of \(cut.words), whose end is missing"
    }
    var end = 0
    let first = SerializedValue(bytes) { transcoder, serializer, text in
      end = transcoder.transcode(bytes, serializer, into: &text) ?? 0
      return end > 0
    }
    guard let first, first.hasCode else { return nil }
    let rest = counted(UInt64(bytes.byteCount - end), "byte")
    return "\(first.words), and \(rest) behind its end"
  }

  private var words: String { "\(isList ? "a list" : "an object") in \(serializer.title)" }
}
