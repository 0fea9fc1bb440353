// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``SocketIOFindings``.
extension Finding.Code {
  static let sioPacketInvalid: Self = "socketio.packet-invalid"
  static let sioEventBeforeConnect: Self = "socketio.event-before-connect"
  static let sioConnectUnanswered: Self = "socketio.connect-unanswered"
  static let sioConnectRefused: Self = "socketio.connect-refused"
  static let sioConnectTwice: Self = "socketio.connect-twice"
  static let sioAckUnanswered: Self = "socketio.ack-unanswered"
  static let sioNotJoined: Self = "socketio.not-joined"
  static let sioAckUnknown: Self = "socketio.ack-unknown"
  static let sioAckIDReused: Self = "socketio.ack-id-reused"
  static let sioAttachmentMissing: Self = "socketio.attachment-missing"
  static let sioAttachmentInterrupted: Self = "socketio.attachment-interrupted"
  static let sioAttachmentUnexpected: Self = "socketio.attachment-unexpected"
  static let sioAttachmentTooMany: Self = "socketio.attachment-too-many"
  static let sioAttachmentsTooLarge: Self = "socketio.attachments-too-large"
  static let sioPlaceholderInvalid: Self = "socketio.placeholder-invalid"
  static let sioPlaceholderUnused: Self = "socketio.placeholder-unused"
  static let sioRecoveryFailed: Self = "socketio.recovery-failed"
}

enum SocketIOFindings {
  private static let encoding = "socket.io-protocol, \"Packet encoding\""
  private static let binary = "socket.io-protocol, \"Binary\""

  static let all: [Explanation] = connecting + acks + attachments

  private static let connecting: [Explanation] = [
    Explanation(
      .sioPacketInvalid, .error, "A packet breaks a rule of its form.",
      cause: "A packet that was put together by hand, or cut.",
      remedy: "Parsers end the session at it: see which side has made it.", source: encoding),
    Explanation(
      .sioEventBeforeConnect, .error, "A packet was sent in a namespace that was not joined.",
      cause: "A client that does not wait for the answer to its CONNECT, or sent none.",
      remedy: "Send CONNECT for the namespace first, also for /.",
      source: "socket.io-protocol, \"Connection to a namespace\""),
    Explanation(
      .sioConnectUnanswered, .warning, or: .note, "A CONNECT was never answered.",
      cause: "A middleware of the server that never calls next().",
      remedy: "Look at the middlewares of this namespace.",
      source: "socket.io-protocol, \"Connection to a namespace\""),
    Explanation(
      .sioConnectRefused, .warning, "The server refuses a namespace.",
      cause: "What the message says: a login, or a namespace that the server does not have.",
      remedy: "Compare the namespace and what was sent with its CONNECT with what the server"
        + " wants.",
      source: "socket.io-protocol, \"Connection to a namespace\""),
    Explanation(
      .sioConnectTwice, .error, "A client asks for a namespace that it has joined or asked for.",
      cause: "Two parts of a client that share one session.",
      remedy: "Use one socket for each namespace; servers end the session for a second CONNECT.",
      source: "socket.io-protocol, \"Connection to a namespace\""),
    Explanation(
      .sioRecoveryFailed, .note, "A client wanted its session back and got a new one.",
      cause: "It was away for longer than maxDisconnectionDuration, or came to another server.",
      remedy: "The client has to fetch its state anew.",
      source: "Socket.IO documentation, \"Connection state recovery\""),
  ]

  private static let acks: [Explanation] = [
    Explanation(
      .sioAckUnanswered, .warning, or: .note, "An event that asks for an ack has none.",
      cause: "A handler that does not call its callback on one of its paths.",
      remedy: "Call it always, or send the event without asking for an ack.",
      source: "socket.io-protocol, \"Acknowledgement\""),
    Explanation(
      .sioNotJoined, .warning, "A client sent no CONNECT of Socket.IO until its session ended.",
      cause: "A client of Engine.IO alone, or one of Socket.IO 2, which waits for the server's.",
      remedy: "Send 40 behind OPEN, or use the client library of the server's version.",
      source: "socket.io-protocol, \"Connection to a namespace\""),
    Explanation(
      .sioAckUnknown, .warning, "An ack has the id of no event that waits for one.",
      cause: "A callback that is called twice, an ack in another namespace, or one of a session"
        + " before.",
      remedy: "Answer each event once, in its namespace.",
      source: "socket.io-protocol, \"Acknowledgement\""),
    Explanation(
      .sioAckIDReused, .warning, "An event asks for an ack with an id that waits for one already.",
      cause: "Two counters for one namespace.", remedy: "Use one counter.",
      source: "socket.io-protocol, \"Acknowledgement\""),
  ]

  private static let attachments: [Explanation] = [
    Explanation(
      .sioAttachmentMissing, .error, or: .note, "Attachments of a packet never came.",
      cause: "A sender that ended, or a proxy that drops binary messages. In a note: the input"
        + " does not have them.",
      remedy: "Compare with a capture at the other end.", source: binary),
    Explanation(
      .sioAttachmentInterrupted, .error, "Another packet came before all attachments.",
      cause: "A sender that does not keep them together, or a proxy that drops binary messages.",
      remedy: "Parsers end the session at it: see which side has made it.",
      source: binary),
    Explanation(
      .sioAttachmentUnexpected, .error, "A binary message belongs to no packet.",
      cause: "The packet that announces it was lost, or Engine.IO is used for something else, too.",
      remedy: "Parsers end the session at it: see which side has made it.",
      source: binary),
    Explanation(
      .sioAttachmentTooMany, .warning,
      "A packet has more attachments than parsers take by default.",
      cause: "Many binary values in one event.",
      remedy: "Raise maxAttachments of the parser, or send fewer at once.", source: binary),
    Explanation(
      .sioAttachmentsTooLarge, .warning,
      "The attachments of a packet are too large to be put into it.",
      cause: "Very large files in one event, or very many sessions with such at once.",
      remedy: "They are shown as messages of their own.", source: binary),
    Explanation(
      .sioPlaceholderInvalid, .error, "A placeholder names no attachment of its packet.",
      cause: "An encoder that counts wrong.", remedy: "Parsers end the session at it.",
      source: binary),
    Explanation(
      .sioPlaceholderUnused, .note, "A packet has an attachment that no placeholder names.",
      cause: "An encoder that counts wrong.", remedy: "Nothing reads it: do not send it.",
      source: binary),
  ]
}
