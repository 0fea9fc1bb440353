// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``STOMPFindings``.
extension Finding.Code {
  static let stompBeforeConnect: Self = "stomp.frame-before-connect"
  static let stompConnectTwice: Self = "stomp.connect-twice"
  static let stompConnectUnanswered: Self = "stomp.connect-unanswered"
  static let stompConnectRefused: Self = "stomp.connect-refused"
  static let stompVersionMissing: Self = "stomp.version-missing"
  static let stompVersionNotOffered: Self = "stomp.version-not-offered"
  static let stompVersionUnlike: Self = "stomp.version-unlike-subprotocol"
  static let stompHostMissing: Self = "stomp.host-missing"
  static let stompNotInVersion: Self = "stomp.not-in-version"
  static let stompACKForm: Self = "stomp.ack-form"
  static let stompReceiptOnConnect: Self = "stomp.receipt-on-connect"
  static let stompAfterDisconnect: Self = "stomp.frame-after-disconnect"
  static let stompDisconnectMissing: Self = "stomp.disconnect-missing"
  static let stompDisconnectUnconfirmed: Self = "stomp.disconnect-unconfirmed"
  static let stompErrorReply: Self = "stomp.error-reply"
  static let stompErrorNotClosed: Self = "stomp.error-not-closed"
  static let stompClosedWithoutError: Self = "stomp.closed-without-error"
  static let stompHeartBeatInvalid: Self = "stomp.heart-beat-invalid"
  static let stompHeartBeats: Self = "stomp.heart-beats"
  static let stompHeartBeatMissed: Self = "stomp.heart-beat-missed"
  static let stompHeartBeatUnasked: Self = "stomp.heart-beat-unasked"
  static let stompInClear: Self = "stomp.credentials-in-clear"
}

/// About connections.
extension STOMPFindings {
  static let opening: [Explanation] = [
    Explanation(
      .stompBeforeConnect, .error, "The client sends a frame before CONNECT.",
      cause: "A raw SUBSCRIBE or SEND written to the socket, without a STOMP session.",
      remedy: "Send CONNECT first, with accept-version and host, wait for CONNECTED, and end each"
        + " frame with NUL; a STOMP library does all of this.",
      source: "STOMP 1.2, \"CONNECT or STOMP Frame\""),
    Explanation(
      .stompConnectTwice, .error, "The client sends CONNECT in a session that is open.",
      cause: "Two parts of the client that share one connection.",
      remedy: "Send one CONNECT for each connection.",
      source: "STOMP 1.2, \"CONNECT or STOMP Frame\""),
    Explanation(
      .stompConnectUnanswered, .warning, or: .note, "CONNECT has neither CONNECTED nor ERROR.",
      cause: "A frame without NUL, a port of another protocol, or a server that is not ready.",
      remedy: "See that the frame ends with NUL, then look into the server's log.",
      source: "STOMP 1.2, \"CONNECTED Frame\""),
    Explanation(
      .stompConnectRefused, .warning, "The server answers CONNECT with ERROR.",
      cause: "Wrong login or passcode, an unknown virtual host, or no version in common.",
      remedy: "Read the ERROR, and the server's log.", source: "STOMP 1.2, \"ERROR\""),
    Explanation(
      .stompVersionMissing, .note, "CONNECT has no accept-version.",
      cause: "A client of STOMP 1.0, or a frame written by hand.",
      remedy: "Add accept-version:1.2; without it the server speaks STOMP 1.0.",
      source: "STOMP 1.2, \"Protocol Negotiation\""),
    Explanation(
      .stompVersionNotOffered, .error, "CONNECTED has a version that the client did not offer.",
      cause: "A server, or a program between, that does not read accept-version.",
      remedy: "Offer that version, or correct the server.",
      source: "STOMP 1.2, \"Protocol Negotiation\""),
    Explanation(
      .stompVersionUnlike, .warning,
      "CONNECTED has another version than the subprotocol of the WebSocket.",
      cause: "A client that offers subprotocols and versions from two lists.",
      remedy: "Offer the same ones in both; CONNECTED counts.", source: "wamptap"),
    Explanation(
      .stompHostMissing, .note, "CONNECT has no host.",
      cause: "The client library stomp.js, unless the application sets it.",
      remedy: "Name the virtual host; servers take their default one otherwise.",
      source: "STOMP 1.2, \"CONNECT or STOMP Frame\""),
    Explanation(
      .stompNotInVersion, .error, "A frame uses what STOMP 1.0 does not have.",
      cause: "NACK or client-individual, and no accept-version in CONNECT.",
      remedy: "Ask for 1.1 or 1.2 with accept-version.", source: "STOMP 1.2, \"NACK\""),
    Explanation(
      .stompACKForm, .error, "ACK or NACK has the headers of another version.",
      cause: "STOMP 1.2 wants id, 1.1 message-id and subscription, 1.0 message-id.",
      remedy: "In 1.2, send the ack header of the MESSAGE as id.", source: "STOMP 1.2, \"ACK\""),
    Explanation(
      .stompReceiptOnConnect, .warning, "CONNECT asks for a receipt.",
      cause: "A client that asks for one with each frame.",
      remedy: "Leave it out; CONNECTED is the answer.", source: "STOMP 1.2, \"Header receipt\""),
    Explanation(
      .stompInClear, .warning, isSecurity: true,
      "Login or passcode are sent without encryption.",
      cause: "A ws:// URL or plain TCP between two machines.", remedy: "Use wss:// or TLS.",
      source: "wamptap"),
    Explanation(
      .stompHeartBeatInvalid, .error, "The heart-beat header is no two numbers.",
      cause: "Seconds with a fraction, one number only, or a blank.",
      remedy: "Write two numbers of milliseconds: heart-beat:10000,10000.",
      source: "STOMP 1.2, \"Heart-beating\""),
  ]

  static let ending: [Explanation] = [
    Explanation(
      .stompAfterDisconnect, .error, "The client sends a frame after DISCONNECT.",
      cause: "A part of the client that does not know of the end.",
      remedy: "Send nothing after DISCONNECT; close after its RECEIPT.",
      source: "STOMP 1.2, \"DISCONNECT\""),
    Explanation(
      .stompDisconnectMissing, .note, "The client ends the connection without DISCONNECT.",
      cause: "A page that was closed, or a program that ended.",
      remedy: "Send DISCONNECT with a receipt: otherwise frames sent last may be lost.",
      source: "STOMP 1.2, \"DISCONNECT\""),
    Explanation(
      .stompDisconnectUnconfirmed, .note, "DISCONNECT asked for a receipt, and got none.",
      cause: "RabbitMQ over WebSocket sends none; stomp-websocket does not wait for it.",
      remedy: "Ask for receipts of the frames that matter.", source: "STOMP 1.2, \"DISCONNECT\""),
    Explanation(
      .stompErrorReply, .warning, "The server sends an ERROR.",
      cause: "What its message header and its body say.",
      remedy: "The receipt-id says which frame it is about; without one, see the last frames.",
      source: "STOMP 1.2, \"ERROR\""),
    Explanation(
      .stompErrorNotClosed, .note, "The server goes on after an ERROR.",
      cause: "RabbitMQ and ActiveMQ do so on purpose.",
      remedy: "STOMP 1.2 says that the server closes; do not rely on either.",
      source: "STOMP 1.2, \"ERROR\""),
    Explanation(
      .stompClosedWithoutError, .warning,
      "The server ends the connection, without an ERROR that says why.",
      cause: "Missed heart-beats, a limit, or a restart.", remedy: "Look into the server's log.",
      source: "STOMP 1.2, \"Connection Lingering\""),
    Explanation(
      .stompHeartBeats, .note, "The heart-beats that both sides agreed on, and how they were kept.",
      cause: "Each side says in heart-beat what it can send and what it wants.",
      remedy: "Nothing. The larger of the two numbers counts; 0 on either side means none.",
      source: "STOMP 1.2, \"Heart-beating\""),
    Explanation(
      .stompHeartBeatMissed, .warning, or: .error,
      "A side is silent for more than twice as long as it agreed to; an error where the other side"
        + " then ends the connection.",
      cause: "A blocked event loop, a browser tab in the background, or a proxy that holds data"
        + " back.",
      remedy: "Send heart-beats from a timer of its own, or agree on a longer interval.",
      source: "STOMP 1.2, \"Heart-beating\""),
    Explanation(
      .stompHeartBeatUnasked, .note, "A side sends heart-beats that were not agreed on.",
      cause: "A library that sends line ends in any case.", remedy: "Nothing: it does no harm.",
      source: "STOMP 1.2, \"Heart-beating\""),
  ]
}
