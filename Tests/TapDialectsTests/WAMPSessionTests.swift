// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

@Suite struct WAMPSessionTests {
  @Test func sessionsAreNumberedByHello() {
    let talk = WAMPConversation()
    for _ in 0..<3 {
      talk.say(#"[1,"r",{}]"#, .toServer)
      talk.say("[2,9,{}]")
      talk.say(#"[48,1,{},"p"]"#, .toServer)
      talk.say(#"[6,{},"u"]"#, .toServer)
      talk.say(#"[6,{},"u"]"#)
    }
    #expect(talk.reported.map(\.message.session) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
  }

  @Test func helloBehindTheMiddleOfASession() {
    let talk = WAMPConversation()
    talk.say("[50,1,{}]")
    talk.say(#"[6,{},"u"]"#)
    talk.say(#"[1,"r",{}]"#, .toServer)
    #expect(talk.reported.map(\.message.session) == [0, 0, 1])
  }

  /// The reply is reported by who said GOODBYE first, not by its reason.
  @Test func goodbyes() {
    let talk = WAMPConversation()
    talk.say(#"[6,{},"wamp.close.goodbye_and_out"]"#, .toServer)
    talk.say(#"[6,{},"again"]"#, .toServer)
    talk.say(#"[6,{},"wamp.close.normal"]"#, .toClient)
    #expect(
      talk.reported.map { $0.links[0] } == ["restarts  0 @6", "restarts  0 @6", "answers  0 @6"])
    let pasted = WAMPConversation()
    pasted.say(#"[6,{},"a"]"#, .unknown)
    pasted.say(#"[6,{},"b"]"#, .unknown)
    #expect(pasted.reported.map { $0.links[0] } == ["restarts  0 @6", "answers  0 @6"])
  }

  @Test func abortAnswersOnlyAHandshake() {
    let talk = WAMPConversation()
    talk.say(#"[1,"r",{}]"#, .toServer)
    talk.say(#"[3,{},"wamp.error.no_such_realm"]"#)
    talk.say(#"[1,"r",{}]"#, .toServer)
    talk.say("[2,9,{}]")
    talk.say(#"[3,{},"wamp.error.protocol_violation"]"#)
    #expect(talk.reported[1].links == ["answers  0 @1"] && talk.reported[4].links.isEmpty)
    #expect(talk.reported[4].message.traits.contains(.isFailure))
  }

  @Test func factsOfTheHandshake() throws {
    let talk = WAMPConversation()
    let hello = try #require(
      talk.say(
        #"[1,"chat",{"roles":{"caller":{},"publisher":{"features":{"x":1}}},"authid":"joe","authmethods":["ticket","wampcra"]}]"#
      ))
    #expect(
      hello.shown == [
        "fact realm chat", "fact roles caller", "fact roles publisher", "fact authid joe",
        "fact authmethods ticket", "fact authmethods wampcra",
      ])
    #expect(hello.text(hello.message.realm) == "chat")
    let welcome = try #require(
      talk.say(#"[2,9,{"realm":"chat","roles":{"broker":{}},"authid":"joe","authrole":"user"}]"#))
    #expect(welcome.shown == ["fact roles broker", "fact authid joe", "fact authrole user"])
    #expect(welcome.text(welcome.message.realm) == "chat")
  }

  /// wamp.md §5.4, row by row: what is noted in which message, after which messages.
  @Test(arguments: [
    ([#"[4,"ticket",{}]"#, #"[5,"pass",{}]"#], ["secret signature pass"]),
    ([#"[5,"pass",{}]"#], ["secret signature pass"]),
    ([#"[4,"wampcra",{}]"#, #"[5,"mac=",{}]"#], ["secret signature mac="]),
    ([#"[4,"cryptosign",{}]"#, #"[5,"abcd",{}]"#], ["shortened signature abcd"]),
    ([#"[4,"unheard-of",{}]"#, #"[5,"abcd",{}]"#], ["secret signature abcd"]),
    (
      [#"[4,"wampcra",{"challenge":"c","salt":"s","iterations":1000,"keylen":32}]"#],
      ["nonce challenge c", "secret secret s"]
    ),
    (
      [#"[4,"wamp-scram",{"nonce":"n","salt":"s","kdf":"pbkdf2","iterations":4}]"#],
      ["nonce challenge n", "secret secret s"]
    ),
    ([#"[4,"cryptosign",{"challenge":"ff","channel_binding":"tls"}]"#], ["shortened challenge ff"]),
    (
      [#"[5,"s",{"nonce":"n","channel_binding":"tls-unique","cbind_data":"cb"}]"#],
      ["secret signature s", "nonce nonce n", "secret secret cb"]
    ),
    (
      [#"[5,"s",{"quote":"q","measurement":"m"}]"#],
      ["secret signature s", "shortened measurement q", "shortened measurement m"]
    ),
    (
      [
        #"[2,9,{"authextra":{"verifier":"v","x_cb_node":"n","pubkey":"p","deep":{"list":["a",5]}}}]"#
      ],
      ["secret secret v", "secret secret a", "secret number 5"]
    ),
    ([#"[1,"r",{"resume-token":"t"}]"#], ["secret secret t"]),
    ([#"[1,"r",{"resume_token":"t"}]"#], ["secret secret t"]),
    ([#"[2,9,{"resume-ticket":"t"}]"#], ["secret secret t"]),
    (
      [#"[1,"r",{"transport":{"http_headers_received":{"cookie":"c"},"peer":"tcp4:1"}}]"#],
      ["secret secret c"]
    ),
    ([#"[8,48,7,{},"e",[],{"traceback":["l1","l2"]}]"#], [#"bulk traceback ["l1","l2"]"#]),
    ([#"[1,"r",{"auth":{"ticket":"t"},"tokens":1}]"#], ["secret secret t"]),
    // The same key, spelled so that only a parser sees it.
    ([#"[1,"r",{"\u0061uthextra":{"t":"v"}}]"#], ["secret secret v"]),
    ([#"[1,"r",{"resume\u002dtoken":"t"}]"#], ["secret secret t"]),
    ([#"[1,"r",{"tr\u0061nsport":{"cookie":"c"}}]"#], ["secret secret c"]),
  ])
  func secrets(messages: [String], noted: [String]) throws {
    let talk = WAMPConversation()
    for text in messages { talk.say(text, .unknown) }
    let last = try #require(talk.reported.last)
    #expect(last.shown.filter { !$0.hasPrefix("fact") } == noted)
    let asides = ["wamp.traceback-leak", "wamp.empty-args-sent", "wamp.option-unknown"]
    #expect(talk.recorder.codes.filter { !asides.contains($0) } == [])
  }

  /// What is not what belongs in its place, in the messages that carry credentials.
  @Test(arguments: [
    (#"[1,"r",["x"]]"#, ["x"]), (#"[1,["x"],{}]"#, ["x"]), (#"[1,{"authextra":{"a":"x"}}]"#, ["x"]),
    (#"[1,"r","x"]"#, ["x"]), (#"[1,"r",{},{"a":["x",2]}]"#, ["x", "2"]),
    (#"[2,9,["x"]]"#, ["x"]), (#"[2,"x",{}]"#, ["x"]), (#"[2,{"authextra":{"a":"x"}}]"#, ["x"]),
    (#"[2,9,{},"x"]"#, ["x"]), (#"[4,"ticket",["x"]]"#, ["x"]), (#"[4,{"salt":"x"}]"#, ["x"]),
    (#"[4,"ticket",{},["x"]]"#, ["x"]), (#"[5,["x"],{}]"#, ["x"]), (#"[5,"x",["y"]]"#, ["x", "y"]),
    (#"[5,"x",{},1,2,3,4,5,6,"y",["z"]]"#, ["x", "1", "2", "3", "4", "5", "6", "y", "z"]),
  ])
  func misplaced(message: String, hidden: [String]) throws {
    let talk = WAMPConversation()
    talk.say(message, .unknown)
    let reported = try #require(talk.reported.last)
    let shown = reported.shown.filter { $0.hasPrefix("secret") }.compactMap {
      $0.split(separator: " ").last
    }
    #expect(shown.map(String.init) == hidden)
    #expect(reported.message.traits.contains(.isMalformed))
  }

  @Test func sensitiveSubjects() throws {
    let answers = ["wamp.session.get", "wamp.session.on_join", "com.session.get", "wamp.sub"].map {
      let bytes = Array($0.utf8)
      return WAMPDialect().isSensitive(subject: bytes.span.bytes)
    }
    #expect(answers == [true, true, false, false])
    let reported = try #require(
      WAMPConversation().say(
        #"[36,1,2,{},[{"session":5,"authextra":{"t":"v"},"transport":{"cookie":"c"}},{"t":"x"}]]"#))
    #expect(reported.notes.isEmpty)
    var notes = ContiguousArray<Note>()
    WAMPDialect().noteSecrets(in: reported.message, reported.bytes.span.bytes, into: &notes)
    #expect(notes.map { reported.text($0.range) } == ["v", "c"])
  }
}
