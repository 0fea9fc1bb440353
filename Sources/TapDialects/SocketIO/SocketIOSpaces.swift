// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSessions
import TapTraffic

/// The exchanges of a Socket.IO session by link space, and their rules.
enum SocketIOSpaces {
  /// EVENTs with an ack id, by the asked side (`AskedSide`), as both sides count their own ids.
  static let acks = AskedSide.both
  static let connect: UInt8 = 3

  static let rules = [
    ExchangeRules.Rule(
      spaces: acks, question: "EVENT", unanswered: .sioAckUnanswered, unknown: .sioAckUnknown,
      repeated: .sioAckIDReused, severity: .warning),
    ExchangeRules.Rule(
      spaces: connect...connect, question: "CONNECT", unanswered: .sioConnectUnanswered,
      unknown: nil, repeated: .sioConnectTwice),
  ]

  /// The key of an ack id, which is counted per namespace.
  static func ackKey(_ namespace: RawSpan, _ id: UInt64) -> UInt64 {
    namespace.fingerprint ^ id &* 0x9E37_79B9_7F4A_7C15
  }
}
