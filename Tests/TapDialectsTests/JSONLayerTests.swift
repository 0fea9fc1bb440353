// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// JSON of applications, and JSON-RPC: what each message is reported as.
@Suite("JSON messages") struct JSONLayerTests {
  struct Case: Sendable {
    var text: String
    var name: String
    var subject = ""
    var ids: [String] = []
  }

  static let application = [
    Case(
      text: #"{"type":"question","cid":"q","cmd":"list"}"#, name: "question", subject: "list",
      ids: ["id cid q"]),
    // Case, `_` and `-` mean nothing; the first name of the list wins, wherever it stands.
    Case(
      text: #"{"Cmd":"go","TYPE":"move","request_id":7}"#, name: "move", subject: "go",
      ids: ["id request_id 7"]),
    Case(text: #"{"op":10,"d":{}}"#, name: "10"),
    Case(text: #"{"event":"tick","channel":"news"}"#, name: "tick", subject: "news"),
    Case(text: #"{"type":"a b","x":1}"#, name: "JSON"),
    Case(text: #"{"x":1}"#, name: "JSON"),
  ]

  @Test("of an application", arguments: Self.application) func applications(_ one: Case) throws {
    let reported = try #require(WAMPConversation(JSONDialect(), subprotocol: "app").say(one.text))
    #expect(reported.name == one.name && reported.text(reported.message.subject) == one.subject)
    #expect(reported.shown == one.ids)
    #expect(reported.message.traits.contains([.isInferred, .isJSON]))
  }

  static let rpc = [
    Case(
      text: #"{"jsonrpc":"2.0","method":"a","id":"7"}"#, name: "REQUEST", subject: "a",
      ids: ["id request 7"]),
    Case(text: #"{"jsonrpc":"2.0","method":"a"}"#, name: "NOTIFICATION", subject: "a"),
    Case(
      text: #"{"jsonrpc":"2.0","result":null,"id":7}"#, name: "RESPONSE",
      ids: ["id request 7"]),
    Case(
      text: #"{"jsonrpc":"2.0","error":{"code":1,"message":"no"},"id":null}"#, name: "ERROR",
      ids: ["id request null", "fact code 1"]),
    // Of JSON-RPC 1.0.
    Case(text: #"{"id":null,"method":"a","params":[]}"#, name: "NOTIFICATION", subject: "a"),
    Case(
      text: #"{"id":"x","result":true,"error":null}"#, name: "RESPONSE", ids: ["id request x"]),
    Case(text: #"{"id":7,"result":null,"error":[21]}"#, name: "ERROR", ids: ["id request 7"]),
    // Of the application.
    Case(text: #"{"volume":20,"event":"tick","topic":"b"}"#, name: "tick", subject: "b"),
  ]

  @Test("of JSON-RPC", arguments: Self.rpc) func messages(_ one: Case) throws {
    let reported = try #require(WAMPConversation(JSONRPCDialect(), subprotocol: "").say(one.text))
    #expect(reported.name == one.name && reported.text(reported.message.subject) == one.subject)
    #expect(reported.shown == one.ids)
  }

  @Test("1 and \"1\" are two ids, and so are those of both sides") func keys() {
    let talk = WAMPConversation(JSONRPCDialect(), subprotocol: "")
    let texts = [
      #"{"jsonrpc":"2.0","method":"a","id":1}"#, #"{"jsonrpc":"2.0","method":"a","id":"1"}"#,
    ]
    for text in texts { talk.say(text, .toServer) }
    for text in texts { talk.say(text, .toClient) }
    #expect(Set(talk.reported.map { "\($0.message.first)" }).count == 4)
    #expect(talk.recorder.codes.isEmpty)
  }

  @Test("an answer repeats an id, or names it") func answers() {
    func roles(_ texts: [(String, Direction)]) -> [String] {
      let talk = WAMPConversation(JSONDialect(), subprotocol: "app")
      for (text, direction) in texts { talk.say(text, direction) }
      return talk.reported.map { "\($0.message.first.role)" }
    }
    let ask = (#"{"type":"ask","id":1}"#, Direction.toServer)
    let news = (#"{"type":"news","id":3}"#, Direction.toClient)
    let answer = (#"{"type":"answer","id":1}"#, Direction.toClient)
    let move = (#"{"type":"move","id":3}"#, Direction.toServer)
    #expect(roles([ask, news, answer, move]) == ["opens", "opens", "answers", "shows"])
    // Where answers name their question apart, ids are those of the sender.
    let named = (#"{"type":"answer","id":9,"reply_to":1}"#, Direction.toClient)
    #expect(
      roles([ask, news, named, ask, answer, move])
        == ["opens", "opens", "answers", "shows", "opens", "opens"])
  }

  @Test("an answer is due where one of its kind was answered, and to a client's first questions")
  func due() {
    func due(_ direction: Direction, answersFirst: Bool) -> Int {
      let talk = WAMPConversation(JSONDialect(), subprotocol: "app")
      for number in 1...20 {
        talk.say("{\"type\":\"do\",\"msgid\":\(number)}", direction)
        if number == 1 && answersFirst {
          talk.say(#"{"type":"done","msgid":7,"reply_to":1}"#, direction.reversed)
        }
      }
      return talk.reported.count { $0.message.asksForAnswer }
    }
    #expect(due(.toClient, answersFirst: false) == 0)
    #expect(due(.toClient, answersFirst: true) == 19)
    #expect(due(.toServer, answersFirst: false) == 8)
    #expect(due(.toServer, answersFirst: true) == 20)
  }

  @Test("numbers called seq are ids where answers name them") func sequences() {
    func roles(_ answer: (Int) -> String) -> [Link.Role] {
      let talk = WAMPConversation(JSONDialect(), subprotocol: "app")
      for number in 1...10 {
        talk.say("{\"cmd\":\"go\",\"seq\":\(number)}", .toServer)
        talk.say(answer(number), .toClient)
      }
      return talk.reported.map(\.message.first.role)
    }
    #expect(roles { "{\"cmd\":\"go\",\"re\":\($0)}" }.suffix(2) == [.opens, .answers])
    // Both sides count what they send.
    #expect(roles { "{\"cmd\":\"go\",\"seq\":\($0)}" }.suffix(2) == [.shows, .shows])
    // An answer to nothing asks nothing.
    #expect(roles { _ in "{\"cmd\":\"go\",\"re\":99}" }.suffix(1) == [.shows])
  }

  @Test("a line that is no JSON is reported where others are") func brokenLines() {
    let talk = WAMPConversation(JSONDialect(), subprotocol: "app")
    // What comes first may be a greeting, and `ping` is what applications add.
    for text in [#"{"cut"#, #"{"a":1}"#, "ping", "[1]"] { talk.say(text, .toServer) }
    talk.say(#"{"cut"#, .toClient)
    #expect(talk.recorder.codes.isEmpty)
    talk.say(#"{"cut"#, .toServer)
    talk.say(#"{"a":1} x"#, .toServer)
    #expect(talk.recorder.codes == ["json.broken-text", "json.broken-text"])
    talk.gap(.toServer)
    talk.say(#"{"cut"#, .toServer)
    #expect(talk.recorder.codes.count == 2)
  }

  @Test(
    "texts beside auth are secrets",
    arguments: [
      (#"{"auth":"admin:key"}"#, ["secret credential admin:key"]),
      // A slash command of Slack: whoever has these may answer in its channel.
      (
        #"{"response_url":"https://hooks.slack.com/commands/T1/2/x","trigger_id":"1.2.3"}"#,
        ["secret credential https://hooks.slack.com/commands/T1/2/x", "secret credential 1.2.3"]
      ),
      (
        #"{"a":[{"Auth":"k1"}],"b":"{\"auth\":\"k2\"}"}"#,
        [
          "secret credential k1", "secret credential k2",
        ]
      ),
      (#"{"auth":{"a":1},"x":"auth: no"}"#, []),
      // Bayeux; to others it is no secret.
      (
        #"{"channel":"/meta/connect","clientId":"c1","connectionType":"websocket"}"#,
        ["secret session c1"]
      ),
      (#"{"clientId":"c1","room":"r"}"#, []),
      // XMRig, at a pool.
      (
        #"{"method":"login","params":{"login":"wallet","pass":"x1"}}"#,
        ["secret credential x1"]
      ),
    ])
  func secrets(text: String, shown: [String]) throws {
    for dialect in [JSONDialect(), JSONRPCDialect()] as [any Dialect] {
      #expect(WAMPConversation(dialect, subprotocol: "").say(text)?.shown == shown)
    }
  }

  @Test(
    "credentials that stand at a place of a list are secrets",
    arguments: [
      (
        #"{"params":["user.worker","p1"],"id":2,"method":"mining.authorize"}"#, ["secret secret p1"]
      ),
      (#"{"id":2,"method":"mining.authorize","params":["user.worker",7]}"#, ["secret number 7"]),
      (#"{"id":2,"method":"mining.authorize","params":["user.worker"]}"#, []),
      (#"{"id":2,"method":"mining.authorize","params":["user.worker",""]}"#, []),
      (#"{"id":2,"method":"auth.login","params":["p1"]}"#, ["secret secret p1"]),
      (
        #"{"id":2,"method":"auth.login","params":["root","p1","123456"]}"#,
        ["secret secret p1", "secret secret 123456"]
      ),
      (
        #"{"id":2,"method":"signrawtransactionwithkey","params":["02",["k1"]]}"#,
        [#"secret number ["k1"]"#]
      ),
      (#"{"id":2,"method":"mining.submit","params":["user.worker","j1"]}"#, []),
    ])
  func places(text: String, shown: [String]) {
    for dialect in [JSONDialect(), JSONRPCDialect()] as [any Dialect] {
      let notes = WAMPConversation(dialect, subprotocol: "").say(text)?.shown ?? []
      #expect(notes.filter { $0.hasPrefix("secret") } == shown)
    }
  }

  @Test("a call with a credential is withheld where it is not read") func placesUnread() {
    func mayHold(_ text: String) -> Bool {
      JSONDialect().mayHoldCredentials(Array(text.utf8).span.bytes, Delivery(Origin(), .text))
    }
    #expect(mayHold(#"{"method":"mining.authorize","params":["user.worker","p"#))
    #expect(mayHold(#"["{\"method\":\"mining.authorize\",\"params\":[\"user.worker\",\"p"#))
    #expect(!mayHold(#"{"method":"mining.submit","params":["mining.authorize.x"#))
  }

  @Test("what was asked before a gap is answered, and no fault is found behind it") func gaps() {
    let talk = WAMPConversation(JSONRPCDialect(), subprotocol: "")
    for id in 1...2 { talk.say("{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":\(id)}", .toServer) }
    talk.gap(.toClient)
    // The answer may have been in the gap.
    talk.say(#"{"jsonrpc":"2.0","method":"a","id":2}"#, .toServer)
    for id in [1, 2, 3] { talk.say("{\"jsonrpc\":\"2.0\",\"result\":0,\"id\":\(id)}", .toClient) }
    talk.finish(.closed)
    #expect(talk.recorder.codes.isEmpty)
    // Asked twice behind it, without an answer.
    for _ in 1...2 { talk.say(#"{"jsonrpc":"2.0","method":"a","id":9}"#, .toServer) }
    #expect(talk.recorder.codes == ["jsonrpc.id-duplicate"])
  }

  @Test("as many questions may be open as there is room for") func crowd() {
    let talk = WAMPConversation(JSONDialect(), subprotocol: "app")
    for id in 0..<1000 { talk.say("{\"type\":\"ask\",\"id\":\(id)}", .toServer) }
    for id in 0..<1000 { talk.say("{\"type\":\"answer\",\"id\":\(id)}", .toClient) }
    #expect(talk.reported.suffix(1000).allSatisfy { $0.message.first.role == .answers })
  }

  @Test("what finds no room for its name is called JSON, and that is reported") func names() {
    var limits = Limits()
    limits.kindNames = 0
    let talk = WAMPConversation(JSONDialect(), subprotocol: "app", limits: limits)
    #expect(talk.say(#"{"type":"never-seen-before"}"#)?.name == "JSON")
    talk.say(#"{"type":"never-seen-either"}"#)
    #expect(talk.recorder.codes == ["json.too-many-kinds"])
  }
}
