// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// What messages break together. `>` is said by the client, `<` by the router.
@Suite("Rules of a WAMP session") struct WAMPSessionRulesTests {
  private static let features =
    #"{"features":{"call_canceling":true,"progressive_call_results":true,"#
    + #""progressive_call_invocations":true,"pattern_based_subscription":true,"#
    + #""pattern_based_registration":true,"event_retention":true,"shared_registration":true,"#
    + #""call_timeout":true}}"#
  static let open = [
    #"> [1,"chat",{"roles":{"caller":\#(features),"callee":{},"publisher":{},"subscriber":{}}}]"#,
    #"< [2,1002,{"roles":{"broker":{},"dealer":\#(features)}}]"#,
  ]
  static let left = [
    #"> [6,{},"wamp.close.close_realm"]"#, #"< [6,{},"wamp.close.goodbye_and_out"]"#,
  ]

  static func codes(_ lines: [String], ending: Ending = .closed) -> [String] {
    let talk = WAMPConversation()
    for (record, line) in lines.enumerated() {
      let direction: Direction = line.hasPrefix(">") ? .toServer : .toClient
      if line.hasSuffix("gap") {
        talk.gap(direction)
      } else {
        talk.say(String(line.dropFirst(2)), direction, record: UInt64(record + 1))
      }
    }
    talk.finish(ending)
    return talk.recorder.findings.map { "\($0.severity) \($0.code.name.dropFirst(5))" }
  }

  @Test(
    "a session in order says nothing",
    arguments: [
      [
        #"> [32,1,{},"a.b"]"#, "< [33,1,7]", "< [36,7,1,{}]", "> [34,2,7]", "< [36,7,2,{}]",
        "< [35,2]",
      ],
      [#"> [48,1,{},"a.b"]"#, #"> [48,2,{},"a.b"]"#, "< [50,2,{}]", "< [50,1,{}]"],
      [
        #"> [48,1,{"receive_progress":true},"a.b"]"#, #"< [50,1,{"progress":true}]"#, "< [50,1,{}]",
      ],
      // More parts of one call come under one id.
      [
        #"> [48,1,{"progress":true},"a.b"]"#, #"> [48,1,{"progress":true},"a.b"]"#,
        #"> [48,1,{},"a.b"]"#, "< [50,1,{}]",
      ],
      [
        #"> [64,1,{},"a.b"]"#, "< [65,1,9]", "< [68,5,9,{}]", "> [70,5,{}]", "< [68,9,9,{}]",
        #"> [8,68,9,{},"a.error"]"#, "> [66,2,9]", "< [67,2]",
      ],
      [
        #"> [64,1,{},"a.b"]"#, "< [65,1,9]", "< [68,5,9,{}]", #"< [69,5,{"mode":"killnowait"}]"#,
        "< [68,6,9,{}]", #"< [69,6,{"mode":"killnowait"}]"#, "> [70,6,{}]", "> [66,2,9]",
        "< [67,2]",
      ],
      [#"> [16,1,{"acknowledge":true},"a.b"]"#, "< [17,1,77]"],
      // One subscription for two handlers is ended once.
      [
        #"> [32,1,{},"a.b"]"#, #"> [32,2,{},"a.b"]"#, "< [33,1,7]", "< [33,2,7]", "> [34,3,7]",
        "< [35,3]",
      ],
    ])
  func healthy(lines: [String]) { #expect(Self.codes(Self.open + lines + Self.left) == []) }

  @Test(
    "what is broken is said once",
    arguments: [
      ([#"> [48,1,{},"a.b"]"#], ["warning call-unanswered"]),
      ([#"> [48,1,{},"a.b"]"#, #"> [49,1,{"mode":"skip"}]"#], ["warning cancel-unanswered"]),
      ([#"> [32,1,{},"a.b"]"#, "< [33,1,7]"], ["note subscription-left-open"]),
      (["< [36,7,1,{}]"], ["error event-unknown-subscription"]),
      (
        [#"> [32,1,{},"a.b"]"#, "< [33,1,7]", "> [34,2,7]", "< [35,2]", "< [36,7,1,{}]"],
        ["error event-after-unsubscribed"]
      ),
      // The router awaits no answer, but may get one.
      (
        [
          #"> [64,1,{},"a.b"]"#, "< [65,1,9]", "< [68,5,9,{}]",
          #"< [69,5,{"mode":"killnowait"}]"#, #"> [8,68,5,{},"wamp.error.canceled"]"#,
          "> [70,5,{}]", "> [66,2,9]", "< [67,2]",
        ], ["note yield-after-final"]
      ),
      (
        [#"> [32,1,{},"a.b"]"#, "< [36,7,1,{}]", "< [33,1,7]", "> [34,2,7]", "< [35,2]"],
        ["error event-before-subscribed"]
      ),
      (["< [50,1,{}]"], ["error result-unknown-call"]),
      ([#"> [48,1,{},"a.b"]"#, "< [50,1,{}]", "< [50,1,{}]"], ["error result-after-final"]),
      (["> [70,1,{}]"], ["error yield-unknown-invocation"]),
      (
        [#"> [32,1,{},"a.b"]"#, "< [65,1,7]"],
        ["error ack-wrong-kind", "note registration-left-open"]
      ),
      ([#"> [32,1,{},"a..b"]"#], ["error uri-invalid", "warning request-unanswered"]),
      ([#"> [32,1,{"match":"wildcard"},"a..b"]"#], ["warning request-unanswered"]),
      ([#"> [32,1,{},"a b#"]"#], ["error uri-invalid", "warning request-unanswered"]),
      (["> [36,7,1,{}]"], ["error wrong-direction"]),
      (["< [2,1002,{}]"], ["error welcome-twice"]),
      ([#"> [48,5,{},"a.b"]"#, "< [50,5,{}]"], ["note request-id-not-one-first"]),
      (
        [#"> [48,1,{},"a"]"#, #"< [8,48,1,{},"wamp.error.no_such_procedure"]"#],
        ["warning no-such-procedure"]
      ),
    ])
  func broken(lines: [String], found: [String]) {
    #expect(Self.codes(Self.open + lines + Self.left) == found)
  }

  @Test("of more grants than are remembered when they have ended, nobody says that they never were")
  func forgotten() {
    var lines: [String] = []
    for id in 1...65 {
      let request = 2 * id - 1
      lines.append(#"> [32,\#(request),{},"a.b"]"#)
      lines.append("< [33,\(request),\(id)]")
      lines.append("> [34,\(request + 1),\(id)]")
      lines.append("< [35,\(request + 1)]")
    }
    lines += ["< [36,1,1,{}]", "< [36,65,2,{}]", #"< [35,0,{"subscription":2}]"#]
    let codes = Self.codes(Self.open + lines + Self.left)
    #expect(
      codes == [
        "error event-unknown-subscription", "error event-after-unsubscribed", "warning revoked",
        "error revocation-unannounced",
      ])
  }

  @Test("ids that never count up are reported once") func random() {
    let lines = [7, 3, 900, 12, 55].flatMap { [#"> [48,\#($0),{},"a"]"#, "< [50,\($0),{}]"] }
    #expect(
      Self.codes(Self.open + lines + Self.left) == [
        "note request-id-not-one-first", "note request-id-gap",
      ])
  }

  @Test("after a gap nothing is said to be missing") func gaps() {
    let lines = ["> gap", "< [50,1,{}]", "< [36,7,1,{}]", "> [70,5,{}]", #"> [48,9,{},"a"]"#]
    #expect(Self.codes(Self.open + lines + Self.left) == [])
    #expect(Self.codes(Self.open + lines + ["> [6,{},\"a\"]"]) == [])
  }

  /// A hole of one side was found after the other side had gone on.
  @Test("what was suspected is not reported when a gap explains it") func lateGap() {
    #expect(Self.codes(Self.open + ["< [50,1,{}]", "> gap"] + Self.left) == [])
  }

  @Test("a request that a hole held back explains its answer") func heldBack() {
    let talk = WAMPConversation()
    for line in Self.open {
      talk.say(String(line.dropFirst(2)), line.first == ">" ? .toServer : .toClient)
    }
    talk.say("[50,1,{}]", .toClient, record: 9)
    talk.say(#"[48,1,{},"a"]"#, .toServer, record: 8)
    talk.say(#"[6,{},"a"]"#, .toServer, record: 10)
    talk.say(#"[6,{},"a"]"#, .toClient, record: 11)
    talk.finish(.closed)
    #expect(talk.recorder.codes == [])
  }

  @Test("of a capture that began later, only what was seen is judged") func midstream() {
    let talk = WAMPConversation(isFromStart: false)
    talk.say("[50,1,{}]", .toClient)
    talk.say("[36,7,1,{}]", .toClient)
    talk.say(#"[48,4,{},"a"]"#, .toServer)
    talk.finish(.closed)
    #expect(talk.recorder.codes == ["wamp.call-unanswered"])
  }

  @Test("pasted messages are not judged by each other") func pasted() {
    let talk = WAMPConversation()
    for text in ["[50,1,{}]", "[36,7,1,{}]", #"[48,4,{},"a"]"#] { talk.say(text, .unknown) }
    talk.finish(.endOfEvidence)
    #expect(talk.recorder.codes == [])
  }

  @Test(
    "the ways to end",
    arguments: [
      (Ending.closed, [String](), ["note session-lost"]),
      (.endOfEvidence, [], []),
      (.endOfEvidence, [#"> [48,1,{},"a"]"#], ["note call-unanswered"]),
      (.reset, [#"> [6,{},"a"]"#], ["warning goodbye-unanswered"]),
      (.closed, [#"< [3,{},"a"]"#], ["warning abort-after-open"]),
    ])
  func endings(ending: Ending, lines: [String], found: [String]) {
    #expect(Self.codes(Self.open + lines, ending: ending) == found)
  }
}
