// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// WAMP v1: what each message is reported as. The examples are those of the specification.
@Suite("WAMP v1") struct WAMPv1Tests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var name: String
    var notes: [String] = []
    var subject = ""
    var payload: [String] = []
    var reason = ""
    var role = Link.Role.shows
    var testDescription: String { text }
  }

  static let cases: [Case] = [
    Case(
      text: #"[0,"v59mbCGDXZ7WTyxB",1,"Autobahn/0.5.1"]"#, name: "WELCOME",
      notes: ["id session v59mbCGDXZ7WTyxB", "fact version 1", "fact server Autobahn/0.5.1"],
      role: .none),
    Case(
      text: #"[1,"calc","http://example.com/simple/calc#"]"#, name: "PREFIX",
      notes: ["id prefix calc"], subject: "http://example.com/simple/calc#"),
    Case(
      text: #"[2,"7DK6TdN4wLiUJgNM","http://example.com/api#howdy"]"#, name: "CALL",
      notes: ["id call 7DK6TdN4wLiUJgNM"], subject: "http://example.com/api#howdy", role: .opens),
    Case(
      text: #"[2, "Yp9EFZt9DFkuKndg", "api:add2", 23, 99 ]"#, name: "CALL",
      notes: ["id call Yp9EFZt9DFkuKndg"], subject: "api:add2", payload: ["23, 99"],
      role: .opens),
    Case(
      text: #"[2,"J5DkZJgByutvaDWc","http://example.com/api#sum",9,1,3,4,5,6,7,8]"#,
      name: "CALL", notes: ["id call J5DkZJgByutvaDWc"], subject: "http://example.com/api#sum",
      payload: ["9,1,3,4,5,6,7,8"], role: .opens),
    Case(
      text: #"[3,"CcDnuI2bl2oLGBzO",null]"#, name: "CALLRESULT",
      notes: ["id call CcDnuI2bl2oLGBzO"], payload: ["null"], role: .answers),
    Case(
      text: #"[4,"gwbN3EDtFv6JvNV5","http://autobahn.tavendo.de/error#generic","math error"]"#,
      name: "CALLERROR", notes: ["id call gwbN3EDtFv6JvNV5"], payload: [#""math error""#],
      reason: "http://autobahn.tavendo.de/error#generic", role: .answers),
    Case(
      text: #"[4,"7bVW5pv8r60ZeL6u","http://example.com/error#tooBig","1001 > 1000",[1001]]"#,
      name: "CALLERROR", notes: ["id call 7bVW5pv8r60ZeL6u"],
      payload: [#""1001 > 1000""#, "[1001]"], reason: "http://example.com/error#tooBig",
      role: .answers),
    Case(
      text: #"[5,"http://example.com/simple"]"#, name: "SUBSCRIBE",
      subject: "http://example.com/simple"),
    Case(text: #"[6,"event:myevent1"]"#, name: "UNSUBSCRIBE", subject: "event:myevent1"),
    Case(
      text: #"[7,"http://example.com/simple",null]"#, name: "PUBLISH",
      subject: "http://example.com/simple", payload: ["null"]),
    Case(
      text: #"[7,"event:myevent1","hello",false]"#, name: "PUBLISH",
      notes: ["fact excludeMe false"], subject: "event:myevent1", payload: [#""hello""#]),
    Case(
      text: #"[7,"event:myevent1","hello",["NwtXQ8rdfPsy-ewS"]]"#, name: "PUBLISH",
      notes: [#"fact exclude ["NwtXQ8rdfPsy-ewS"]"#], subject: "event:myevent1",
      payload: [#""hello""#]),
    Case(
      text: #"[7,"event:myevent1","hello",[],["NwtXQ8rdfPsy-ewS"]]"#, name: "PUBLISH",
      notes: ["fact exclude []", #"fact eligible ["NwtXQ8rdfPsy-ewS"]"#],
      subject: "event:myevent1", payload: [#""hello""#]),
    Case(
      text: #"[8,"http://example.com/simple",{"rand":0.09}]"#, name: "EVENT",
      subject: "http://example.com/simple", payload: [#"{"rand":0.09}"#]),
  ]

  @Test("every message", arguments: cases) func messages(_ one: Case) throws {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp", isFromStart: false)
    let reported = try #require(talk.say(one.text))
    #expect(reported.message.dialect.description == "wampv1")
    #expect(reported.name == one.name)
    #expect(reported.shown == one.notes)
    #expect(reported.text(reported.message.subject) == one.subject)
    #expect(reported.payload == one.payload)
    #expect(reported.text(reported.message.reason) == one.reason)
    #expect(reported.message.first.role == one.role)
    #expect(talk.recorder.codes == [])
    // As a paste it is taken for what it is, and for nothing else.
    let bytes = Array(one.text.utf8)
    #expect(WAMPv1Dialect().refusal(of: bytes.span.bytes, isSpoken: false) == nil)
    #expect(WAMPDialect().refusal(of: bytes.span.bytes, isSpoken: false) != nil)
  }

  @Test(
    "an id that is no text is not shown as one",
    arguments: [#"[0,5,1,"server"]"#, #"[1,8,"http://example.com/simple"]"#])
  func strangeIDs(text: String) throws {
    let reported = try #require(WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp").say(text))
    #expect(!reported.shown.contains { $0.hasPrefix("id ") })
  }

  @Test("ids join, escaped or not") func joins() throws {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp")
    let call = try #require(talk.say(#"[2,"a\u0062","http://x/y"]"#))
    let result = try #require(talk.say(#"[3,"ab",1]"#))
    let other = try #require(talk.say(#"[3,"abc",1]"#))
    #expect(call.message.first.key == result.message.first.key)
    #expect(call.message.first.key != other.message.first.key)
  }

  @Test("names are abbreviated until the connection ends") func prefixes() throws {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp")
    talk.say(#"[1,"calc","http://example.com/simple/calc#"]"#, .toServer)
    talk.say(#"[2,"1","calc:square",23]"#, .toServer)
    talk.say(#"[1,"calc","http://other/"]"#, .toServer)
    talk.say(#"[5,"calc:t"]"#, .toServer)
    talk.say(#"[5,"nope:t"]"#, .toServer)
    talk.say(#"[5,"http://example.com/t"]"#, .toServer)
    talk.say(#"[5,"urn:t"]"#, .toServer)
    talk.say(#"[5,"t"]"#, .toServer)
    let about = talk.recorder.lines.filter { $0.hasPrefix("about ") }
    #expect(about == ["about http://example.com/simple/calc#square", "about http://other/t"])
    #expect(talk.recorder.codes == ["wamp.v1-prefix-unknown", "wamp.v1-uri-invalid"])
  }

  @Test("prefixes have bounds") func bounds() {
    var limits = Limits()
    limits.prefixBytes = Allowance(20)
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp", limits: limits)
    talk.say(#"[1,"a","http://a/"]"#, .toServer)
    talk.say(#"[1,"b","http://longer/"]"#, .toServer)
    talk.say(#"[1,"a","http://c/"]"#, .toServer)
    talk.say(#"[5,"a:t"]"#, .toServer)
    #expect(talk.recorder.codes == ["wamp.v1-prefix-unknown"])
    #expect(talk.recorder.lines.contains("about http://c/t"))
    talk.finish(.closed)
    #expect(limits.prefixBytes.take(20))
  }

  static let recognised: [(text: String, claim: Claim)] = [
    (#"[0,"v59mbCGDXZ7WTyxB",1,"Autobahn/0.5.1"]"#, .likely),
    (#"[8,"http://example.com/simple",1]"#, .likely), (#"[3,"id",{}]"#, .possible),
    (#"[2,"19223201","BootNotification",{}]"#, .no),
    (#"[4,"19223201","GenericError","no",{}]"#, .no), (#"[1,"realm1",{"roles":{}}]"#, .no),
    ("[33,1,5862354]", .no), ("hello", .no), ("[]", .no), ("", .no),
  ]

  @Test("a first message tells the protocol", arguments: recognised)
  func claims(_ text: String, _ claim: Claim) {
    let first = Array(text.utf8)
    #expect(WAMPv1Dialect().claim(opening(""), first.span.bytes, .text) == claim)
    #expect(WAMPv1Dialect().claim(opening("wamp"), first.span.bytes, .text) == .certain)
    #expect(WAMPv1Dialect().claim(opening("wamp.2.json"), first.span.bytes, .text) == .no)
    #expect(WAMPv1Dialect().claim(opening(""), first.span.bytes, .binary) == .no)
    #expect(WAMPDialect().claim(opening("wamp"), first.span.bytes, .text) != .certain)
  }

  static let friends: [(text: String, name: String?)] = [
    (
      #"[3,"19223201",{}]"#,
      "CALLRESULT of WAMP v1 or of OCPP-J: --dialect wampv1 and --dialect ocpp read it"
    ),
    (#"["EVENT",{"id":""}]"#, "a message of Nostr"),
    (#"[{"a":1}]"#, nil), ("[2]", nil), ("[]", nil), ("{}", nil), ("[", nil), (#"["x"]"#, nil),
    ("[9,8,7]", nil),
  ]

  @Test("false friends are called what they could be", arguments: friends)
  func lookalikes(_ text: String, _ name: String?) {
    let bytes = Array(text.utf8)
    #expect(UnreadListNames.name(of: bytes.span.bytes) == name)
    for dialect in Dialects.all {
      #expect(dialect.refusal(of: bytes.span.bytes, isSpoken: false) != nil)
    }
  }

  @Test("what other protocols have as well is taken where v1 was spoken before")
  func context() {
    let bytes = Array(#"[3,"id",{}]"#.utf8)
    #expect(WAMPv1Dialect().refusal(of: bytes.span.bytes, isSpoken: true) == nil)
  }

  static let secrets: [(said: [String], hidden: [String])] = [
    (
      [#"[2,"1","http://api.wamp.ws/procedure#auth","c2lnbmF0dXJl"]"#],
      ["secret secret c2lnbmF0dXJl"]
    ),
    (
      [
        #"[1,"api","http://api.wamp.ws/procedure#"]"#,
        #"[2,"1","api:authreq","joe",{"code":"1234"}]"#, #"[3,"1","a challenge"]"#,
      ], ["secret secret 1234", "secret secret a challenge"]
    ),
    // Nobody has seen what stands for what.
    ([#"[2,"1","api:auth","c2lnbmF0dXJl"]"#], ["secret secret c2lnbmF0dXJl"]),
    ([#"[2,"1","http://example.com/auth","x"]"#, #"[3,"1","y"]"#], []),
  ]

  @Test("proofs of identity are masked", arguments: secrets)
  func masks(_ said: [String], _ hidden: [String]) {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp", isFromStart: false)
    for text in said { talk.say(text) }
    let shown = talk.reported.flatMap(\.shown).filter { $0.hasPrefix("secret") }
    #expect(shown == hidden)
  }

  @Test("a challenge is known without its call") func challenge() throws {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp", isFromStart: false)
    for (text, isHidden) in [
      (#"[3,"1","{\"authid\":\"1\",\"authkey\":\"joe\"}"]"#, true),
      (#"[3,"1","{\"a\":1}"]"#, false),
      (#"[3,"1",["authkey"]]"#, false),
    ] {
      let reported = try #require(talk.say(text))
      var notes = ContiguousArray<Note>()
      WAMPv1Dialect().noteSecrets(in: reported.message, reported.bytes.span.bytes, into: &notes)
      #expect(notes.isEmpty != isHidden, "\(text)")
    }
  }
}
