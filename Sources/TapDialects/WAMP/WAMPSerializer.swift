// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The serializers of WAMP messages, and how to recognise them by the first bytes of a message when
/// the negotiation was not captured. A WAMP list has few elements and begins with a small number,
/// and hardly anything else looks like one.
enum WAMPSerializer: Sendable, CaseIterable {
  case json, messagePack, cbor
  /// UBJSON or BJData, in either byte order: see `Transcoder.dialect(ofUBJSON:_:)`.
  case ubjson
  case flatBuffers

  /// How well the bytes fit a serializer.
  enum Likeness: Sendable, Comparable {
    case no
    /// A list that begins with the code of a message.
    case possible
    /// And the number of elements fits that message type.
    case sure
  }

  /// The serializer of a WebSocket message, and whether it holds a batch.
  struct Recognised: Sendable, Equatable {
    var serializer: WAMPSerializer
    var isBatched: Bool
    var likeness: Likeness
  }

  /// The most likely serializer of a complete WebSocket message; nil when none fits.
  static func recognise(_ bytes: RawSpan) -> Recognised? {
    var best: Recognised?
    for serializer in allCases {
      let found = serializer.likeness(of: bytes)
      if found > best?.likeness ?? .no {
        best = Recognised(serializer: serializer, isBatched: false, likeness: found)
      }
    }
    if best?.serializer == .json, bytes.byteCount > 0 {
      let last = bytes.byte(at: bytes.byteCount - 1)
      best?.isBatched = last == 0x1E || last == 0x18
    }
    if let best { return best }
    return recognise(batch: bytes)
  }

  /// Recognises a batch: length prefixes that add up to the end, each before what looks like a
  /// message of one and the same serializer.
  private static func recognise(batch bytes: RawSpan) -> Recognised? {
    var batch = Batch(.prefixed)
    var best: Recognised?
    while let range = batch.next(bytes) {
      let message = bytes.extracting(range)
      guard let found = recognise(single: message) else { return nil }
      if let before = best, before.serializer != found.serializer { return nil }
      best = Recognised(
        serializer: found.serializer, isBatched: true,
        likeness: min(found.likeness, best?.likeness ?? .sure))
    }
    return batch.problem == nil ? best : nil
  }

  private static func recognise(
    single bytes: RawSpan
  ) -> (serializer: WAMPSerializer, likeness: Likeness)? {
    for serializer in [messagePack, cbor, ubjson] {
      let found = serializer.likeness(of: bytes)
      if found > .no { return (serializer, found) }
    }
    return nil
  }

  /// How well the beginning of a message fits this serializer.
  func likeness(of bytes: RawSpan) -> Likeness {
    guard bytes.byteCount >= 3 else { return .no }
    switch self {
    case .json: return Self.json(bytes)
    case .messagePack: return Self.messagePack(bytes)
    case .cbor: return Self.cbor(bytes)
    case .ubjson: return Self.ubjson(bytes)
    case .flatBuffers: return Self.flatBuffers(bytes)
    }
  }

  /// Judges a code and the number of elements; `count` is nil when it is not sent in advance.
  private static func judge(_ code: UInt64, _ count: Int?) -> Likeness {
    guard let type = WAMPType(code: code) else { return .no }
    guard let count else { return .possible }
    return type.arity.contains(count) ? .sure : .no
  }

  private static func json(_ bytes: RawSpan) -> Likeness {
    var at = 0
    at = bytes.behindSpace(at)
    guard at < bytes.byteCount, bytes.byte(at: at) == .openBracket else { return .no }
    at += 1
    at = bytes.behindSpace(at)
    let start = at
    while at < bytes.byteCount, bytes.byte(at: at).isDigit { at += 1 }
    guard let code = JSON.natural(bytes, ByteRange(start, at)) else { return .no }
    at = bytes.behindSpace(at)
    guard at < bytes.byteCount, bytes.byte(at: at) == .comma else { return .no }
    return judge(code, nil)
  }

  private static func messagePack(_ bytes: RawSpan) -> Likeness {
    let first = bytes.byte(at: 0)
    switch first {
    case 0x92...0x97: return small(bytes, 1, count: Int(first & 15), wide: 0xCC)
    case 0xDC: return small(bytes, 3, count: Int(bytes.uint16(at: 1)), wide: 0xCC)
    case 0xDD:
      guard bytes.byteCount > 5 else { return .no }
      return small(bytes, 5, count: Int(bytes.uint32(at: 1)), wide: 0xCC)
    default: return .no
    }
  }

  private static func cbor(_ bytes: RawSpan) -> Likeness {
    // The self-described CBOR tag (RFC 8949 §3.4.6).
    if bytes.byteCount > 6, bytes.byte(at: 0) == 0xD9, bytes.uint16(at: 1) == 55799 {
      return cbor(bytes.dropping(3))
    }
    let first = bytes.byte(at: 0)
    switch first {
    case 0x82...0x87: return small(bytes, 1, count: Int(first & 31), wide: 0x18)
    case 0x98: return small(bytes, 2, count: Int(bytes.byte(at: 1)), wide: 0x18)
    case 0x9F: return small(bytes, 1, count: nil, wide: 0x18)
    default: return .no
    }
  }

  /// A code in one byte, or in one or two bytes after the marker of a wider integer.
  private static func small(
    _ bytes: RawSpan, _ at: Int, count: Int?, wide: UInt8
  ) -> Likeness {
    guard at < bytes.byteCount else { return .no }
    let first = bytes.byte(at: at)
    // Both serializers store small numbers in the first byte itself.
    if first < (wide == 0x18 ? 0x18 : 0x80) { return judge(UInt64(first), count) }
    if first == wide + 1, at + 2 < bytes.byteCount {
      return judge(UInt64(bytes.uint16(at: at + 1)), count)
    }
    guard first == wide, at + 1 < bytes.byteCount else { return .no }
    return judge(UInt64(bytes.byte(at: at + 1)), count)
  }

  private static func ubjson(_ bytes: RawSpan) -> Likeness {
    guard bytes.byte(at: 0) == .openBracket else { return .no }
    var at = 1
    var count: Int?
    func small() -> Int? {
      guard at + 1 < bytes.byteCount,
        [UInt8(ascii: "i"), UInt8(ascii: "U")].contains(bytes.byte(at: at))
      else { return nil }
      at += 2
      return Int(bytes.byte(at: at - 1))
    }
    if bytes.byte(at: 1) == UInt8(ascii: "#") {
      at = 2
      guard let claimed = small() else { return .no }
      count = claimed
    }
    guard let code = small() else { return .no }
    return judge(UInt64(code), count)
  }

  private static func flatBuffers(_ bytes: RawSpan) -> Likeness {
    var reader = FlatBuffer()
    guard let root = reader.root(bytes), root.slots == 2,
      let tag = reader.natural(0, of: root, 1, bytes),
      let schema = FlatBufferTable.named(by: UInt8(truncatingIfNeeded: tag)),
      let table = reader.table(1, of: root, bytes)
    else { return .no }
    return table.slots <= schema.slots ? .sure : .possible
  }
}
