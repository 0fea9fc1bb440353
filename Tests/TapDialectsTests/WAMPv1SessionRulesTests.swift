// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// What messages of WAMP v1 break, alone and together.
@Suite("WAMP v1: what is broken") struct WAMPv1WatchTests {
  static let faults: [(text: String, code: String)] = [
    ("[5", "wamp.decode-failed"), ("hello", "wamp.decode-failed"), ("{}", "wamp.not-a-list"),
    ("[]", "wamp.empty-list"), ("[9,1]", "wamp.bad-type-code"),
    (#"["5","u:x"]"#, "wamp.bad-type-code"),
    ("[99999999999999999999]", "wamp.bad-type-code"), ("[5]", "wamp.wrong-arity"),
    (#"[5,"http://x",1]"#, "wamp.wrong-arity"), (#"[2,"id"]"#, "wamp.wrong-arity"),
    ("[5,5]", "wamp.wrong-element-type"), (#"[2,7,"http://x"]"#, "wamp.wrong-element-type"),
    (#"[7,"http://x",1,2]"#, "wamp.wrong-element-type"),
    (#"[7,"http://x",1,true,[]]"#, "wamp.wrong-element-type"),
    (#"[0,"id","1","me"]"#, "wamp.wrong-element-type"),
    (#"[5,"http://x"] x"#, "wamp.trailing-bytes"),
    (#"[7,"http://x",NaN]"#, "wamp.not-strict-json"),
    ("[33,1,5862354]", "wamp.v1-on-v2"), (#"[1,"chat",{"roles":{}}]"#, "wamp.v1-on-v2"),
    (#"[48,1,{},"com.user.get"]"#, "wamp.v1-on-v2"),
  ]

  @Test("the form of a message", arguments: faults) func form(_ text: String, _ code: String) {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp", isFromStart: false)
    #expect(talk.say(text, .toServer) != nil)
    #expect(talk.recorder.codes == [code])
  }

  static let strangers: [(text: String, code: String)] = [
    (#"[0,"v59mbCGDXZ7WTyxB",1,"Autobahn/0.5.1"]"#, "wamp.v1-on-v2"),
    (#"[5,"http://example.com/simple"]"#, "wamp.v1-on-v2"),
    (#"[2,"7DK6TdN4wLiUJgNM","http://example.com/api#howdy"]"#, "wamp.v1-on-v2"),
    (#"[8,"http://example.com/simple",1]"#, "wamp.v1-on-v2"),
    // What other protocols have as well is not called WAMP v1.
    (#"[2,"19223201","BootNotification",{}]"#, "wamp.wrong-arity"),
    (#"[3,"19223201",{}]"#, "wamp.wrong-element-type"), (#"[5,"secret"]"#, "wamp.wrong-arity"),
  ]

  @Test("messages of v1 on a connection of v2", arguments: strangers)
  func stranger(_ text: String, _ code: String) {
    let talk = WAMPConversation(isFromStart: false)
    talk.say(text, .toServer)
    #expect(talk.recorder.codes == [code])
  }

  @Test("bytes, where text is due") func octets() {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp")
    #expect(talk.say([0x93, 1, 2, 3], .toServer)?.name == "BINARY")
    #expect(talk.recorder.codes == ["websocket.frame-opcode-mismatch"])
  }

  private static let welcome = (Direction.toClient, #"[0,"s",1,"x"]"#)

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var said: [(Direction, String)]
    var codes: [String]
    var ending = Ending.closed
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "all is well",
      said: [
        welcome, (.toServer, #"[5,"http://t"]"#), (.toServer, #"[2,"1","http://p"]"#),
        (.toClient, #"[8,"http://t",1]"#), (.toClient, #"[3,"1",1]"#),
        (.toServer, #"[6,"http://t"]"#), (.toClient, #"[8,"http://t",2]"#),
      ], codes: []),
    Case(
      name: "an answer for nobody",
      said: [welcome, (.toClient, #"[3,"1",1]"#), (.toServer, #"[7,"http://t",1]"#)],
      codes: ["wamp.result-unknown-call"]),
    Case(
      name: "two answers",
      said: [
        welcome, (.toServer, #"[2,"1","http://p"]"#), (.toClient, #"[3,"1",1]"#),
        (.toClient, #"[4,"1","http://e","no"]"#),
      ], codes: ["wamp.result-unknown-call"]),
    Case(
      name: "no answer", said: [welcome, (.toServer, #"[2,"1","http://p"]"#)],
      codes: ["warning wamp.call-unanswered"]),
    Case(
      name: "no answer yet", said: [welcome, (.toServer, #"[2,"1","http://p"]"#)],
      codes: ["note wamp.call-unanswered"], ending: .endOfEvidence),
    Case(
      name: "an id twice",
      said: [
        welcome, (.toServer, #"[2,"1","http://p"]"#), (.toServer, #"[2,"1","http://q"]"#),
        (.toClient, #"[3,"1",1]"#),
      ], codes: ["wamp.request-id-duplicate"]),
    Case(
      name: "an event for nobody", said: [welcome, (.toClient, #"[8,"http://t",1]"#)],
      codes: ["wamp.v1-event-unsubscribed"]),
    Case(
      name: "no welcome", said: [(.toClient, #"[1,"a","http://t/"]"#)],
      codes: ["wamp.v1-welcome-missing"]),
    Case(name: "two welcomes", said: [welcome, welcome], codes: ["wamp.welcome-twice"]),
    Case(
      name: "another version", said: [(.toClient, #"[0,"s",2,"x"]"#)],
      codes: ["wamp.v1-version"]),
    Case(
      name: "the wrong side", said: [welcome, (.toClient, #"[5,"http://t"]"#)],
      codes: ["wamp.wrong-direction"]),
    Case(
      name: "after a message that nobody could read, nothing is unknown",
      said: [welcome, (.toServer, "[2"), (.toClient, #"[3,"1",1]"#)],
      codes: ["wamp.decode-failed"]),
  ]

  @Test("together", arguments: cases) func watch(_ one: Case) {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp")
    for (place, (direction, text)) in one.said.enumerated() {
      talk.say(text, direction, record: UInt64(place + 1))
    }
    talk.finish(one.ending)
    let reported = talk.recorder.findings.map { finding in
      let isLong = one.codes.contains { $0.contains(" ") }
      return isLong ? "\(finding.severity.name) \(finding.code.name)" : finding.code.name
    }
    #expect(reported == one.codes)
  }

  @Test("a call that is reported late has its answer") func late() {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp")
    talk.say(Self.welcome.1, .toClient, record: 1)
    talk.say(#"[3,"1",1]"#, .toClient, record: 3)
    talk.say(#"[8,"http://t",1]"#, .toClient, record: 4)
    talk.say(#"[2,"1","http://p"]"#, .toServer, record: 2)
    talk.say(#"[5,"http://t"]"#, .toServer, record: 2)
    talk.finish(.closed)
    #expect(talk.recorder.codes == [])
  }

  @Test("a gap ends all knowledge") func gap() {
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp")
    talk.say(Self.welcome.1, .toClient)
    talk.say(#"[2,"1","http://p"]"#, .toServer)
    talk.gap(.toClient)
    talk.say(#"[3,"2",1]"#, .toClient)
    talk.finish(.closed)
    #expect(talk.recorder.codes == [])
  }

  @Test("what is watched is bounded") func bounds() {
    var limits = Limits()
    limits.sessionEntries = 2
    limits.watchedEntries = Allowance(2)
    let talk = WAMPConversation(WAMPv1Dialect(), subprotocol: "wamp", limits: limits)
    talk.say(Self.welcome.1, .toClient)
    for number in 0..<5 { talk.say(#"[2,"\#(number)","http://p"]"#, .toServer) }
    talk.say(#"[3,"9",1]"#, .toClient)
    talk.finish(.closed)
    #expect(talk.recorder.codes == [])
    #expect(talk.recorder[.sessionUnwatched] == 1)
    #expect(limits.watchedEntries.take(2))
  }
}
