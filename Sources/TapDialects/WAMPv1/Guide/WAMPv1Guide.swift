// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What `wamptap explain` knows of WAMP v1. Layouts are made from ``WAMPv1Type``.
enum WAMPv1Guide {
  static let messageTypes = Topic.Group("WAMP v1 message types", "WAMP v1 message type")

  static let topics: [Topic] = [
    message(
      0, "The server opens the session and says which version of WAMP it speaks.",
      [
        .sender("server → client, as the first message of the connection"),
        .answered("nothing: the client begins to call and to subscribe"),
        .beware("The server speaks first; in WAMP v2, the client does, with HELLO."),
        .example([#"[0,"v59mbCGDXZ7WTyxB",1,"Autobahn/0.5.1"]"#]),
      ], "WELCOME Message"),
    message(
      1, "Declares an abbreviation for URIs, which holds until the connection ends.",
      [
        .sender("client → server"), .answered("nothing"),
        .beware(
          """
          calc:square then stands for the URI of calc with square behind it. EVENT has its topic \
          always in full. In WAMP v2, code 1 is HELLO.
          """),
        .example([
          #"[1,"calc","http://example.com/simple/calc#"]"#,
          #"[2,"M0nncaH0ywCSYzRv","calc:square",23]"#,
        ]),
      ], "PREFIX Message"),
    message(
      2, "The client calls a procedure of the server, with any number of arguments.",
      [
        .sender("client → server"), .answered("CALLRESULT or CALLERROR"),
        .beware(
          """
          Ids are texts that the client chooses. The server itself is called: there are no \
          callees. In WAMP v2, code 2 is WELCOME; in OCPP-J it is a CALL too, whose procedure is \
          no URI.
          """), .example([#"[2,"7DK6TdN4wLiUJgNM","http://example.com/api#howdy"]"#]),
      ], "CALL Message"),
    message(
      3, "The result of a call, as one value.",
      [
        .sender("server → client"), .answers("CALL"), .answered("nothing"),
        .beware(
          """
          Nothing in it but the id says what it answers. In WAMP v2, code 3 is ABORT; in OCPP-J it \
          is a CALLRESULT too, whose result is an object.
          """),
        .example([
          #"[2,"CcDnuI2bl2oLGBzO","http://example.com/api#storeMeal",{"category":"dinner"}]"#,
          #"[3,"CcDnuI2bl2oLGBzO",null]"#,
        ]),
      ], "CALLRESULT Message"),
    message(
      4, "The call failed: a URI says why, and a text says it to people.",
      [
        .sender("server → client"), .answers("CALL"), .answered("nothing"),
        .beware("In WAMP v2, code 4 is CHALLENGE, and ERROR reports what failed."),
        .example([
          #"[4,"gwbN3EDtFv6JvNV5","http://autobahn.tavendo.de/error#generic","math domain error"]"#
        ]),
      ], "CALLERROR Message"),
    message(
      5, "The client asks for the events of a topic.",
      [
        .sender("client → server"),
        .answered("nothing: whether it was granted shows by the events that come"),
        .beware("There is no acknowledgement and no id. In WAMP v2, code 5 is AUTHENTICATE."),
        .example([#"[5,"http://example.com/simple"]"#]),
      ], "SUBSCRIBE Message"),
    message(
      6, "The client wants no more events of a topic.",
      [
        .sender("client → server"), .answered("nothing"), .beware("In WAMP v2, code 6 is GOODBYE."),
        .example([#"[6,"http://example.com/simple"]"#]),
      ], "UNSUBSCRIBE Message"),
    message(
      7, "The client sends an event to a topic.",
      [
        .sender("client → server"), .answered("nothing"),
        .beware(
          """
          A publisher that has subscribed to the topic gets its own event, unless excludeMe is \
          true; in WAMP v2 it is the other way round. There, code 7 was HEARTBEAT.
          """), .example([#"[7,"http://example.com/simple","Hello, world!"]"#]),
      ], "PUBLISH Message"),
    message(
      8, "The server delivers what was published.",
      [
        .sender("server → client"), .answered("nothing"),
        .beware("It has the URI of its topic, and no id. In WAMP v2, code 8 is ERROR."),
        .example([#"[8,"http://example.com/simple","Hello, I am a simple event."]"#]),
      ], "EVENT Message"),
  ]

  private static func message(
    _ code: UInt64, _ summary: String, _ parts: [Topic.Part], _ source: String
  ) -> Topic {
    let type = WAMPv1Type.all[Int(code)]
    return Topic(
      messageTypes, type.name.description, summary,
      label: "WAMP v1 message type \(code) (0x\(String(code, radix: 16)))", numbers: code...code,
      aliases: ["wampv1 \(type.name)"],
      [.layout(type.layouts)] + parts, source: "WAMP v1, \"\(source)\"")
  }
}
