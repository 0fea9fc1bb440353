// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Events and calls in parts: what must agree within a session.
@Suite struct WAMPCheckTests {
  private static func codes(_ lines: [String]) -> [String] {
    WAMPSessionRulesTests.codes(WAMPSessionRulesTests.open + lines + WAMPSessionRulesTests.left)
  }

  private static let acked = #"{"acknowledge":true}"#

  @Test(
    "events and publishing",
    arguments: [
      // Its own event is what a publisher does not get.
      (
        [
          #"> [32,1,{},"a.b"]"#, "< [33,1,7]", #"> [16,2,\#(acked),"a.b"]"#, "< [17,2,70]",
          "> [34,3,7]", "< [35,3]",
        ], ["note publish-not-echoed"]
      ),
      // The event may come before PUBLISHED.
      (
        [
          #"> [32,1,{},"a.b"]"#, "< [33,1,7]", #"> [16,2,\#(acked),"a.b"]"#, "< [36,7,70,{}]",
          "< [17,2,70]", "> [34,3,7]", "< [35,3]",
        ], []
      ),
      (
        [
          #"> [32,1,{},"a.b"]"#, "< [33,1,7]", #"> [16,2,\#(acked),"a.b"]"#, "< [17,2,70]",
          "< [36,7,70,{}]", "> [34,3,7]", "< [35,3]",
        ], ["warning event-self"]
      ),
      (
        [
          #"> [32,1,{},"a.b"]"#, "< [33,1,7]",
          #"> [16,2,{"acknowledge":true,"exclude_me":false},"a.b"]"#, "< [17,2,70]",
          "< [36,7,70,{}]", "> [34,3,7]", "< [35,3]",
        ], ["warning feature-not-announced"]
      ),
      // Whose event it is cannot be told without an acknowledgement.
      (
        [
          #"> [32,1,{},"a.b"]"#, "< [33,1,7]", #"> [16,2,{},"a.b"]"#, "< [36,7,70,{}]",
          "> [34,3,7]", "< [35,3]",
        ], ["note publish-unacked"]
      ),
      (
        [#"> [16,1,{},"a.b"]"#, "< [17,1,70]"],
        ["error published-unrequested", "note publish-unacked"]
      ),
      (
        [
          #"> [32,1,{},"a.b"]"#, "< [33,1,7]", "< [36,7,70,{}]", "< [36,7,70,{}]", "> [34,2,7]",
          "< [35,2]",
        ], ["warning event-duplicate"]
      ),
      // One publication for two subscriptions is no duplicate.
      (
        [
          #"> [32,1,{},"a.b"]"#, "< [33,1,7]", #"> [32,2,{"match":"prefix"},"a."]"#, "< [33,2,8]",
          "< [36,7,70,{}]", #"< [36,8,70,{"topic":"a.b"}]"#, "> [34,3,7]", "< [35,3]", "> [34,4,8]",
          "< [35,4]",
        ], []
      ),
      (
        [
          #"> [32,1,{"get_retained":true},"a.b"]"#, "< [33,1,7]", #"< [36,7,70,{"retained":true}]"#,
          "> [34,2,7]", "< [35,2]",
        ], []
      ),
    ])
  func events(lines: [String], found: [String]) { #expect(Self.codes(lines) == found) }

  @Test(
    "topics of patterns",
    arguments: [
      ("prefix", "a.b", #"{"topic":"a.bc.d"}"#, [String]()),
      ("prefix", "a.b", #"{"topic":"a.c"}"#, ["error event-topic-mismatch"]),
      ("prefix", "a.b", "{}", ["error event-missing-topic"]),
      ("wildcard", "a..c", #"{"topic":"a.b.c"}"#, []),
      ("wildcard", "a..c", #"{"topic":"a.\u0062.c"}"#, []),
      ("wildcard", "a..c", #"{"topic":"a.b.d"}"#, ["error event-topic-mismatch"]),
      ("wildcard", "a..c", #"{"topic":"a.b.c.d"}"#, ["error event-topic-mismatch"]),
      ("wildcard", "a..c", #"{"topic":"a.b"}"#, ["error event-topic-mismatch"]),
      ("wildcard", "..", #"{"topic":"a.b.c"}"#, []),
    ])
  func patterns(match: String, pattern: String, details: String, found: [String]) {
    let lines = [
      #"> [32,1,{"match":"\#(match)"},"\#(pattern)"]"#, "< [33,1,7]", "< [36,7,70,\(details)]",
      "> [34,2,7]", "< [35,2]",
    ]
    #expect(Self.codes(lines) == found)
  }

  @Test(
    "calls in parts",
    arguments: [
      (
        [
          #"> [48,1,{"progress":true},"a"]"#, #"> [48,1,{"progress":true},"b"]"#, "< [50,1,{}]",
        ], ["error call-continuation-procedure-changed"]
      ),
      (
        [#"> [48,1,{"progress":true},"a"]"#, "< [50,1,{}]", #"> [48,1,{},"a"]"#],
        ["note call-continuation-late"]
      ),
      (
        [#"> [48,1,{},"a"]"#, #"> [48,1,{"progress":true},"a"]"#, "< [50,1,{}]"],
        ["error call-continuation-nonprogressive"]
      ),
      // After the last part the id is taken.
      (
        [
          #"> [48,1,{"progress":true},"a"]"#, #"> [48,1,{},"a"]"#, #"> [48,1,{},"a"]"#,
          "< [50,1,{}]",
        ], ["error request-id-duplicate"]
      ),
      (
        [
          #"> [48,1,{"progress":true},"a"]"#, #"> [48,1,{"timeout":5},"a"]"#, "< [50,1,{}]",
        ], ["note call-continuation-options"]
      ),
      (
        [
          #"> [64,1,{"match":"wildcard"},"a..c"]"#, "< [65,1,9]",
          #"< [68,1,9,{"procedure":"a.b.c"}]"#,
          "> [70,1,{}]", "< [68,2,9,{}]", "> [70,2,{}]", "> [66,2,9]", "< [67,2]",
        ], ["error invocation-missing-procedure"]
      ),
      (
        [
          #"> [64,1,{},"a"]"#, "< [65,1,9]", #"< [68,1,9,{"receive_progress":true}]"#,
          #"> [70,1,{"progress":true}]"#, "> [70,1,{}]", "< [68,2,9,{}]",
          #"> [70,2,{"progress":true}]"#, "> [70,2,{}]", "> [66,2,9]", "< [67,2]",
        ], ["error yield-progress-unrequested"]
      ),
    ])
  func calls(lines: [String], found: [String]) { #expect(Self.codes(lines) == found) }

  @Test("a retained event is called so") func retained() {
    let talk = WAMPConversation()
    let reported = [#"{"retained":true}"#, #"{"retained":false}"#, "{}"].map {
      talk.say("[36,7,70,\($0)]")?.message.about.description
    }
    #expect(reported == ["retained", "", ""])
  }
}
