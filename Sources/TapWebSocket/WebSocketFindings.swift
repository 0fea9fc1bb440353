// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Explained in ``WebSocketFindings``.
extension Finding.Code {
  static let reservedBits: Self = "websocket.reserved-bits"
  static let unknownOpcode: Self = "websocket.unknown-opcode"
  static let unmaskedClientFrame: Self = "websocket.unmasked-client-frame"
  static let maskedServerFrame: Self = "websocket.masked-server-frame"
  static let maskingKeyReused: Self = "websocket.masking-key-reused"
  static let badControlFrame: Self = "websocket.bad-control-frame"
  static let badLength: Self = "websocket.bad-length"
  static let unexpectedContinuation: Self = "websocket.unexpected-continuation"
  static let interruptedMessage: Self = "websocket.interrupted-message"
  static let badClose: Self = "websocket.bad-close"
  static let closeFailure: Self = "websocket.close-1002"
  static let dataAfterClose: Self = "websocket.data-after-close"
  static let invalidUTF8: Self = "websocket.invalid-utf8"
  static let inflateFailed: Self = "websocket.inflate-failed"
  static let badCompression: Self = "websocket.bad-compression"
  static let contextLost: Self = "websocket.context-lost"
  static let messageTooLarge: Self = "websocket.message-too-large"
  static let messageIncomplete: Self = "websocket.message-incomplete"
  static let resynchronised: Self = "websocket.resynchronised"
  static let framingLost: Self = "websocket.framing-lost"
}

/// Explanations of the findings about frames and messages.
public enum WebSocketFindings {
  public static let all: [Explanation] = rules + compression + endings + losses

  private static let rules: [Explanation] = [
    Explanation(
      .reservedBits, .error,
      "RSV1, RSV2 or RSV3 is set, though no negotiated extension gives it a meaning.",
      cause: """
        An endpoint compresses without having negotiated it, a proxy dropped the extension from \
        the handshake, or the handshake was not captured whole. Such messages are shown \
        inflated where they inflate.
        """,
      remedy: "The receiver must fail the connection. Compare the extensions of both sides.",
      source: "RFC 6455 §5.2, RFC 7692 §6.1"),
    Explanation(
      .unknownOpcode, .error,
      "The opcode is 3 to 7 or 11 to 15, which have no meaning yet.",
      cause: "A broken sender, or bytes that are no frame: see whether a gap stands before it.",
      remedy: "The receiver must fail the connection with 1002. Look at the sender.",
      source: "RFC 6455 §5.2"),
    Explanation(
      .unmaskedClientFrame, .error,
      "A frame from the client is not masked.",
      cause: "A client written by hand, or a test tool.",
      remedy: "The server must fail the connection. Mask every frame with a fresh key.",
      source: "RFC 6455 §5.1"),
    Explanation(
      .maskedServerFrame, .error,
      "A frame from the server is masked.",
      cause: "A server that shares its frame writer with a client.",
      remedy: "The client must fail the connection. A server must not mask.",
      source: "RFC 6455 §5.1"),
    Explanation(
      .maskingKeyReused, .warning, isSecurity: true,
      "Several frames in a row are masked with the same key.",
      cause: "A client or a test tool that masks with zeros, or with a constant, to be fast.",
      remedy: """
        Take each key from a source of entropy: an attacker who can predict it makes the client \
        send bytes of his choice, which proxies in between may take for HTTP.
        """,
      source: "RFC 6455 §5.3, §10.3"),
    Explanation(
      .badControlFrame, .error,
      "A CLOSE, PING or PONG is longer than 125 bytes or fragmented.",
      cause: "A reason of a CLOSE that was not shortened, or a PING with a large payload.",
      remedy: "The receiver must fail the connection. Shorten the payload to 125 bytes.",
      source: "RFC 6455 §5.5"),
    Explanation(
      .badLength, .error,
      "The length of a frame is written in more bytes than it needs, or its highest bit is set.",
      cause: "A sender that always writes 16 or 64 bits, or bytes that are no frame.",
      remedy: "The minimal number of bytes must be used; strict receivers fail the connection.",
      source: "RFC 6455 §5.2"),
    Explanation(
      .unexpectedContinuation, .error,
      "A continuation frame has no message to continue.",
      cause: "Frames of several threads sent without a lock, or a lost first frame.",
      remedy: "The receiver must fail the connection. Send one message after the other.",
      source: "RFC 6455 §5.4"),
    Explanation(
      .interruptedMessage, .error,
      "A new message began before the last one was finished.",
      cause: "Fragmented messages of several threads sent without a lock.",
      remedy: "The receiver must fail the connection. Only control frames may come in between.",
      source: "RFC 6455 §5.4"),
    Explanation(
      .badClose, .error,
      "A CLOSE has one byte, a code that is never sent, or a reason that is not UTF-8.",
      cause: "An endpoint passes 1005 or 1006, which it saw locally, on to the other side.",
      remedy: "The receiver answers with 1002. Send 1000, or 1001, or no code.",
      source: "RFC 6455 §5.5.1, §7.4"),
    Explanation(
      .closeFailure, .warning, or: .note,
      """
      A CLOSE carries a code that reports a failure: 1002, 1003 or 1007 to 1011, or one that the \
      protocol of the application has for one. It is a note where the client shall come back.
      """,
      cause: """
        The other side broke a rule of WebSocket or of the application. Autobahn and Crossbar end \
        with 1002 on an error of WAMP, without an ABORT.
        """,
      remedy: "Read the reason, and look at the last messages that the other side had sent.",
      source: "RFC 6455 §7.4.1"),
    Explanation(
      .dataAfterClose, .error,
      "Something follows the sender's own CLOSE.",
      cause: """
        A sender whose queue was not emptied when it closed; or a server that goes on in HTTP \
        behind its CLOSE, as that of Werkzeug does below Flask-Sock.
        """,
      remedy: "It is not read by anybody. Send CLOSE last.",
      source: "RFC 6455 §5.5.1"),
    Explanation(
      .invalidUTF8, .error,
      "A text message is not UTF-8.",
      cause: "Binary sent as text, a string cut in the middle of a character, or Latin-1.",
      remedy: "The receiver must fail the connection with 1007. Send binary as binary.",
      source: "RFC 6455 §8.1"),
  ]

  private static let compression: [Explanation] = [
    Explanation(
      .inflateFailed, .error, isLoss: true,
      "The bytes of a compressed message are no deflate stream.",
      cause: "A sender that sets RSV1 without compressing, or a broken compressor.",
      remedy: "The receiver fails the connection. Switch permessage-deflate off to be sure.",
      source: "RFC 7692 §7.2.2"),
    Explanation(
      .badCompression, .error,
      """
      A compressed message can be read, but refers to more than was agreed on, or does not end as \
      it has to.
      """,
      cause: """
        A compressor that does not know what the handshake settled (no_context_takeover, \
        max_window_bits), or a sender that does not flush it to the end of the message.
        """,
      remedy: """
        A receiver that trusts the handshake cannot inflate it and fails the connection: it works \
        with some peers only. Correct the sender, or do not let it agree to these parameters.
        """,
      source: "RFC 7692 §7.1.1, §7.1.2, §7.2.1"),
    Explanation(
      .contextLost, .warning, isLoss: true,
      "A compressed message refers to messages that were not captured: pieces of it are not known.",
      cause: """
        The capture began in the middle or lost packets. With context takeover this goes on, \
        possibly until the connection ends. Text that is shown was sent so, and “·” stands for \
        each byte that is not known.
        """,
      remedy: """
        Capture from the beginning, or let the server answer with server_no_context_takeover and \
        client_no_context_takeover.
        """,
      source: "RFC 7692 §7.1.1"),
  ]

  private static let losses: [Explanation] = [
    Explanation(
      .messageTooLarge, .warning, isLoss: true,
      "A message is larger than any that is put together; its content is not shown.",
      cause: "A file sent as one message, or a small one that inflates to very much.",
      remedy: "Find out which side sends it, and whether the receiver has a limit (1009)."),
    .messageIncomplete(.messageIncomplete),
    .resynchronised(.resynchronised),
    .framingLost(
      .framingLost,
      cause: "Large or compressed messages behind a gap, or one direction that was not captured."),
  ]
}
