// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``SockJSFindings``.
extension Finding.Code {
  static let sockJSBadFrame: Self = "sockjs.bad-frame"
  static let sockJSNotString: Self = "sockjs.value-not-string"
  static let sockJSBadSend: Self = "sockjs.bad-send"
  static let sockJSOpenMissing: Self = "sockjs.open-missing"
  static let sockJSOpenAgain: Self = "sockjs.open-again"
  static let sockJSAfterClose: Self = "sockjs.frame-after-close"
  static let sockJSClosed: Self = "sockjs.session-closed"
  static let sockJSReceiverTwice: Self = "sockjs.receiver-twice"
  static let sockJSHeartbeatLate: Self = "sockjs.heart-beat-late"
  static let sockJSBodyIncomplete: Self = "sockjs.body-incomplete"
  static let sockJSReceiverAborted: Self = "sockjs.receiver-aborted"
  static let sockJSSendRefused: Self = "sockjs.send-refused"
  static let sockJSSendUnanswered: Self = "sockjs.send-unanswered"
  static let sockJSSendOverlap: Self = "sockjs.send-overlap"
  static let sockJSLeftOpen: Self = "sockjs.session-left-open"
  static let sockJSRawEndpoint: Self = "sockjs.raw-endpoint"
  static let sockJSInfoFailed: Self = "sockjs.info-failed"
  static let sockJSAffinityLost: Self = "sockjs.affinity-lost"
  static let sockJSFellBack: Self = "sockjs.fell-back"
  static let sockJSLoneSurrogate: Self = "sockjs.lone-surrogate"
}

enum SockJSFindings {
  private static let framing = "SockJS protocol 0.3.4, \"Framing and encoding\""
  private static let http = "SockJS protocol 0.3.4, \"HTTP polling\""

  static let all: [Explanation] = [
    Explanation(
      .sockJSBadFrame, .error, "What a SockJS server sent is no frame, or its JSON cannot be read.",
      cause: "A proxy that rewrites bodies, or a server that sends messages without their frame.",
      remedy: "Compare what the server sent with what arrived behind the proxy.",
      source: framing),
    Explanation(
      .sockJSNotString, .warning,
      "A SockJS server put a JSON value where a string belongs. It is reported once a session.",
      cause: "A server that hands objects to sockjs-tornado, which puts them into the list as they"
        + " are: OctoPrint does so. The client of SockJS hands them on; others may expect strings.",
      remedy: "Nothing, if all clients take objects; else make them JSON text before sending.",
      source: framing),
    Explanation(
      .sockJSBadSend, .error, "What a SockJS client sent is no list of strings.",
      cause: "A client that talks to the WebSocket of SockJS without its library: what it sends is"
        + " to be wrapped as [\"…\"]. Servers close the session, or ignore it without a word.",
      remedy: "Use a SockJS client, or connect to PREFIX/websocket, which has no framing.",
      source: framing),
    Explanation(
      .sockJSOpenMissing, .error, "The first frame of a SockJS session is not o.",
      cause: "The server is none of SockJS, or a proxy lost the first frame.",
      remedy: "See which server answers at this URL.", source: framing),
    Explanation(
      .sockJSOpenAgain, .warning, "A SockJS session that is open is opened once more.",
      cause: "The server lost the session: it was restarted, or another node behind a load"
        + " balancer answered.",
      remedy: "Let the load balancer keep a session on one server (sticky sessions).",
      source: framing),
    Explanation(
      .sockJSAfterClose, .error, "A SockJS server sends a frame behind the one that closes.",
      cause: "A fault of the server.", remedy: "Report it to those who make the server.",
      source: framing),
    Explanation(
      .sockJSClosed, .warning, or: .note,
      "The server closed a SockJS session, and said why; with 1000 or 3000 it is a note.",
      cause: "Libraries say 3000 as a rule, applications 1000; other codes are the"
        + " application's own. The CLOSE of the WebSocket has 1000 in all cases.",
      remedy: "Look the code up in the application.", source: framing),
    Explanation(
      .sockJSReceiverTwice, .warning, "Two requests for messages of one SockJS session were open.",
      cause: "A client that asks again before its first request has ended, or two that share an"
        + " id.",
      remedy: "Wait for the end of a request before the next one.",
      source: "SockJS protocol 0.3.4, \"Connection closed\""),
    Explanation(
      .sockJSBodyIncomplete, .warning, isLoss: true,
      "Of a request or a response of a SockJS session, bytes are missing or cannot be read.",
      cause: "A packet that was not captured, or a body that was changed.",
      remedy: "Capture with a larger buffer (-B), and on the machine of one of the two.",
      source: http),
    Explanation(
      .sockJSReceiverAborted, .warning, "A response of a SockJS session ends inside of a frame.",
      cause: "A proxy with a timeout, a server that was stopped, or a client that went away.",
      remedy: "See which side closed the connection; set the idle time of proxies above the"
        + " heart-beat.",
      source: http),
    Explanation(
      .sockJSSendRefused, .warning, "A SockJS server refused messages of a client.",
      cause: "With 404 it does not know the session, which has ended, or another node has it; with"
        + " 500 the body is no list of JSON strings.",
      remedy: "Let the load balancer keep a session on one server (sticky sessions).",
      source: http),
    Explanation(
      .sockJSSendUnanswered, .warning,
      "A request that sends messages of a SockJS session was not answered.",
      cause: "A server that hangs or was stopped, a proxy in front of it with a timeout, a network"
        + " that lost the request or the answer, or a client that gave up. It is reported where the"
        + " server closed the connection, or where no answer came for five seconds.",
      remedy: "See who closed the connection, and what the server did then; the client sends"
        + " nothing more until it has an answer.",
      source: http),
    Explanation(
      .sockJSSendOverlap, .warning,
      "A SockJS client sends while an earlier request of its session has no answer.",
      cause: "A client without the library of SockJS, which waits for the answer to one request"
        + " before it sends the next: the two come over different connections, in any order.",
      remedy: "Send one request at a time, with all messages that wait in one list.",
      source: http),
    Explanation(
      .sockJSLeftOpen, .note, "A SockJS session over HTTP was not closed when the capture ended.",
      cause: "It goes on, or its page was closed or lost its network: over HTTP nothing says so,"
        + " and the server gives such a session up after some seconds.",
      remedy: "Capture longer, or see whether its last request was cut off.", source: http),
    Explanation(
      .sockJSRawEndpoint, .note,
      "A WebSocket uses the raw endpoint of a SockJS server, PREFIX/websocket.",
      cause: "A client without the library of SockJS: what it sends and receives has no frames such"
        + " as a[…], and no heart-beats of SockJS.",
      remedy: "Nothing, unless it should talk SockJS: then it has to use"
        + " PREFIX/SERVER/SESSION/websocket.",
      source: "SockJS protocol 0.3.4, \"Raw WebSocket endpoint\""),
    Explanation(
      .sockJSInfoFailed, .warning,
      "The request with which a client of SockJS begins was refused.",
      cause: "A server that is down behind its proxy, or a path that is not forwarded to it. It is"
        + " reported only where a session of that server and path was seen before: /info alone may"
        + " be of anything.",
      remedy: "Ask for PREFIX/info yourself: it answers with JSON.",
      source: "SockJS protocol 0.3.4, \"Info test\""),
    Explanation(
      .sockJSAffinityLost, .warning,
      "A SockJS server does not know a session of which another request is open.",
      cause: "A load balancer sends the requests of one session to several servers, and only one of"
        + " them has it. Clients close the session then.",
      remedy: "Let the load balancer keep a session on one server (sticky sessions, by a cookie).",
      source: http),
    Explanation(
      .sockJSFellBack, .note,
      "A SockJS client was refused a WebSocket, and uses a transport over HTTP instead.",
      cause: "A proxy that does not pass the Upgrade header on, or a server without WebSockets.",
      remedy: "Let the proxy pass Upgrade and Connection on; see http.upgrade-refused for the"
        + " answer.",
      source: "SockJS protocol 0.3.4, \"WebSocket protocols\""),
    Explanation(
      .sockJSHeartbeatLate, .warning,
      "Nothing came from a SockJS server for more than twice its period.",
      cause: "A proxy that holds responses back or closes idle ones, or a server that is busy.",
      remedy: "Turn buffering off in the proxy, and set its idle time above the heart-beat.",
      source: framing),
    Explanation(
      .sockJSLoneSurrogate, .warning, "A SockJS message has half of a surrogate pair.",
      cause: "The text was cut in the middle of a character, as an emoji is two units in"
        + " JavaScript.",
      remedy: "Cut texts between characters.", source: framing),
  ]
}
