// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// What shows only where several sessions are seen, and what all of them together may take.
@Suite struct WAMPRealmTests {
  @Test(
    "subscriptions that grow over reconnects",
    arguments: [
      ([1, 2, 3], 1), ([1, 2], 0), ([2, 2, 2, 2], 0), ([3, 2, 1], 0), ([0, 1, 2], 0),
      ([1, 2, 2, 3, 4], 1), ([1, 2, 3, 4], 2),
    ])
  func growth(counts: [Int], warnings: Int) {
    let party = Party()
    for (index, count) in counts.enumerated() { party.session(index + 1, leaving: count) }
    #expect(party.warnings == Array(repeating: "subscription-left-open", count: warnings))
  }

  @Test("several clients at one address are not taken for one") func mixed() {
    let party = Party()
    for who in 1...3 { party.join(who, 1000 + who) }
    for who in 1...3 {
      for request in 1...who {
        party.say([
          #"\#(who)> [32,\#(request),{},"t\#(request)"]"#, "\(who)< [33,\(request),\(request)]",
        ])
      }
      party.leave(who)
    }
    #expect(party.warnings == [])
  }

  @Test("clients are told apart by their address") func clients() {
    let party = Party()
    for (index, count) in [1, 2, 3].enumerated() {
      party.session(index + 1, leaving: count, client: UInt8(index + 1))
    }
    #expect(party.warnings == [])
  }

  @Test("a session id is open once in a realm") func sessionIDs() {
    let party = Party()
    party.join(1, 5)
    party.join(2, 5, realm: "other")
    party.join(3, 6)
    #expect(party.warnings == [])
    party.join(4, 5)
    #expect(party.warnings == ["session-id-reuse"])
    party.leave(1)
    party.leave(4)
    party.join(5, 5)
    #expect(party.warnings == ["session-id-reuse"])
  }

  @Test("one way to share the calls of a procedure") func policies() {
    let party = Party()
    party.join(1, 1)
    party.join(2, 2)
    party.say([#"1> [64,1,{"invoke":"random"},"a"]"#, "1< [65,1,9]"])
    party.say([#"2> [64,1,{"invoke":"random"},"a"]"#, "2< [65,1,9]"])
    #expect(!party.warnings.contains("invoke-mismatch"))
    party.say([#"2> [64,2,{},"a"]"#])
    #expect(party.warnings.contains("invoke-mismatch"))
    party.leave(1)
    party.leave(2)
    party.join(3, 3)
    let before = party.warnings.count
    party.say([#"3> [64,1,{},"a"]"#])
    #expect(party.warnings.count == before)
  }

  @Test("who was there when somebody published, and subscribed afterwards") func lateness() {
    func codes(_ lines: [String]) -> [String] {
      let party = Party()
      party.join(1, 1)
      party.join(2, 2)
      party.say(lines)
      return party.recorder.codes.filter { $0 == "wamp.subscribed-after-publish" }
    }
    let publish = #"1> [16,1,{"acknowledge":true},"a"]"#
    let subscribe = [#"2> [32,1,{},"a"]"#, "2< [33,1,9]"]
    #expect(codes([publish] + subscribe).count == 1)
    #expect(codes(subscribe + [publish]) == [])
    #expect(codes([publish, #"2> [32,1,{"get_retained":true},"a"]"#, "2< [33,1,9]"]) == [])
    #expect(codes([publish, #"2> [32,1,{},"b"]"#, "2< [33,1,9]"]) == [])
    // Who joins later cannot have missed it.
    let party = Party()
    party.join(1, 1)
    party.say([publish])
    party.join(2, 2)
    party.say(subscribe)
    #expect(!party.recorder.codes.contains("wamp.subscribed-after-publish"))
  }

  @Test("what all sessions together may take is bounded, and given back") func allowance() {
    var limits = Limits()
    limits.sessionEntries = 2
    limits.watchedEntries = Allowance(6)
    let party = Party(limits)
    party.join(1, 1)
    // The session id and the client of each are kept, too.
    for request in 1...7 { party.say([#"1> [48,\#(request),{},"a"]"#]) }
    #expect(party.recorder.things[Counter.sessionUnwatched.rawValue] == 1)
    for request in 8...12 { party.say([#"1> [48,\#(request),{},"a"]"#]) }
    #expect(party.recorder.things[Counter.sessionUnwatched.rawValue] == 1)
    // Nothing of what was forgotten is called unknown, or missing.
    party.say(["1< [50,1,{}]", "1< [50,99,{}]", "1< [36,5,6,{}]"])
    party.leave(1)
    let blamed = party.recorder.codes.filter {
      $0.contains("unknown") || $0.contains("final") || $0.contains("gap")
    }
    #expect(blamed == [])
    // The next has as much room as the first had.
    #expect(limits.watchedEntries.take(6))
    limits.watchedEntries.give(6)
    // Who leaves something is remembered, until too many are.
    party.session(2, leaving: 1)
    #expect(!limits.watchedEntries.take(6) && limits.watchedEntries.take(5))
  }
}
