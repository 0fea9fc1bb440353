// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPOrderFindings``.
extension Finding.Code {
  static let messageBeforeHello: Self = "wamp.message-before-hello"
  static let messageBeforeWelcome: Self = "wamp.message-before-welcome"
  static let helloTwice: Self = "wamp.hello-twice"
  static let welcomeTwice: Self = "wamp.welcome-twice"
  static let welcomeUnsolicited: Self = "wamp.welcome-unsolicited"
  static let challengeAfterOpen: Self = "wamp.challenge-after-open"
  static let authenticateUnsolicited: Self = "wamp.authenticate-unsolicited"
  static let messageAfterAbort: Self = "wamp.message-after-abort"
  static let messageAfterGoodbye: Self = "wamp.message-after-goodbye"
  static let abortAfterOpen: Self = "wamp.abort-after-open"
  static let sessionAborted: Self = "wamp.session-aborted"
  static let sessionLost: Self = "wamp.session-lost"
  static let goodbyeUnanswered: Self = "wamp.goodbye-unanswered"
  static let wrongDirection: Self = "wamp.wrong-direction"
  static let rolesMissing: Self = "wamp.roles-missing"
}

/// Explanations of findings about the order in which a session is opened, used and closed.
enum WAMPOrderFindings {
  static let all: [Explanation] = [
    Explanation(
      .messageBeforeHello, .error,
      "The client's first message is not HELLO.",
      cause: "A client that skips the handshake, or took the connection for a session.",
      remedy: "Send HELLO first and wait for WELCOME.",
      source: "WAMP, \"Session Establishment\""),
    Explanation(
      .messageBeforeWelcome, .error,
      "A message that needs an open session came before WELCOME.",
      cause:
        "A client that does not wait for the session to be open before it subscribes or calls.",
      remedy: "Wait for WELCOME; the router must abort the session.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .helloTwice, .error,
      "A second HELLO came while the session had not ended.",
      cause: "A reconnect that uses the old connection, or a join that is called twice.",
      remedy: "Say GOODBYE and wait for the answer before joining again.",
      source: "WAMP, \"Session Establishment\""),
    Explanation(
      .welcomeTwice, .error,
      "A second WELCOME came while the session was open.",
      cause: "A router that answers the same HELLO twice.",
      remedy: "Report it to the authors of the router: the client must abort.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .welcomeUnsolicited, .error,
      "WELCOME or CHALLENGE came, but no HELLO asked for a session.",
      cause: "A router that speaks first, or mixes connections up.",
      remedy: "Report it to the authors of the router.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .challengeAfterOpen, .error,
      "CHALLENGE came while the session was open.",
      cause: "A router that asks for authentication again in the middle of a session.",
      remedy: "The client must abort. Let the router end the session instead.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .authenticateUnsolicited, .error,
      "AUTHENTICATE came, but no CHALLENGE asked for it.",
      cause: "A client that sends its credentials ahead, or twice.",
      remedy: "Wait for CHALLENGE and answer it once.",
      source: "WAMP, \"Authentication Methods\""),
    Explanation(
      .messageAfterAbort, .error,
      "A side went on after ABORT had ended the session.",
      cause: "A client that does not look at ABORT and goes on with its requests.",
      remedy: "Stop at ABORT; a new session begins with HELLO.",
      source: "WAMP, \"Session Aborting\""),
    Explanation(
      .messageAfterGoodbye, .error,
      "A side went on after it had said GOODBYE.",
      cause: "Clean-up that runs in parallel with leaving: UNSUBSCRIBE behind GOODBYE.",
      remedy: "Finish all requests first; GOODBYE is the last message of its sender.",
      source: "WAMP, \"Session Closing\""),
    Explanation(
      .abortAfterOpen, .warning,
      "ABORT ended an open session.",
      cause: "One side took a message of the other for a violation of the protocol.",
      remedy: "Look at the reason, and at the message right before it.",
      source: "WAMP, \"Session Aborting\""),
    Explanation(
      .sessionAborted, .warning,
      "ABORT refused the session.",
      cause: "No such realm, wrong credentials, or no permission.",
      remedy: "Look at the reason: wamptap explain NAME.",
      source: "WAMP, \"Session Aborting\""),
    Explanation(
      .sessionLost, .note,
      "The connection ended while the session was open, without GOODBYE.",
      cause: "A browser tab that was closed, a crash, or a network that went away.",
      remedy: "Harmless where clients just disconnect; else see which side closed the connection.",
      source: "WAMP, \"Session Closing\""),
    Explanation(
      .goodbyeUnanswered, .warning,
      "The connection ended before GOODBYE was answered.",
      cause: "A client that closes the connection right after GOODBYE.",
      remedy: "Wait for the other GOODBYE before closing.",
      source: "WAMP, \"Session Closing\""),
    Explanation(
      .wrongDirection, .error,
      "A message came from the side that never sends it.",
      cause: "A client that plays the router, or an echo of what was received.",
      remedy: "Find out which side may send the message: wamptap explain NAME.",
      source: "WAMP, \"Message Codes and Direction\""),
    Explanation(
      .rolesMissing, .error,
      "HELLO or WELCOME announces no roles.",
      cause: "A hand-written handshake with empty Details.",
      remedy: "Announce at least one role, as in {\"roles\":{\"caller\":{}}}.",
      source: "WAMP, \"Session Establishment\""),
  ]
}
