// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// What one message is expected to be reported as.
struct Expected: Sendable {
  var json: String
  var name: String
  var links: [String] = []
  var subject = ""
  var payload: [String] = []
  var reason = ""
  var about = ""
}

@Suite struct WAMPTypeTests {
  static let calls: [Expected] = [
    .init(json: #"[48,7,{},"p"]"#, name: "CALL", links: ["opens request 7 @48"], subject: "p"),
    .init(
      json: #"[48,7,{},"p",[1]]"#, name: "CALL", links: ["opens request 7 @48"], subject: "p",
      payload: ["[1]"]),
    .init(
      json: #"[48,7,{},"p",[],{"k":1}]"#, name: "CALL", links: ["opens request 7 @48"],
      subject: "p", payload: ["[]", #"{"k":1}"#]),
    .init(json: "[49,7,{}]", name: "CANCEL", links: ["mentions request 7 @48"]),
    .init(json: "[50,7,{}]", name: "RESULT", links: ["answers request 7 @48"]),
    .init(
      json: "[50,7,{},[1,2]]", name: "RESULT", links: ["answers request 7 @48"],
      payload: ["[1,2]"]),
    .init(
      json: #"[50,7,{"progress":true},[1],{}]"#, name: "RESULT",
      links: ["continues request 7 @48"], payload: ["[1]", "{}"], about: "progressive"),
    .init(
      json: #"[50,7,{"progress":false}]"#, name: "RESULT", links: ["answers request 7 @48"]),
    .init(json: #"[64,7,{},"p"]"#, name: "REGISTER", links: ["opens request 7 @64"], subject: "p"),
    .init(
      json: "[65,7,9]", name: "REGISTERED",
      links: ["answers request 7 @64", "names registration 9 @201r"]),
    .init(
      json: "[66,7,9]", name: "UNREGISTER",
      links: ["opens request 7 @66", "concerns registration 9 @201r"]),
    .init(
      json: "[66,7,9,{}]", name: "UNREGISTER",
      links: ["opens request 7 @66", "concerns registration 9 @201r"]),
    .init(json: "[67,7]", name: "UNREGISTERED", links: ["answers request 7 @66"]),
    .init(
      json: #"[67,0,{"registration":9,"reason":"r"}]"#, name: "UNREGISTERED",
      links: ["concerns registration 9 @201r"], reason: "r", about: "revoked"),
    .init(
      json: "[68,7,9,{}]", name: "INVOCATION",
      links: ["opens request 7 @68", "refers registration 9 @201r"]),
    .init(
      json: #"[68,7,9,{"procedure":"p"},[1],{"a":2}]"#, name: "INVOCATION",
      links: ["opens request 7 @68", "refers registration 9 @201r"], subject: "p",
      payload: ["[1]", #"{"a":2}"#]),
    .init(json: "[69,7,{}]", name: "INTERRUPT", links: ["mentions request 7 @68"]),
    .init(
      json: "[70,7,{},[1]]", name: "YIELD", links: ["answers request 7 @68"], payload: ["[1]"]),
    .init(
      json: #"[70,7,{"progress":true}]"#, name: "YIELD", links: ["continues request 7 @68"],
      about: "progressive"),
  ]

  static let topics: [Expected] = [
    .init(json: #"[16,7,{},"t"]"#, name: "PUBLISH", links: ["opens request 7 @16"], subject: "t"),
    .init(
      json: #"[16,7,{},"t",[1],{"k":2}]"#, name: "PUBLISH", links: ["opens request 7 @16"],
      subject: "t", payload: ["[1]", #"{"k":2}"#]),
    .init(
      json: "[17,7,88]", name: "PUBLISHED",
      links: ["answers request 7 @16", "shares publication 88 @202r"]),
    .init(json: #"[32,7,{},"t"]"#, name: "SUBSCRIBE", links: ["opens request 7 @32"], subject: "t"),
    .init(
      json: "[33,11,5862354]", name: "SUBSCRIBED",
      links: ["answers request 11 @32", "names subscription 5862354 @200r"]),
    .init(
      json: "[34,7,9]", name: "UNSUBSCRIBE",
      links: ["opens request 7 @34", "concerns subscription 9 @200r"]),
    .init(
      json: "[34,7,9,{}]", name: "UNSUBSCRIBE",
      links: ["opens request 7 @34", "concerns subscription 9 @200r"]),
    .init(json: "[35,7]", name: "UNSUBSCRIBED", links: ["answers request 7 @34"]),
    .init(
      json: #"[35,0,{"subscription":9,"reason":"wamp.x"}]"#, name: "UNSUBSCRIBED",
      links: ["concerns subscription 9 @200r"], reason: "wamp.x", about: "revoked"),
    .init(
      json: "[36,9,88,{}]", name: "EVENT",
      links: ["refers subscription 9 @200r", "shares publication 88 @202r"]),
    .init(
      json: #"[36,9,88,{"topic":"t"},[1]]"#, name: "EVENT",
      links: ["refers subscription 9 @200r", "shares publication 88 @202r"], subject: "t",
      payload: ["[1]"]),
    .init(
      json: #"[36,9,88,{},"opaque",{"k":1}]"#, name: "EVENT",
      links: ["refers subscription 9 @200r", "shares publication 88 @202r"],
      payload: [#""opaque""#, #"{"k":1}"#]),
    .init(json: "[337,88]", name: "EVENT_RECEIVED", links: ["shares publication 88 @202r"]),
  ]

  static let session: [Expected] = [
    .init(json: #"[1,"r",{}]"#, name: "HELLO", links: ["opens  0 @1"]),
    .init(json: "[1,null,{}]", name: "HELLO", links: ["opens  0 @1"]),
    .init(json: "[2,55,{}]", name: "WELCOME", links: ["answers  0 @1", "shows session 55 @0r"]),
    .init(json: #"[3,{},"u"]"#, name: "ABORT", links: ["answers  0 @1"], reason: "u"),
    .init(
      json: #"[3,{"message":"m"},"u"]"#, name: "ABORT", links: ["answers  0 @1"],
      payload: [#"{"message":"m"}"#], reason: "u"),
    .init(
      json: #"[3,{},"u",[1],{"k":2}]"#, name: "ABORT", links: ["answers  0 @1"],
      payload: ["[1]", #"{"k":2}"#], reason: "u"),
    .init(
      json: #"[4,"ticket",{}]"#, name: "CHALLENGE", links: ["answers  0 @1", "restarts  0 @4"]),
    .init(
      json: #"[5,"s",{}]"#, name: "AUTHENTICATE", links: ["answers  0 @4", "restarts  0 @1"],
      payload: [#""s""#]),
    .init(json: #"[6,{},"u"]"#, name: "GOODBYE", links: ["restarts  0 @6"], reason: "u"),
    .init(json: "[7,1,2]", name: "HEARTBEAT"),
    .init(json: #"[7,1,2,"x"]"#, name: "HEARTBEAT"),
  ]

  @Test(arguments: calls + topics + session) func reported(_ expected: Expected) throws {
    let talk = WAMPConversation()
    let reported = try #require(talk.say(expected.json))
    #expect(reported.name == expected.name && reported.message.dialect.description == "wamp")
    #expect(reported.links == expected.links)
    #expect(reported.text(reported.message.subject) == expected.subject)
    #expect(reported.payload == expected.payload)
    #expect(reported.text(reported.message.reason) == expected.reason)
    #expect(reported.message.about.description == expected.about)
    #expect(reported.message.traits.contains([.isText, .isJSON, .isCompact, .isPlain]))
    let asides = ["wamp.empty-args-sent", "wamp.opaque-payload-undeclared"]
    #expect(
      talk.recorder.codes.filter { !asides.contains($0) }
        == (expected.name == "HEARTBEAT" ? ["wamp.heartbeat-legacy"] : []))
    // The same with white space everywhere.
    let spaced = expected.json.replacing(",", with: " , ").replacing("[", with: " [ ")
    let again = try #require(WAMPConversation().say(spaced))
    #expect(again.links == expected.links && again.text(again.message.subject) == expected.subject)
    #expect(!again.message.traits.contains(.isCompact) && again.message.traits.contains(.isJSON))
  }

  /// ERROR names its victim by the code of the request.
  @Test(arguments: [
    (16, "PUBLISH"), (32, "SUBSCRIBE"), (34, "UNSUBSCRIBE"), (48, "CALL"), (64, "REGISTER"),
    (66, "UNREGISTER"), (68, "INVOCATION"), (99, "unknown"),
  ])
  func errors(code: Int, about: String) throws {
    let reported = try #require(WAMPConversation().say(#"[8,\#(code),7,{},"e.r",[1],{"k":1}]"#))
    #expect(reported.name == "ERROR" && reported.message.about.description == about)
    #expect(reported.links == ["answers request 7 @\(code)"])
    #expect(reported.text(reported.message.reason) == "e.r")
    #expect(reported.payload == ["[1]", #"{"k":1}"#])
    #expect(reported.message.traits.contains(.isFailure))
  }

  @Test(arguments: [("exact", false), ("prefix", true), ("wildcard", true)])
  func patterns(match: String, isPattern: Bool) throws {
    for code in [32, 64] {
      let reported = try #require(
        WAMPConversation().say(#"[\#(code),7,{"match":"\#(match)"},"t"]"#))
      #expect(reported.message.traits.contains(.isPattern) == isPattern)
      #expect(reported.shown == ["fact match \(match)"])
    }
  }

  @Test func floatsAsIDs() throws {
    let talk = WAMPConversation()
    let reported = try #require(talk.say("[33,7.0,5e3]"))
    #expect(reported.links == ["answers request 7 @32", "names subscription 5000 @200r"])
    #expect(talk.recorder.codes == ["wamp.id-float", "wamp.id-float"])
    #expect(talk.recorder.findings.allSatisfy { $0.severity == .note && $0.isAboutLastMessage })
  }

  @Test(arguments: [
    ("9007199254740992", [] as [String]), ("9007199254740993", ["wamp.id-out-of-range"]),
    ("9007199254740993.5", ["wamp.id-out-of-range"]), ("0", ["wamp.id-out-of-range"]),
    ("-1", ["wamp.id-out-of-range"]), ("99999999999999999999", ["wamp.id-out-of-range"]),
    ("1", []), ("0.5", ["wamp.id-out-of-range"]), ("1e30", ["wamp.id-out-of-range"]),
  ])
  func rangeOfIDs(id: String, codes: [String]) {
    let talk = WAMPConversation()
    talk.say("[33,7,\(id)]")
    #expect(talk.recorder.codes == codes)
    #expect(talk.reported.map(\.name) == ["SUBSCRIBED"])
  }
}
