// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPFindings``.
extension Finding.Code {
  static let decodeFailed: Self = "wamp.decode-failed"
  static let notStrictJSON: Self = "wamp.not-strict-json"
  static let trailingBytes: Self = "wamp.trailing-bytes"
  static let notAList: Self = "wamp.not-a-list"
  static let emptyList: Self = "wamp.empty-list"
  static let badTypeCode: Self = "wamp.bad-type-code"
  static let extensionCode: Self = "wamp.extension-code"
  static let heartbeatLegacy: Self = "wamp.heartbeat-legacy"
  static let wrongArity: Self = "wamp.wrong-arity"
  static let wrongElementType: Self = "wamp.wrong-element-type"
  static let idOutOfRange: Self = "wamp.id-out-of-range"
  static let idFloat: Self = "wamp.id-float"
  static let subprotocolMissing: Self = "wamp.subprotocol-missing"
  static let opcodeMismatch: Self = "websocket.frame-opcode-mismatch"
}

extension WAMPArray.Fault {
  var code: Finding.Code {
    switch self {
    case .notJSON: .decodeFailed
    case .trailing: .trailingBytes
    case .notAList: .notAList
    case .empty: .emptyList
    case .badCode: .badTypeCode
    case .extensionCode: .extensionCode
    case .arity: .wrongArity
    case .element: .wrongElementType
    case .idRange: .idOutOfRange
    case .idFloat: .idFloat
    }
  }
}

/// Explanations of all findings about WAMP. The lists of others are joined here.
enum WAMPFindings {
  static let all: [Explanation] =
    form + carriage + WAMPSerializerFindings.all + WAMPOrderFindings.all
    + WAMPAuthenticationFindings.all + WAMPRequestFindings.all + WAMPCallFindings.all
    + WAMPGrantFindings.all + WAMPEventFindings.all + WAMPLegFindings.all + WAMPOptionFindings.all
    + WAMPPayloadFindings.all

  /// Of the form of a message.
  private static let form: [Explanation] = [
    Explanation(
      .decodeFailed, .error, isLoss: true,
      "The payload is not what the serializer writes that was negotiated.",
      cause: "Plain text or another protocol sent over the session, or a message cut short.",
      remedy: "The peer must abort the session. See the byte at which it stops being readable.",
      source: "RFC 8259; WAMP, \"Serializers\""),
    Explanation(
      .notStrictJSON, .error, or: .warning,
      "NaN or Infinity stands in the payload: some encoders write it, but JSON has no such thing.",
      cause: "A division by zero or a missing measurement, encoded by Python's json or the like.",
      remedy: """
        Most peers fail to decode it. Send null, or encode with allow_nan=False. It is a warning \
        in other serializers, which have such numbers: peers that use JSON cannot receive them.
        """,
      source: "RFC 8259 §6"),
    Explanation(
      .trailingBytes, .error,
      "Bytes follow a complete message.",
      cause:
        "Batched messages without having negotiated a batched subprotocol, or a stray newline.",
      remedy: "Send one message in each WebSocket message, or negotiate a batched subprotocol.",
      source: "WAMP, \"WebSocket Transport\""),
    Explanation(
      .notAList, .error,
      "The top level of a message is not a list.",
      cause: "Another protocol on the same connection, or an application that sends objects.",
      remedy: "The peer must abort the session. Every WAMP message is a list.",
      source: "WAMP, \"Messages\""),
    Explanation(
      .emptyList, .error,
      "The message is an empty list.",
      cause: "A message that was filtered down to nothing before it was sent.",
      remedy: "The peer must abort the session with wamp.error.protocol_violation.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .badTypeCode, .error,
      "The type code is not an integer, or no message of WAMP has it.",
      cause: "Another protocol, an array of the application's own, or WAMP v1.",
      remedy: "The peer must abort the session: unknown messages cannot be skipped.",
      source: "WAMP, \"Message Codes and Direction\""),
    Explanation(
      .extensionCode, .note,
      "The type code is from 256 to 1023: an extension of some implementation.",
      cause: "A router or a client with messages of its own.",
      remedy: "See what the implementation says of it; others must not receive it.",
      source: "WAMP, \"Extension Messages\""),
    Explanation(
      .heartbeatLegacy, .warning,
      "HEARTBEAT was removed from WAMP in 2015.",
      cause: "A peer of before 2015.",
      remedy: "Update it; use PING and PONG of WebSocket to keep the connection alive.",
      source: "WAMP, drafts before 2015"),
    Explanation(
      .wrongArity, .error,
      "The list is longer or shorter than its type allows.",
      cause:
        "A hand-written message without its Options or Details, which may be {} but not absent.",
      remedy: "Compare it with the layout: wamptap explain NAME.",
      source: "WAMP, \"Message Definitions\""),
    Explanation(
      .wrongElementType, .error,
      "An element is not of the kind that its place asks for.",
      cause:
        "A list where a dictionary is expected, or arguments passed without a list around them.",
      remedy: "Compare it with the layout: wamptap explain NAME. WAMP knows no polymorphism.",
      source: "WAMP, \"Messages\""),
    Explanation(
      .idOutOfRange, .error,
      "An id is 0, negative or above 2^53.",
      cause: "A counter that begins at 0, a signed hash, or 64-bit random numbers.",
      remedy: "Use 1 to 9007199254740992. A request of 0 is for revocations alone.",
      source: "WAMP, \"IDs\""),
    Explanation(
      .idFloat, .note,
      "An id is sent as a float with an integral value.",
      cause: "JavaScript encoders, which send large integers as floats.",
      remedy: "Most peers accept it. Configure the encoder to write integers.",
      source: "WAMP, \"IDs\""),
  ]

  /// Of what carries the messages.
  private static let carriage: [Explanation] = [
    Explanation(
      .subprotocolMissing, .warning,
      "The server accepted WebSocket without choosing a subprotocol: the serializer is a guess.",
      cause: "A server or a proxy that drops Sec-WebSocket-Protocol.",
      remedy: "Strict clients fail the connection. Let the server echo one of those offered.",
      source: "RFC 6455 §4.1; WAMP, \"WebSocket Transport\""),
    Explanation(
      .opcodeMismatch, .error,
      "A text frame under a binary serializer, or a binary frame under a text serializer.",
      cause: "An encoder whose output is sent by the wrong call of the WebSocket library.",
      remedy: "JSON goes into text messages, all other serializers into binary ones.",
      source: "WAMP, \"WebSocket Transport\""
    ).foundOnce,
  ]
}
