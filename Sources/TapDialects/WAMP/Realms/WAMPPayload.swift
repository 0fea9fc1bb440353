// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What stands for the arguments of a message, to be compared with those of another leg: there they
/// may be in another serializer, and in another order.
struct WAMPPayload: Sendable, BitwiseCopyable {
  /// Of the text: what is the same needs no second look.
  private var text: UInt64 = 0
  /// Of the values.
  private var value: UInt64 = 0
  /// It can be compared.
  private var isKnown = false

  /// Larger ones are not compared.
  static let mostOctets = 1 << 20

  /// One that is not compared.
  static let unknown = WAMPPayload()

  private init() {}

  init(_ message: borrowing Message, _ bytes: RawSpan) {
    guard Self.isComparable(message) else { return }
    (text, value) = (Self.text(message, bytes), Self.value(message, bytes))
    isKnown = true
  }

  /// Of arguments that stand somewhere else.
  init(arguments: ByteRange, keywords: ByteRange, _ bytes: RawSpan) {
    var message = Message("wamp", "", Origin())
    (message.payload, message.keywords) = (arguments, keywords)
    self.init(message, bytes)
  }

  /// Whether a message certainly has other arguments.
  func differs(from message: borrowing Message, _ bytes: RawSpan) -> Bool {
    guard isKnown, Self.isComparable(message) else { return false }
    if text == Self.text(message, bytes) { return false }
    return value != Self.value(message, bytes)
  }

  func differs(from other: WAMPPayload) -> Bool {
    isKnown && other.isKnown && value != other.value
  }

  /// Whether a message has the same arguments, and any at all.
  func isSame(as message: borrowing Message, _ bytes: RawSpan) -> Bool {
    guard isKnown, Self.isComparable(message) else { return false }
    if text == Self.text(message, bytes) { return true }
    return value == Self.value(message, bytes)
  }

  private static func isComparable(_ message: borrowing Message) -> Bool {
    message.payload.count &+ message.keywords.count <= mostOctets
  }

  private static func text(_ message: borrowing Message, _ bytes: RawSpan) -> UInt64 {
    let arguments = bytes[message.payload].fingerprint
    return message.keywords.isEmpty
      ? arguments : arguments &* 31 ^ bytes[message.keywords].fingerprint
  }

  /// Arguments that are left out are the same as empty ones.
  private static func value(_ message: borrowing Message, _ bytes: RawSpan) -> UInt64 {
    let arguments =
      message.payload.isEmpty ? JSONDigest.emptyList : JSONDigest.of(bytes, message.payload)
    let keywords =
      message.keywords.isEmpty ? JSONDigest.emptyObject : JSONDigest.of(bytes, message.keywords)
    return arguments &* 31 &+ keywords
  }
}
