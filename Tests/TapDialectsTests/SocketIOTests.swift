// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Socket.IO") struct SocketIOTests {
  static func open(_ keys: String = #","maxPayload":1000000"#) -> String {
    #"0{"sid":"x1","upgrades":[],"pingInterval":25000,"pingTimeout":20000"# + keys + "}"
  }

  /// A session from its beginning, with its OPEN reported.
  static func talk(_ open: String = open()) -> WAMPConversation {
    let talk = WAMPConversation(EngineIODialect(), subprotocol: "", isLocal: true)
    talk.say(open, .toClient)
    return talk
  }

  struct Form: Sendable, CustomTestStringConvertible {
    var wire: String
    var name: String
    var body: String
    var payload: String
    var subject: String

    init(_ wire: String, _ name: String, _ subject: String, _ payload: String, _ body: String) {
      (self.wire, self.name, self.body, self.payload) = (wire, name, body, payload)
      self.subject = subject
    }

    var testDescription: String { wire }
  }

  static let forms = [
    Form(
      #"40{"token":"t"}"#, "CONNECT", "/", #"{"token":"t"}"#,
      #"{"namespace":"/","data":{"token":"t"}}"#),
    Form("40", "CONNECT", "/", "", #"{"namespace":"/"}"#),
    Form("40/,", "CONNECT", "/", "", #"{"namespace":"/"}"#),
    Form("40/admin,", "CONNECT", "/admin", "", #"{"namespace":"/admin"}"#),
    Form(
      "40/admin?token=1&uid=2,", "CONNECT", "/admin", "",
      #"{"namespace":"/admin","query":"token=1&uid=2"}"#),
    Form("41/admin,", "DISCONNECT", "/admin", "", #"{"namespace":"/admin"}"#),
    Form("41/admin", "DISCONNECT", "/admin", "", #"{"namespace":"/admin"}"#),
    Form(#"42["hi"]"#, "EVENT", "hi", "", #"{"namespace":"/","data":["hi"]}"#),
    Form(#"42["hi",1, {} ]"#, "EVENT", "hi", "1, {} ", #"{"namespace":"/","data":["hi",1, {} ]}"#),
    Form(
      #"42/a"b,7["é\n",[1]]"#, "EVENT", "/a\"b é\n", "[1]",
      #"{"namespace":"/a\"b","data":["é\n",[1]]}"#),
    Form(#"4212["x"]"#, "EVENT", "x", "", #"{"namespace":"/","data":["x"]}"#),
    Form("431[5]", "ACK", "", "[5]", #"{"namespace":"/","data":[5]}"#),
    Form("43/a,12[]", "ACK", "", "[]", #"{"namespace":"/a","data":[]}"#),
    Form(
      #"44/x,{"message":"no","data":{"why":1}}"#, "CONNECT_ERROR", "/x", #"{"why":1}"#,
      #"{"namespace":"/x","data":{"message":"no","data":{"why":1}}}"#),
    Form(#"44"no""#, "CONNECT_ERROR", "/", "", #"{"namespace":"/","data":"no"}"#),
    Form(
      #"451-["f",{"_placeholder":true,"num":0}]"#, "BINARY_EVENT", "f",
      #"{"_placeholder":true,"num":0}"#,
      #"{"namespace":"/","data":["f",{"_placeholder":true,"num":0}]}"#),
    Form(#"450-["f"]"#, "BINARY_EVENT", "f", "", #"{"namespace":"/","data":["f"]}"#),
  ]

  @Test("packets by their text form", arguments: forms)
  func form(_ form: Form) throws {
    // Pasted, as no direction is known: nothing waits.
    let talk = WAMPConversation(EngineIODialect(), subprotocol: "", isLocal: true)
    let reported = try #require(talk.say(form.wire, .unknown))
    #expect(reported.message.dialect.description == "socketio")
    #expect(reported.name == form.name)
    #expect(reported.text(ByteRange(0, reported.bytes.count)) == form.body)
    #expect(reported.payload.joined() == form.payload)
    let apart = talk.recorder.lines.first { $0.hasPrefix("about ") }?.dropFirst(6)
    #expect(apart.map { String($0) } ?? reported.text(reported.message.subject) == form.subject)
    #expect(talk.recorder.codes.isEmpty)
    #expect(reported.message.traits.contains(.isJSON))
    var scanner = JSONScanner(maximumDepth: 16)
    #expect(scanner.scan(reported.bytes.span.bytes) == reported.bytes.count)
  }

  @Test(
    "packets that break a rule",
    arguments: [
      "47[1]", #"42{"a":1}"#, "42[]", "42", #"43["x"]"#, "42[true]", #"45["x"]"#, #"45x-["x"]"#,
      #"42["x""#, #"42["x"]]"#, "40[1]", "44", "421234567890123456789[]", "4", "4hello",
    ])
  func broken(_ wire: String) {
    let talk = Self.talk()
    talk.say("40", .toServer)
    let reported = talk.say(wire, .toServer)
    #expect(reported != nil)
    #expect(talk.recorder.codes.contains("socketio.packet-invalid"))
    // In a session that is not known to speak Socket.IO, it is a message of something else.
    let other = Self.talk()
    #expect(other.say(wire, .toServer)?.message.dialect.description == "engineio")
    #expect(other.recorder.codes.isEmpty)
  }

  @Test("attachments stand in their places, whatever comes between") func attachments() throws {
    let talk = Self.talk()
    talk.say("40", .toServer)
    talk.say(#"40{"sid":"s"}"#, .toClient)
    let count = talk.reported.count
    talk.say(
      #"452-3["f",{"a":[{"num":1,"_placeholder":true}],"s":"{\"_placeholder\":true"},"#
        + #"{"_placeholder" : true, "num": 0 },{"num":{"a":1}}]"#, .toServer, record: 1)
    #expect(talk.reported.count == count)
    talk.say("2", .toClient)
    talk.say([1, 2, 3], .toServer, record: 2)
    talk.say(#"42["other"]"#, .toClient)
    let reported = try #require(talk.say([255], .toServer, record: 3))
    #expect(
      reported.text(ByteRange(0, reported.bytes.count))
        == #"{"namespace":"/","data":["f",{"a":[{"base64":"/w=="}],"s":"{\"_placeholder\":true"},"#
        + #"{"base64":"AQID"},{"num":{"a":1}}]}"#)
    #expect(reported.message.origin.record == 3)
    #expect(reported.links.contains("shows ack 3 @0"))
    #expect(talk.recorder.codes.isEmpty)
  }

  @Test("attachments over the limit are shown on their own") func largeAttachments() {
    var limits = Limits()
    limits.messageBytes = 256
    let talk = WAMPConversation(EngineIODialect(), subprotocol: "", isLocal: true, limits: limits)
    talk.say(Self.open(), .toClient)
    talk.say("40", .toServer)
    talk.say(#"40{"sid":"s"}"#, .toClient)
    talk.say(#"451-["f",{"_placeholder":true,"num":0}]"#, .toServer)
    talk.say([UInt8](repeating: 7, count: 300), .toServer)
    #expect(talk.recorder.codes.contains("socketio.attachments-too-large"))
  }

  @Test("placeholders of the same attachment do not grow without end") func manyPlaceholders() {
    var limits = Limits()
    limits.messageBytes = 512
    let talk = WAMPConversation(EngineIODialect(), subprotocol: "", isLocal: true, limits: limits)
    talk.say(Self.open(), .toClient)
    talk.say("40", .toServer)
    talk.say(#"40{"sid":"s"}"#, .toClient)
    let all = [String](repeating: #"{"_placeholder":true,"num":0}"#, count: 8)
    talk.say("451-[\"f\",\(all.joined(separator: ","))]", .toServer)
    let reported = talk.say([UInt8](repeating: 7, count: 200), .toServer)
    #expect(talk.recorder.codes == ["socketio.attachments-too-large"])
    #expect((reported?.bytes.count ?? 0) < 2048)
  }

  @Test("attachments of revision 3 have a type") func attachmentsOfThree() throws {
    let talk = Self.talk(Self.open(""))
    talk.say("40", .toClient)
    talk.say(#"451-["f",{"_placeholder":true,"num":0}]"#, .toServer)
    let reported = try #require(talk.say([4, 1, 2], .toServer))
    #expect(reported.text(reported.message.payload) == #"{"base64":"AQI="}"#)
    // In a text, too.
    talk.say(#"451-["f",{"_placeholder":true,"num":0}]"#, .toServer)
    let text = try #require(talk.say("b4AQI=", .toServer))
    #expect(text.text(text.message.payload) == #"{"base64":"AQI="}"#)
    #expect(talk.recorder.codes.isEmpty)
  }

  struct Course: Sendable, CustomTestStringConvertible {
    var says: [(Direction, String)]
    var ending: Ending
    var codes: [String]

    init(_ codes: [String], _ ending: Ending = .closed, _ says: (Direction, String)...) {
      (self.codes, self.ending, self.says) = (codes, ending, says)
    }

    var testDescription: String { "\(says.map(\.1)) \(ending)" }
  }

  static let join: [(Direction, String)] = [
    (.toServer, "40"), (.toClient, #"40{"sid":"s"}"#),
  ]

  /// Behind OPEN and the join of `/`; binary messages begin with a colon.
  static let courses = [
    Course([], .closed, (.toServer, #"421["a"]"#), (.toClient, "431[]")),
    Course(["socketio.ack-unanswered"], .closed, (.toServer, #"421["a"]"#)),
    Course(["socketio.ack-unanswered"], .endOfEvidence, (.toServer, #"421["a"]"#)),
    // The other side, and another namespace, count their own.
    Course(
      [], .closed, (.toServer, "40/b,"), (.toClient, #"40/b,{"sid":"t"}"#),
      (.toServer, #"421["a"]"#), (.toClient, #"421["a"]"#), (.toServer, #"42/b,1["a"]"#),
      (.toServer, "431[]"), (.toClient, "43/b,1[]"), (.toClient, "431[]")),
    Course(
      ["socketio.ack-unknown"], .closed, (.toServer, #"421["a"]"#), (.toClient, "431[]"),
      (.toClient, "431[]")),
    Course(
      ["socketio.ack-id-reused"], .closed, (.toServer, #"421["a"]"#), (.toServer, #"421["b"]"#),
      (.toClient, "431[]")),
    Course(["socketio.connect-unanswered"], .closed, (.toServer, "40/b,")),
    Course(
      ["socketio.connect-refused"], .closed, (.toServer, "40/b,"),
      (.toClient, #"44/b,{"message":"no"}"#)),
    Course(["socketio.connect-twice"], .closed, (.toServer, "40"), (.toClient, #"40{"sid":"u"}"#)),
    Course(["socketio.event-before-connect"], .closed, (.toServer, #"42/b,["a"]"#)),
    Course([], .closed, (.toServer, "41"), (.toClient, #"42["late"]"#)),
    // A namespace that is joined again begins its ids anew; an ack may still come before that.
    Course(
      ["socketio.ack-unanswered"], .closed, (.toServer, "40/b,"), (.toClient, #"40/b,{"sid":"t"}"#),
      (.toClient, #"42/b,1["a"]"#), (.toServer, "41/b,"), (.toServer, "40/b,"),
      (.toClient, #"40/b,{"sid":"u"}"#), (.toClient, #"42/b,1["b"]"#), (.toServer, "43/b,1[]")),
    Course(
      [], .closed, (.toServer, "40/b,"), (.toClient, #"40/b,{"sid":"t"}"#),
      (.toServer, #"42/b,1["a"]"#), (.toServer, "41/b,"), (.toClient, "43/b,1[]")),
    Course(
      ["socketio.recovery-failed"], .closed, (.toServer, #"40/b,{"pid":"p","offset":"o"}"#),
      (.toClient, #"40/b,{"sid":"t","pid":"q"}"#)),
    Course(
      [], .closed, (.toServer, #"40/b,{"pid":"p","offset":"o"}"#),
      (.toClient, #"40/b,{"sid":"t","pid":"p"}"#)),
    Course(
      ["socketio.attachment-interrupted"], .closed,
      (.toServer, #"451-["f",{"_placeholder":true,"num":0}]"#), (.toServer, #"42["a"]"#)),
    Course(
      ["socketio.attachment-missing"], .closed,
      (.toServer, #"452-["f",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#),
      (.toServer, ":1")),
    Course(
      ["socketio.placeholder-invalid", "socketio.placeholder-unused"], .closed,
      (.toServer, #"451-["f",{"_placeholder":true,"num":3}]"#), (.toServer, ":1")),
    Course(["socketio.attachment-unexpected"], .closed, (.toServer, ":1")),
    Course(["engineio.noop-from-client"], .closed, (.toServer, "6")),
    Course(["engineio.packet-type-unknown"], .closed, (.toServer, "7")),
    Course(["engineio.base64-invalid"], .closed, (.toServer, "b!!")),
    Course(["engineio.after-close"], .closed, (.toServer, "1"), (.toServer, #"42["a"]"#)),
  ]

  @Test("what packets break together", arguments: courses)
  func breaks(_ course: Course) {
    let talk = Self.talk()
    for (direction, text) in Self.join + course.says {
      if text.hasPrefix(":") {
        talk.say(Array(text.utf8.dropFirst()), direction)
      } else {
        talk.say(text, direction)
      }
    }
    talk.finish(course.ending)
    #expect(talk.recorder.codes == course.codes)
  }

  @Test("nothing is missing where bytes are", arguments: courses)
  func gaps(_ course: Course) {
    let talk = WAMPConversation(EngineIODialect(), subprotocol: "", isLocal: true)
    for (direction, text) in Self.join {
      talk.say(text, direction)
      talk.gap(direction)
    }
    for (direction, text) in course.says {
      talk.gap(direction)
      talk.gap(direction.reversed)
      if text.hasPrefix(":") {
        talk.say(Array(text.utf8.dropFirst()), direction)
      } else {
        talk.say(text, direction)
      }
    }
    talk.gap(.toServer)
    talk.gap(.toClient)
    talk.finish(course.ending)
    let lies = [
      "socketio.ack-unanswered", "socketio.ack-unknown", "socketio.connect-unanswered",
      "socketio.event-before-connect", "socketio.attachment-unexpected", "engineio.ping-missing",
    ]
    for lie in lies { #expect(!talk.recorder.codes.contains(lie)) }
  }

  @Test("the login of a CONNECT and private ids are secrets") func secrets() throws {
    let talk = Self.talk()
    let open = try #require(talk.reported.last)
    #expect(open.shown.contains("secret session x1"))
    let ask = try #require(
      talk.say(#"40/a,{"user":"u","n":7,"o":{"k":1},"offset":"o"}"#, .toServer))
    #expect(ask.shown == ["secret auth u", "secret value 7", #"secret value {"k":1}"#])
    let answer = try #require(talk.say(#"40/a,{"sid":"t","pid":"p"}"#, .toClient))
    #expect(answer.shown == ["secret auth p"])
    // Where sessions can be recovered, events end with an offset.
    let event = try #require(talk.say(#"42/a,["x",1,"1700000000000-0"]"#, .toClient))
    #expect(event.shown == ["fact offset 1700000000000-0"])
    #expect(event.payload == ["1"])
    let volatile = try #require(talk.say(#"42/a,["status","online"]"#, .toClient))
    #expect(volatile.shown == [] && volatile.payload == [#""online""#])
    let query = try #require(talk.say("40/b?token=1234&uid=ab,", .toServer))
    #expect(query.shown.dropFirst() == ["secret query 1234", "secret query ab"])
  }

  @Test("one packet in MessagePack") func messagePack() throws {
    let wire: [UInt8] =
      [0x85, 0xA4] + Array("type".utf8) + [2, 0xA4] + Array("data".utf8) + [0x93, 0xA5]
      + Array("hello".utf8) + [0xC4, 2, 1, 2, 0xA1, 0x78, 0xA7] + Array("options".utf8)
      + [0x81, 0xA8] + Array("compress".utf8) + [0xC3, 0xA2] + Array("id".utf8) + [0, 0xA3]
      + Array("nsp".utf8) + [0xA2, 0x2F, 0x61]
    let talk = Self.talk()
    let reported = try #require(talk.say(wire, .toServer))
    #expect(reported.name == "EVENT")
    #expect(
      reported.text(ByteRange(0, reported.bytes.count))
        == #"{"namespace":"/a","data":["hello",{"base64":"AQI="},"x"]}"#)
    #expect(reported.links.contains("shows ack 0 @0"))
    // Cut anywhere, it is no packet.
    for end in 0..<wire.count {
      let part = Self.talk().say(Array(wire[..<end]), .toServer)
      #expect(part?.message.dialect.description == "engineio")
    }
  }

  @Test(
    "who claims a first message",
    arguments: [
      (#"42["chat",{}]"#, true), (#"0{"sid":"x","upgrades":[]}"#, true), ("2probe", true),
      (#"431[5]"#, true), ("40/x,", true), (#"40{"token":"t"}"#, true),
      (#"451-["f",{"_placeholder":true,"num":0}]"#, true), ("2", false), ("3", false),
      ("42", false), ("40", false), ("4hello", false), (#"[2,"id","x",{}]"#, false),
      (#"[36,1,2,{}]"#, false), ("{}", false), (#"2["x"]"#, false), (#"43["x"]"#, false),
      ("42[1]", true), ("42.5", false), ("41/x,", true), ("40/x", false), ("40/15", false),
      ("40/12/2024", false), ("44/60", false), ("42/x,", false), ("431/x,", false),
      (#"a["x"]"#, false), ("o", false),
    ])
  func claims(_ text: String, _ isClaimed: Bool) {
    let bytes = Array(text.utf8)
    let claim = EngineIODialect().claim(opening(""), bytes.span.bytes, .text)
    #expect((claim == .likely) == isClaimed)
    for other in Dialects.all where !["engineio"].contains(other.name.description) && isClaimed {
      #expect(other.claim(opening(""), bytes.span.bytes, .text) == .no, "\(other.name)")
    }
  }

  /// Either side may send them, so the words of their line say who did. Where there are none, the
  /// server has sent what has an id of the session.
  @Test(arguments: [
    (#"40{"sid":"s"}"#, Direction.toClient), (#"40/admin,{"sid":"s"}"#, .toClient),
    (#"40{"token":"t"}"#, .unknown),
  ])
  func aConnectIsOfTheSideThatItsLineNames(_ text: String, _ usual: Direction) {
    let bytes = Array(text.utf8)
    var recogniser = EngineIODialect().recogniser(limits: Limits(), SharedScan(limits: Limits()))
    for context in [Recognition.Context.text, .sent, .paste(isSpoken: false)] {
      let found = recogniser.recognise(bytes.span.bytes, .text, in: context)
      #expect(found.grade == .likely && found.direction == usual)
      #expect(found.isUsualDirection == (usual != .unknown))
    }
  }

  @Test(
    "bodies of polling",
    arguments: [
      ("96:0{…}2:40", nil), ("2:40", [2]), ("2:4€", [4]), ("4:4€", [4]), ("3:4😀", [5]),
      ("5:4😀", [5]), ("2:402:41", [2, 2]), ("0:", [0]), ("3:40", nil), ("1:40", nil),
      ("2:x0", nil), ("10:b4AQIDBA==", [10]),
    ] as [(String, [Int]?)])
  func lengths(_ body: String, _ sizes: [Int]?) {
    let bytes = Array(body.utf8)
    var found: [Int] = []
    if let measure = EngineIOLengths.measure(of: bytes.span.bytes) {
      var at = 0
      while at < bytes.count,
        let next = EngineIOLengths.next(bytes.span.bytes, from: at, measure)
      {
        found.append(next.packet.count)
        at = next.packet.end
      }
      #expect(found == sizes)
    } else {
      #expect(sizes == nil)
    }
  }

  /// Who has the id of a session can take it over.
  @Test func whatOthersCanReadIsReported() {
    let talk = WAMPConversation(EngineIODialect(), subprotocol: "")
    talk.say(Self.open(), .toClient)
    #expect(talk.recorder.codes == ["engineio.session-in-cleartext"])
    #expect(Self.talk().recorder.codes.isEmpty)
  }
}
