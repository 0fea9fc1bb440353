// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// How requests are numbered, and calls that come in parts, within a session that is open.
@Suite("Requests of WAMP") struct WAMPRequestRulesTests {
  private func codes(_ lines: [String]) -> [String] {
    WAMPSessionRulesTests.codes(
      WAMPSessionRulesTests.open + lines + WAMPSessionRulesTests.left)
  }

  private static let counted = (1...3).flatMap {
    [#"> [48,\#($0),{},"a"]"#, "< [50,\($0),{}]"]
  }

  @Test(
    "numbers",
    arguments: [
      // Each counts up by one, whatever it asks for.
      (
        [
          #"> [48,1,{},"a"]"#, "< [50,1,{}]", #"> [16,2,{"acknowledge":true},"a"]"#, "< [17,2,7]",
          #"> [48,3,{},"a"]"#, "< [50,3,{}]",
        ], []
      ),
      // One that has counted up is to blame, one that never did is not.
      (counted + [#"> [48,5,{},"a"]"#, "< [50,5,{}]"], ["error request-id-gap"]),
      (
        [#"> [48,1,{},"a"]"#, "< [50,1,{}]", #"> [48,3,{},"a"]"#, "< [50,3,{}]"],
        ["note request-id-gap"]
      ),
      (
        [#"> [48,1,{},"a"]"#, #"> [48,1,{},"a"]"#, "< [50,1,{}]"],
        ["error request-id-duplicate"]
      ),
      (
        [
          #"> [48,1,{},"a"]"#, #"> [16,1,{"acknowledge":true},"a"]"#, "< [17,1,7]", "< [50,1,{}]",
        ], ["warning request-id-reuse-cross-kind"]
      ),
    ] as [([String], [String])])
  func numbers(lines: [String], found: [String]) { #expect(codes(lines) == found) }

  private static let part = #"> [48,1,{"progress":true},"a"]"#
  private static let end = [#"> [48,1,{},"a"]"#, "< [50,1,{}]"]

  @Test(
    "a call in parts",
    arguments: [
      ([part, part] + end, []),
      (
        [#"> [48,1,{},"a"]"#, part, "< [50,1,{}]"], ["error call-continuation-nonprogressive"]
      ),
      (
        [part, #"> [48,1,{},"b"]"#, "< [50,1,{}]"], ["error call-continuation-procedure-changed"]
      ),
      (
        [part, #"> [48,1,{"timeout":5},"a"]"#, "< [50,1,{}]"], ["note call-continuation-options"]
      ),
      ([part, "< [50,1,{}]", part], ["note call-continuation-late"]),
    ] as [([String], [String])])
  func parts(lines: [String], found: [String]) { #expect(codes(lines) == found) }

  @Test(
    "what is left open, by how far it came",
    arguments: [
      ([#"> [48,1,{},"a"]"#], ["warning call-unanswered"]),
      (
        [#"> [48,1,{"receive_progress":true},"a"]"#, #"< [50,1,{"progress":true}]"#],
        ["warning call-not-finished-progress"]
      ),
      (
        [#"> [64,1,{},"a"]"#, "< [65,1,9]", "< [68,5,9,{}]", "> [66,2,9]", "< [67,2]"],
        ["warning invocation-unanswered"]
      ),
      ([#"> [16,1,{},"a"]"#], ["note publish-unacked"]),
    ])
  func open(lines: [String], found: [String]) { #expect(codes(lines) == found) }
}
