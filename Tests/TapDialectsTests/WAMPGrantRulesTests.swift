// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Subscriptions and registrations of a session that is open: each row leaves none.
@Suite("Grants of WAMP") struct WAMPGrantRulesTests {
  private static let subscribed = [#"> [32,1,{},"a"]"#, "< [33,1,7]"]
  private static let ended = ["> [34,2,7]", "< [35,2]"]

  private func codes(_ lines: [String]) -> [String] {
    WAMPSessionRulesTests.codes(
      WAMPSessionRulesTests.open + lines + WAMPSessionRulesTests.left)
  }

  @Test(
    "subscriptions",
    arguments: [
      (subscribed + ["< [36,7,1,{}]"] + ended, []),
      // Before SUBSCRIBED is reported, and where nobody asked.
      (
        [#"> [32,1,{},"a"]"#, "< [36,7,1,{}]", "< [33,1,7]"] + ended,
        ["error event-before-subscribed"]
      ),
      (["< [36,7,1,{}]"], ["error event-unknown-subscription"]),
      (subscribed + ["< [36,7,1,{}]", "< [36,7,1,{}]"] + ended, ["warning event-duplicate"]),
      (
        subscribed + [#"< [36,7,1,{"retained":true}]"#] + ended,
        ["warning retained-unrequested"]
      ),
      (
        [#"> [32,1,{"get_retained":true},"a"]"#, "< [33,1,7]", #"< [36,7,1,{"retained":true}]"#]
          + ended, []
      ),
      (
        subscribed + [#"> [32,2,{},"a"]"#, "< [33,2,7]", "> [34,3,7]", "< [35,3]"],
        ["note subscribe-duplicate"]
      ),
      (subscribed + ["> [34,2,7]", "> [34,3,7]", "< [35,2]"], ["warning unsubscribe-twice"]),
      (["> [34,1,7]"], ["warning unsubscribe-unknown"]),
      (subscribed + ended + ["> [34,3,7]"], ["warning unsubscribe-unknown"]),
    ] as [([String], [String])])
  func subscriptions(lines: [String], found: [String]) {
    #expect(codes(lines).filter { !$0.contains("unanswered") } == found)
  }

  @Test("the session's own events come only where it asks for them") func own() {
    func codes(_ options: String) -> [String] {
      let publish = #"> [16,2,\#(options),"a"]"#
      let event = ["< [17,2,77]", "< [36,7,77,{}]", "> [34,3,7]", "< [35,3]"]
      return self.codes(Self.subscribed + [publish] + event).filter { $0.hasSuffix("self") }
    }
    #expect(codes(#"{"acknowledge":true}"#) == ["warning event-self"])
    #expect(codes(#"{"acknowledge":true,"exclude_me":false}"#) == [])
  }

  @Test(
    "events of a pattern name a topic that it matches",
    arguments: [
      ("prefix", #"{"topic":"a.b"}"#, []), ("prefix", #"{"topic":"b.a"}"#, ["error"]),
      ("wildcard", #"{"topic":"x.b"}"#, []), ("wildcard", "{}", ["error"]),
    ] as [(String, String, [String])])
  func patterns(match: String, details: String, found: [String]) {
    let pattern = match == "prefix" ? "a." : ".b"
    let codes = codes(
      [#"> [32,1,{"match":"\#(match)"},"\#(pattern)"]"#, "< [33,1,7]", "< [36,7,1,\(details)]"]
        + Self.ended)
    #expect(codes.map { String($0.split(separator: " ")[0]) } == found)
  }
}
