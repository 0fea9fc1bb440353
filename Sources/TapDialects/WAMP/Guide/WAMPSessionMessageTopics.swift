// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPSessionMessageTopics {
  /// The messages that open and close a session.
  static let all: [Topic] = [
    WAMPGuide.message(
      1, "The client asks to join a realm, and says which roles and features it has.",
      [
        .sender("client → router, as the first message of the connection"),
        .answered("WELCOME, CHALLENGE or ABORT"),
        .beware(
          """
          Details.roles must name at least one role. A second HELLO before the session is closed \
          is a protocol error; after GOODBYE, the same connection may join again.
          """), .example([#"[1,"realm1",{"roles":{"caller":{},"subscriber":{}}}]"#]),
      ], source: "WAMP, \"Session Establishment\""),
    WAMPGuide.message(
      2, "The router opens the session and gives it its id.",
      [
        .sender("router → client"), .answers("HELLO, or AUTHENTICATE"),
        .answered("nothing: the session is open"),
        .beware(
          """
          Details.roles names what the router can do: broker, dealer. A feature that is not among \
          them will be ignored. Details.authrole may be another than the one that was wished for.
          """),
        .example([
          #"[2,9129137332,{"roles":{"broker":{},"dealer":{}}}]"#
        ]),
      ], source: "WAMP, \"Session Establishment\""),
    WAMPGuide.message(
      3, "The session is refused or broken off, with a reason.",
      [
        .sender("router or client"), .answers("HELLO, CHALLENGE or AUTHENTICATE, while opening"),
        .answered("nothing, ever: the session is over"),
        .causes(
          """
          Before WELCOME: a realm that does not exist, credentials that are wrong, no common \
          authentication method. After it: a protocol violation; look at the message before.
          """),
        .beware(
          """
          Some peers break off without it: on a protocol error Autobahn closes the WebSocket with \
          1002 instead. Others refuse its forms with arguments.
          """), .example([#"[3,{"message":"try later"},"wamp.error.no_such_realm"]"#]),
      ], source: "WAMP, \"Session Establishment\""),
    WAMPGuide.message(
      4, "The router wants proof of who the client is.",
      [
        .sender("router → client"), .answers("HELLO, or a first AUTHENTICATE"),
        .answered("AUTHENTICATE, or ABORT by the client"),
        .beware(
          """
          AuthMethod should be one of HELLO.Details.authmethods. The text to sign is in \
          Extra, though the specification calls it Details in places.
          """), .example([#"[4,"ticket",{}]"#]),
      ], source: "WAMP, \"Authentication Methods\""),
    WAMPGuide.message(
      5, "The client proves who it is.",
      [
        .sender("client → router"), .answers("CHALLENGE"),
        .answered("WELCOME, ABORT, or another CHALLENGE for a second factor"),
        .beware(
          """
          With the method ticket, the signature is the password itself. It is masked here unless \
          --show-secrets is given.
          """), .example([#"[5,"secret!!!",{}]"#]),
      ], source: "WAMP, \"Authentication Methods\""),
    WAMPGuide.message(
      6, "The peer closes the session, or confirms that it is closed.",
      [
        .sender("client or router"), .answers("GOODBYE of the other side"),
        .answered("GOODBYE, unless it is itself the answer"),
        .beware(
          """
          Whether it is an answer depends on what came before, not on its reason. Two that cross \
          answer each other. Browsers just drop the connection instead. Subscriptions, \
          registrations and open calls end with the session.
          """), .example([#"[6,{},"wamp.close.close_realm"]"#]),
      ], source: "WAMP, \"Session Closing\""),
    WAMPGuide.message(
      7, "A peer said that it is alive. Removed from WAMP in 2015.",
      [
        .sender("client or router, before 2015"), .answered("nothing"),
        .causes("A peer of before 2015. Others must abort the session."), .example(["[7,0,0]"]),
      ], source: "WAMP, drafts before 2015"),
    WAMPGuide.message(
      8, "A request failed. REQUEST.Type says of which kind it was, REQUEST.Request which one.",
      [
        .sender(
          """
          router → client; callee → router for INVOCATION (68) alone, which the router passes on \
          to the caller as an ERROR of its CALL (48)
          """),
        .answers(
          """
          CALL (48), REGISTER (64), UNREGISTER (66), SUBSCRIBE (32), UNSUBSCRIBE (34), INVOCATION \
          (68), and PUBLISH (16) if it asked for an acknowledgement
          """), .answered("nothing"),
        .causes(
          """
          The URI says it: wamp.error.* are of the router or its libraries, all others of the \
          application. For a CALL, the error is the callee's own unless the router made it.
          """),
        .beware("An id alone does not name the request: CALL 7 and SUBSCRIBE 7 may both be open."),
        .example([
          #"[48,7,{},"com.user.get",[123]]"#,
          #"[8,48,7,{},"com.user.error.not_found",["no user 123"]]"#,
        ]),
      ], source: "WAMP, \"Call ERROR\" and the like"),
  ]
}
