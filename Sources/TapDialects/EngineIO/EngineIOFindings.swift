// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Finding.Code {
  /// OPEN is no JSON object, or lacks a key.
  static let eioOpenInvalid: Self = "engineio.open-invalid"
  /// A packet whose first character is no type.
  static let eioPacketTypeUnknown: Self = "engineio.packet-type-unknown"
  /// A binary packet in a text that is no base64.
  static let eioBase64Invalid: Self = "engineio.base64-invalid"
  /// A ping or a pong from the side that does not send it in this revision.
  static let eioHeartbeatDirection: Self = "engineio.heartbeat-direction"
  /// A ping had no answer within the time that OPEN gives.
  static let eioPingUnanswered: Self = "engineio.ping-unanswered"
  /// No ping came within the times that OPEN gives.
  static let eioPingMissing: Self = "engineio.ping-missing"
  /// A NOOP that a client sent.
  static let eioNoopFromClient: Self = "engineio.noop-from-client"
  /// More bytes than the server takes.
  static let eioBodyTooLarge: Self = "engineio.body-too-large"
  /// Packets behind a CLOSE.
  static let eioAfterClose: Self = "engineio.after-close"
  /// The two sides speak different revisions.
  static let eioVersionMismatch: Self = "engineio.version-mismatch"
  /// Of a body of polling, bytes are missing or cannot be read.
  static let eioBodyIncomplete: Self = "engineio.body-incomplete"
  /// Lengths that do not take a body of polling apart.
  static let eioPayloadLength: Self = "engineio.payload-length"
  /// A first byte that is data in one revision and a type in another.
  static let eioRevisionUnknown: Self = "engineio.revision-unknown"
}

enum EngineIOFindings {
  static let all: [Explanation] = [
    Explanation(
      .eioOpenInvalid, .error, "The OPEN of a session cannot be read, or lacks a key.",
      cause: "A server that is no Engine.IO, or one that was changed.",
      remedy: "An OPEN needs sid, upgrades, pingInterval and pingTimeout.",
      source: "engine.io-protocol, \"Handshake\""),
    Explanation(
      .eioPacketTypeUnknown, .error, "A packet begins with no type of Engine.IO.",
      cause: "Text of another protocol, or a peer of another revision.",
      remedy: "See which side sent it, and which library that is.",
      source: "engine.io-protocol, \"Packet encoding\""),
    Explanation(
      .eioBase64Invalid, .error, "A binary packet in a text is no base64.",
      cause: "A body that was changed or cut on its way.",
      remedy: "Compare what was sent with what arrived.",
      source: "engine.io-protocol, \"Packet encoding\""),
    Explanation(
      .eioHeartbeatDirection, .error, "A ping or pong comes from the side that does not send it.",
      cause: "Client and server of different revisions: up to 3 the client pings, from 4 on the"
        + " server.",
      remedy: "Update the older side; a server may have allowEIO3.",
      source: "engine.io-protocol, \"Heartbeat\""),
    Explanation(
      .eioPingUnanswered, .warning, "A ping had no answer within pingTimeout.",
      cause: "A client that sleeps or is busy, or a network that is gone.",
      remedy: "Make pingTimeout longer, and look for what blocks the client.",
      source: "engine.io-protocol, \"Heartbeat\""),
    Explanation(
      .eioPingMissing, .warning, "No ping came within pingInterval and pingTimeout.",
      cause: "A server that is gone, or a proxy that has closed one side of the connection.",
      remedy: "Set the idle time of proxies above pingInterval.",
      source: "engine.io-protocol, \"Heartbeat\""),
    Explanation(
      .eioNoopFromClient, .note, "A client sent a NOOP.",
      cause: "The client library of Swift does so when it upgrades.",
      remedy: "Nothing: it is harmless.",
      source: "engine.io-protocol, \"Upgrade\""),
    Explanation(
      .eioBodyTooLarge, .error, "A client sends more bytes at once than the server takes.",
      cause: "A large message, or many that were gathered.",
      remedy: "Raise maxHttpBufferSize of the server, or send less at once.",
      source: "engine.io-protocol, \"Handshake\""),
    Explanation(
      .eioAfterClose, .note, "A side sends packets behind its CLOSE.",
      cause: "Messages that were still waiting when the session was closed.",
      remedy: "Nothing reads them: send them before.", source: "engine.io-protocol"),
    Explanation(
      .eioVersionMismatch, .error, "Client and server speak different revisions.",
      cause: "A client of Socket.IO 3 or 4 at a server of Socket.IO 2, or the other way round.",
      remedy: "Use clients and servers of versions that fit; a server of version 3 or 4 may have"
        + " allowEIO3.",
      source: "Socket.IO documentation, \"Troubleshooting\""),
    Explanation(
      .eioBodyIncomplete, .warning,
      "Of a body of a polling session, bytes are missing or cannot be read.",
      cause: "A packet that was not captured, a connection that broke, or a body that was changed.",
      remedy: "Capture with a larger buffer (-B), and on the machine of one of the two.",
      source: "engine.io-protocol, \"HTTP long-polling\""),
    Explanation(
      .eioPayloadLength, .error, "The lengths in a body of polling do not take it apart.",
      cause: "A proxy that has changed the encoding of the body, or a body that was cut.",
      remedy: "Compare what was sent with what arrived.",
      source: "engine.io-protocol, \"Payload\", revision 3"),
    Explanation(
      .eioRevisionUnknown, .note, "A binary message begins with a byte that may be its type.",
      cause: "The beginning of the session was not captured, so its revision is not known.",
      remedy: "Capture the handshake; a ping shows the revision, too.",
      source: "engine.io-protocol, \"Difference between v3 and v4\""),
  ]
}
