// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Explained in ``RawSocketFindings``.
extension Finding.Code {
  static let badMagic: Self = "rawsocket.bad-magic"
  static let errorReply: Self = "rawsocket.error-reply"
  static let serializerMismatch: Self = "rawsocket.serializer-mismatch"
  static let reservedBits: Self = "rawsocket.reserved-bits"
  static let unknownType: Self = "rawsocket.unknown-type"
  static let oversize: Self = "rawsocket.oversize"
  static let pongMismatch: Self = "rawsocket.pong-mismatch"
  static let invalidUTF8: Self = "rawsocket.invalid-utf8"
  static let messageTooLarge: Self = "rawsocket.message-too-large"
  static let messageIncomplete: Self = "rawsocket.message-incomplete"
  static let resynchronised: Self = "rawsocket.resynchronised"
  static let framingLost: Self = "rawsocket.framing-lost"
  static let rawSocketHandshakeMissing: Self = "rawsocket.handshake-missing"
}

/// Explanations of findings about handshakes and frames.
public enum RawSocketFindings {
  /// Used where RawSocket is recognised in the middle of a stream.
  public static let handshakeMissing = Finding.Code.rawSocketHandshakeMissing

  public static let all: [Explanation] = handshakes + frames + losses

  private static let transport = "WAMP, \"RawSocket Transport\""

  private static let handshakes: [Explanation] = [
    Explanation(
      .badMagic, .error,
      "One side begins as RawSocket does, with 0x7F, and the other does not.",
      cause: "A RawSocket client at the port of an HTTP server, or at one that expects TLS.",
      remedy: "Compare the port and the transport of the client with those of the router.",
      source: transport),
    Explanation(
      .errorReply, .error,
      "The router refuses the client's handshake, and says why by a number.",
      cause: """
        A serializer that the router does not have, a maximum length that it does not take, or too \
        many connections.
        """,
      remedy: "See the reason in the finding, and change the client's serializer or limit.",
      source: transport),
    Explanation(
      .serializerMismatch, .error,
      "The router answers with another serializer than the client has asked for.",
      cause: "A router written by hand, which always answers the same.",
      remedy: """
        The client must fail the connection. Messages are read in the serializer of the router.
        """,
      source: transport),
    Explanation(
      .rawSocketHandshakeMissing, .note, isLoss: true,
      "The handshake of one side, or of both, is missing, so it is not known what that side takes.",
      cause: """
        A capture that began after the client had connected, or that saw one side only; or a \
        router that did not answer.
        """,
      remedy: """
        Start the capture before the client connects. Where both are missing, the serializer is \
        known by the form of the messages, and the client by what it sends.
        """,
      source: transport),
  ]

  private static let frames: [Explanation] = [
    Explanation(
      .reservedBits, .error,
      "Bits that must be zero are set in a handshake or in the header of a frame.",
      cause: """
        A broken sender, bytes that are no frame, or a length of more than 24 bits by an older \
        rule.
        """,
      remedy: "The receiver must fail the connection. See whether a gap stands before it.",
      source: transport),
    Explanation(
      .unknownType, .error,
      "The type of a frame is 3 to 7, which have no meaning yet.",
      cause: "A broken sender, or bytes that are no frame: see whether a gap stands before it.",
      remedy: "The receiver must fail the connection. Look at the sender.",
      source: transport),
    Explanation(
      .oversize, .error,
      "A frame is longer than its receiver has announced in the handshake to take.",
      cause: "A sender that does not look at the limit of the other side.",
      remedy: """
        The receiver will fail the connection. Raise its limit, or send less in one message.
        """,
      source: transport),
    Explanation(
      .pongMismatch, .warning,
      "A PONG repeats the payload of no PING that waits for an answer.",
      cause: "A sender that does not copy the payload, or that sends PONG as a heartbeat.",
      remedy: "Look at the side that sent it: every PING is to be answered by one PONG.",
      source: transport),
    Explanation(
      .invalidUTF8, .error,
      "A message in JSON is not UTF-8.",
      cause: "Binary data put into a string, or another serializer than the handshake says.",
      remedy: "Find the sender of the message; bytes are sent as base64 in WAMP over JSON.",
      source: "RFC 8259 §8.1"),
  ]

  private static let losses: [Explanation] = [
    Explanation(
      .messageTooLarge, .warning, isLoss: true,
      "A message is larger than any that is put together; its content is not shown.",
      cause: "A limit below the 16 MiB that RawSocket allows.",
      remedy: "Its bytes are counted. Find out which side sends it."),
    .messageIncomplete(.messageIncomplete),
    .resynchronised(.resynchronised),
    .framingLost(
      .framingLost,
      cause: "A large message behind a gap, or one direction that was not captured."),
  ]
}
