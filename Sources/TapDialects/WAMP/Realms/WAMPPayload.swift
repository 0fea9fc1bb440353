// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A digest of a message's arguments, or a reference to their kept text, to be compared with those
/// on the other leg. There they may be in another serializer, and their keys in another order.
struct WAMPPayload: Sendable, BitwiseCopyable {
  /// How the content of the arguments is compared, whatever their spelling.
  private enum Value: BitwiseCopyable {
    /// Not compared.
    case unknown
    /// The digest of the content, and the fingerprint of the text: equal texts need no digest.
    case digest(UInt64, text: UInt64)
    /// The kept text, from which the digest is made when needed; lengths in bytes.
    case text(WAMPPayloadTexts.Position, arguments: UInt32, keywords: UInt32)
  }

  private var value = Value.unknown

  /// Larger ones are not compared.
  static let mostOctets = 1 << 20

  /// A payload that is not compared.
  static let unknown = WAMPPayload()

  private init() {}

  init(_ message: borrowing Message, _ bytes: RawSpan, keptIn texts: borrowing WAMPPayloadTexts) {
    guard Self.isComparable(message) else { return }
    let (arguments, keywords) = (message.payload, message.keywords)
    if arguments.count &+ keywords.count > texts.mostOfOne {
      value = .digest(
        Self.digest(bytes, arguments, keywords), text: Self.fingerprint(message, bytes))
    } else {
      value = .text(
        texts.keep(bytes[arguments], bytes[keywords]), arguments: UInt32(arguments.count),
        keywords: UInt32(keywords.count))
    }
  }

  /// For arguments that are not the message's own.
  init(arguments: ByteRange, keywords: ByteRange, _ bytes: RawSpan) {
    var message = Message("wamp", "", Origin())
    (message.payload, message.keywords) = (arguments, keywords)
    guard Self.isComparable(message) else { return }
    value = .digest(
      Self.digest(bytes, arguments, keywords), text: Self.fingerprint(message, bytes))
  }

  /// Whether a message certainly has other arguments.
  func differs(
    from message: borrowing Message, _ bytes: RawSpan, _ texts: WAMPPayloadTexts
  ) -> Bool {
    guard Self.isComparable(message) else { return false }
    if let isSame = hasText(of: message, bytes, texts), isSame { return false }
    guard let own = digest(texts) else { return false }
    return own != Self.digest(bytes, message.payload, message.keywords)
  }

  /// Whether a message has the same text; nil when the text was not kept or is gone.
  @inline(__always)
  private func hasText(
    of message: borrowing Message, _ bytes: RawSpan, _ texts: WAMPPayloadTexts
  ) -> Bool? {
    let (arguments, keywords) = (message.payload, message.keywords)
    switch value {
    case .unknown: return nil
    case .digest(_, let text): return text == Self.fingerprint(message, bytes)
    case .text(let place, let ownArguments, let ownKeywords):
      if Int(ownArguments) != arguments.count || Int(ownKeywords) != keywords.count { return false }
      return texts.isKept(bytes[arguments], bytes[keywords], at: place)
    }
  }

  func differs(from other: WAMPPayload, _ texts: WAMPPayloadTexts) -> Bool {
    guard let own = digest(texts), let others = other.digest(texts) else { return false }
    return own != others
  }

  /// Whether a message has the same arguments. For testaments, whose texts are not kept; false for
  /// any other payload.
  func isSame(as message: borrowing Message, _ bytes: RawSpan) -> Bool {
    guard case .digest(let own, let text) = value, Self.isComparable(message) else {
      return false
    }
    if text == Self.fingerprint(message, bytes) { return true }
    return own == Self.digest(bytes, message.payload, message.keywords)
  }

  private static func isComparable(_ message: borrowing Message) -> Bool {
    message.payload.count &+ message.keywords.count <= mostOctets
  }

  private static func fingerprint(_ message: borrowing Message, _ bytes: RawSpan) -> UInt64 {
    let arguments = bytes[message.payload].fingerprint
    return message.keywords.isEmpty
      ? arguments : arguments &* 31 ^ bytes[message.keywords].fingerprint
  }

  /// Nil when the text was not kept or is gone.
  private func digest(_ texts: WAMPPayloadTexts) -> UInt64? {
    switch value {
    case .unknown: return nil
    case .digest(let digest, _): return digest
    case .text(let place, let arguments, let keywords):
      let (middle, end) = (Int(arguments), Int(arguments) + Int(keywords))
      return texts.read(place, end) {
        Self.digest($0, ByteRange(0, middle), ByteRange(middle, end))
      }
    }
  }

  /// Omitted arguments equal empty ones.
  private static func digest(
    _ bytes: RawSpan, _ arguments: ByteRange, _ keywords: ByteRange
  ) -> UInt64 {
    let list = arguments.isEmpty ? JSONDigest.emptyList : JSONDigest.of(bytes, arguments)
    let object = keywords.isEmpty ? JSONDigest.emptyObject : JSONDigest.of(bytes, keywords)
    return list &* 31 &+ object
  }
}
