// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import Testing

/// What lookups of the meta API say of ids.
@Suite struct WAMPLookupTests {
  @Test(
    "a lookup names the id of its result",
    arguments: [
      (
        [#"[48,7,{},"wamp.subscription.lookup",["a.b"]]"#, "[50,7,{},[55]]"],
        ["lesson subscription 55 a.b"]
      ),
      (
        [#"[48,7,{},"wamp.registration.lookup",["a.",{"match":"prefix"}]]"#, "[50,7,{},[55]]"],
        ["lesson registration 55 pattern a."]
      ),
      (
        [#"[48,7,{},"wamp.registration.lookup",["a",{"match":"exact"}]]"#, "[50,7,{},[55]]"],
        ["lesson registration 55 a"]
      ),
      ([#"[48,7,{},"wamp.subscription.lookup",["a"]]"#, "[50,7,{},[null]]"], []),
      ([#"[48,7,{},"wamp.subscription.lookup",["a"]]"#, "[50,7,{}]"], []),
      ([#"[48,7,{},"wamp.subscription.lookup",[5]]"#, "[50,7,{},[6]]"], []),
      ([#"[48,7,{},"wamp.subscription.lookup",["a"]]"#, "[50,8,{},[55]]"], []),
      (
        [
          #"[48,7,{},"wamp.subscription.lookup",["a"]]"#,
          #"[8,48,7,{},"wamp.error.not_authorized",[55]]"#, "[50,7,{},[55]]",
        ], []
      ),
      // What matches need not be the same.
      ([#"[48,7,{},"wamp.registration.match",["a"]]"#, "[50,7,{},[55]]"], []),
      ([#"[48,7,{},"com.subscription.lookups",["a"]]"#, "[50,7,{},[55]]"], []),
      // A session of its own has requests of its own.
      (
        [
          #"[1,"r",{"roles":{"caller":{}}}]"#, #"[48,7,{},"wamp.subscription.lookup",["a"]]"#,
          #"[1,"r",{"roles":{"caller":{}}}]"#,
          "[50,7,{},[55]]",
        ], []
      ),
    ] as [([String], [String])])
  func lookups(messages: [String], lessons: [String]) {
    let talk = WAMPConversation()
    for message in messages { talk.say(message) }
    #expect(talk.recorder.lines.filter { $0.hasPrefix("lesson") } == lessons)
  }

  @Test("not all lookups wait for ever") func bound() {
    let talk = WAMPConversation()
    for request in 1...100 { talk.say(#"[48,\#(request),{},"wamp.subscription.lookup",["a"]]"#) }
    for request in 1...100 { talk.say("[50,\(request),{},[\(request)]]") }
    #expect(talk.recorder.lines.count { $0.hasPrefix("lesson") } == 64)
  }
}
