// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Finding.Code {
  /// RSV1, RSV2 or RSV3 set without an extension that gives it a meaning (RFC 6455 §5.2). The
  /// handshake was not captured whole, or an endpoint compresses without having negotiated it.
  static let reservedBits: Self = "websocket.reserved-bits"
  /// An opcode of 3-7 or 11-15 (RFC 6455 §5.2): the receiver must fail the connection.
  static let unknownOpcode: Self = "websocket.unknown-opcode"
  /// A client must mask every frame (RFC 6455 §5.1).
  static let unmaskedClientFrame: Self = "websocket.unmasked-client-frame"
  /// A server must not mask (RFC 6455 §5.1).
  static let maskedServerFrame: Self = "websocket.masked-server-frame"
  /// A control frame longer than 125 octets or fragmented (RFC 6455 §5.5).
  static let badControlFrame: Self = "websocket.bad-control-frame"
  /// The length is written in more octets than it needs, or has its highest bit set (RFC 6455
  /// §5.2).
  static let badLength: Self = "websocket.bad-length"
  /// A continuation frame with no message to continue (RFC 6455 §5.4).
  static let unexpectedContinuation: Self = "websocket.unexpected-continuation"
  /// A new message began before the last one was finished (RFC 6455 §5.4).
  static let interruptedMessage: Self = "websocket.interrupted-message"
  /// A CLOSE frame with one octet, with a code that is never sent, or a reason that is no UTF-8
  /// (RFC 6455 §5.5.1, §7.4).
  static let badClose: Self = "websocket.bad-close"
  /// A close code that reports a failure: for WAMP often the only trace of a protocol error.
  static let closeFailure: Self = "websocket.close-1002"
  /// Data after the sender's own CLOSE (RFC 6455 §5.5.1).
  static let dataAfterClose: Self = "websocket.data-after-close"
  /// A text message must be UTF-8 (RFC 6455 §8.1).
  static let invalidUTF8: Self = "websocket.invalid-utf8"
  /// The octets of a compressed message are no deflate stream (RFC 7692 §7.2.2).
  static let inflateFailed: Self = "websocket.inflate-failed"
  /// A compressed message refers to messages that were not captured: its text cannot be known. With
  /// context takeover (RFC 7692 §7.1.1) this goes on until the connection ends.
  static let contextLost: Self = "websocket.context-lost"
  /// A message larger than `Limits.messageBytes`.
  static let messageTooLarge: Self = "websocket.message-too-large"
  /// Some octets of a message were never captured.
  static let messageIncomplete: Self = "websocket.message-incomplete"
  /// After a gap, frames were found again by their form.
  static let resynchronised: Self = "websocket.resynchronised"
  /// After a gap, nothing that follows could be recognised as frames.
  static let framingLost: Self = "websocket.framing-lost"
}
