// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``EngineIOFindings``.
extension Finding.Code {
  static let eioOpenInvalid: Self = "engineio.open-invalid"
  static let eioPacketTypeUnknown: Self = "engineio.packet-type-unknown"
  static let eioBase64Invalid: Self = "engineio.base64-invalid"
  static let eioHeartbeatDirection: Self = "engineio.heartbeat-direction"
  static let eioPingUnanswered: Self = "engineio.ping-unanswered"
  static let eioPingMissing: Self = "engineio.ping-missing"
  static let eioNoopFromClient: Self = "engineio.noop-from-client"
  static let eioBodyTooLarge: Self = "engineio.body-too-large"
  static let eioAfterClose: Self = "engineio.after-close"
  static let eioVersionMismatch: Self = "engineio.version-mismatch"
  static let eioBodyIncomplete: Self = "engineio.body-incomplete"
  static let eioPayloadLength: Self = "engineio.payload-length"
  static let eioTransportUnknown: Self = "engineio.transport-unknown"
  static let eioSessionUnknown: Self = "engineio.session-unknown"
  static let eioBadHandshake: Self = "engineio.bad-handshake-method"
  static let eioBadRequest: Self = "engineio.bad-request"
  static let eioForbidden: Self = "engineio.forbidden"
  static let eioRequestFailed: Self = "engineio.request-failed"
  static let eioVersionUnsupported: Self = "engineio.version-unsupported"
  static let eioPollingOverlap: Self = "engineio.polling-overlap"
  static let eioPayloadRecords: Self = "engineio.payload-records"
  static let eioUpgradeUnfinished: Self = "engineio.upgrade-unfinished"
  static let eioOldTransport: Self = "engineio.old-transport-used"
  static let eioSessionInClear: Self = "engineio.session-in-cleartext"
  static let eioQueryCredential: Self = "engineio.query-credential"
  static let eioUpgradeTwice: Self = "engineio.upgrade-twice"
  static let eioRevisionUnknown: Self = "engineio.revision-unknown"
}

enum EngineIOFindings {
  static let all: [Explanation] = packets + refusals + requests

  private static let packets: [Explanation] = [
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
      .eioBodyTooLarge, .error,
      "A client sends more bytes at once than the server takes.",
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
      .eioBodyIncomplete, .warning, isLoss: true,
      "Of a body of a polling session, bytes are missing or cannot be read.",
      cause:
        "A packet that was not captured, a connection that broke, or a body that was changed.",
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

  private static let errors = "engine.io, lib/server.ts, \"errors\""

  private static let refusals: [Explanation] = [
    Explanation(
      .eioTransportUnknown, .error, "A server of Engine.IO does not have the transport asked for.",
      cause: "The option transports of client and server differ.",
      remedy: "Give both the same transports.", source: errors),
    Explanation(
      .eioSessionUnknown, .warning, "A server of Engine.IO does not know the session of a request.",
      cause: "Another server behind the same load balancer began it (no sticky sessions), or the"
        + " server was started anew, or the session has timed out.",
      remedy:
        "Have the load balancer send all requests of a session to one server, or use WebSocket"
        + " alone: transports: [\"websocket\"].", source: errors),
    Explanation(
      .eioBadHandshake, .error, "A session of Engine.IO was to begin with a POST.",
      cause: "A client that sends before its OPEN has come, or has lost its session id.",
      remedy: "Begin with a GET, and send with the sid of its answer.", source: errors),
    Explanation(
      .eioBadRequest, .warning, or: .note,
      "A server of Engine.IO refuses a request that does not fit.",
      cause: "A proxy that drops Upgrade, a transport that the session has left, or an Origin that"
        + " the server does not accept.",
      remedy: "See what the server says; allow the Origin in its option cors.", source: errors),
    Explanation(
      .eioForbidden, .warning, "A server of Engine.IO does not let a client in.",
      cause: "The application refuses it: allowRequest, or a handler of connect.",
      remedy: "See what the application says, and whether the client has its credentials.",
      source: errors),
    Explanation(
      .eioRequestFailed, .warning,
      "A request of Engine.IO by polling is answered with an error that is none of Engine.IO.",
      cause: "A proxy that does not reach the server, as while that starts, or another server.",
      remedy: "See what the proxy logs; a client may send again what was not taken, or lose it.",
      source: errors),
    Explanation(
      .eioVersionUnsupported, .error,
      "A server does not speak the revision of Engine.IO that a client asks for.",
      cause:
        "A client of Socket.IO 1 or 2 at a server of 3 or 4, or a newer one at an older server.",
      remedy: "Use versions that fit; a server of version 3 or 4 may have allowEIO3.",
      source: errors),
  ]

  private static let requests: [Explanation] = [
    Explanation(
      .eioPollingOverlap, .error, "Two requests of one polling session are open at once.",
      cause: "A proxy that repeats requests, or two clients with one session id.",
      remedy: "Turn off repetition in the proxy; each client needs a session of its own.",
      source: "engine.io-protocol, \"HTTP long-polling\""),
    Explanation(
      .eioPayloadRecords, .warning,
      "A client sends more packets in one body than python-engineio takes.",
      cause: "A burst of messages while the client polls: from the 17th packet on, the server drops"
        + " the whole body, and says OK.",
      remedy: "Raise max_decode_packets of the server, or use WebSocket.",
      source: "python-engineio, \"max_decode_packets\""),
    Explanation(
      .eioUpgradeUnfinished, .warning,
      "The WebSocket that a session was to move to ended before that.",
      cause: "A proxy that lets the handshake pass and swallows frames, or closes what is idle.",
      remedy: "Let the proxy pass WebSocket on; until then the client polls, which is slower.",
      source: "engine.io-protocol, \"Upgrade\""),
    Explanation(
      .eioUpgradeTwice, .warning, "A session that has moved to a WebSocket opens another one.",
      cause: "A client that was started twice with one session id.",
      remedy: "Begin a session of its own for each client.",
      source: "engine.io-protocol, \"Upgrade\""),
    Explanation(
      .eioOldTransport, .warning,
      "Packets go by polling, though their session has moved to a WebSocket.",
      cause: "A client that keeps two transports of one session, or a proxy that repeats requests.",
      remedy: "See which client that is: servers pass such packets over.",
      source: "engine.io-protocol, \"Upgrade\""),
    Explanation(
      .eioSessionInClear, .warning, "The id of a session is sent without encryption.",
      cause: "The page, or the app, uses http or ws.",
      remedy: "Use https and wss: who has the id can read and write the session by polling.",
      source: "engine.io-protocol, \"Handshake\""),
    Explanation(
      .eioQueryCredential, .warning, "The URL of a session has a credential in it.",
      cause: "The option query of the client.",
      remedy: "Send it as auth with CONNECT: proxies and servers write URLs into their logs.",
      source: "Socket.IO documentation, \"auth\""),
  ]
}
