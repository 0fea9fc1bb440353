// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// What shows where both legs of a publication were captured.
@Suite struct WAMPLegsTests {
  /// Two clients, the second of which is subscribed to `a` as 9.
  private static func party(
    _ limits: Limits = Limits(), _ describe: @escaping (inout Opening) -> Void = { _ in }
  ) -> Party {
    let party = Party(limits, describe)
    party.join(1, 101)
    party.join(2, 102, client: 8)
    party.say([#"2> [32,1,{},"a"]"#, "2< [33,1,9]"])
    return party
  }

  private static func codes(_ party: Party) -> [String] {
    let known = [
      "wamp.order-violation", "wamp.payload-changed", "wamp.publish-no-receiver",
      "wamp.testament-published",
    ]
    return party.recorder.codes.filter { known.contains($0) }.map { String($0.dropFirst(5)) }
  }

  private static func publish(
    _ request: Int, _ publication: Int, _ arguments: String = "", topic: String = "a"
  ) -> [String] {
    [
      #"1> [16,\#(request),{"acknowledge":true},"\#(topic)"\#(arguments)]"#,
      "1< [17,\(request),\(publication)]",
    ]
  }

  // MARK: - Order

  @Test(
    "the order of acknowledged publications",
    arguments: [
      ([71, 72, 73], 0), ([72, 71, 73], 1), ([71, 73, 72], 1), ([73, 71, 72], 2), ([71, 73], 0),
      ([71, 71, 72], 0), ([72, 73], 0),
    ])
  func order(events: [Int], violations: Int) {
    let party = Self.party()
    for (index, publication) in [71, 72, 73].enumerated() {
      party.say(Self.publish(index + 1, publication))
    }
    party.say(events.map { "2< [36,9,\($0),{}]" })
    #expect(Self.codes(party) == Array(repeating: "order-violation", count: violations))
  }

  @Test("acknowledgements may come in any order") func acknowledgements() {
    let party = Self.party()
    party.say([
      #"1> [16,1,{"acknowledge":true},"a"]"#, #"1> [16,2,{"acknowledge":true},"a"]"#,
      "1< [17,2,72]", "1< [17,1,71]", "2< [36,9,71,{}]", "2< [36,9,72,{}]",
    ])
    #expect(Self.codes(party) == [])
  }

  @Test("an EVENT may come before PUBLISHED") func early() {
    for (events, violations) in [([71, 72], 0), ([72, 71], 1)] {
      let party = Self.party()
      party.say([
        #"1> [16,1,{"acknowledge":true},"a"]"#, #"1> [16,2,{"acknowledge":true},"a"]"#,
      ])
      party.say(events.map { "2< [36,9,\($0),{}]" })
      party.say(["1< [17,1,71]", "1< [17,2,72]"])
      #expect(Self.codes(party) == Array(repeating: "order-violation", count: violations))
      let found = party.recorder.findings.first { $0.code.name == "wamp.order-violation" }
      if violations > 0 { #expect(found?.origin.flow == 2) }
    }
  }

  @Test(
    "EVENTs ahead of PUBLISHED are compared until too many came from others alone",
    arguments: [(9, 2, ["payload-changed"]), (10, 2, []), (9, 4, []), (0, 3, ["payload-changed"])])
  func fruitless(others: Int, between: Int, found: [String]) {
    var limits = Limits()
    (limits.unjoinedEvents, limits.earlyEvents) = (10, 4)
    let party = Self.party(limits)
    party.say([#"1> [16,1,{"acknowledge":true},"a",["sent"]]"#])
    party.say((0..<others).map { #"2< [36,9,\#(1000 + $0),{},["other"]]"# })
    party.say([#"2< [36,9,71,{},["changed"]]"#])
    // Only the latest few are remembered.
    party.say((0..<between).map { #"2< [36,9,\#(2000 + $0),{},["other"]]"# })
    party.say(["1< [17,1,71]"])
    #expect(Self.codes(party) == found)
  }

  @Test("subscriptions that overlap bring an EVENT twice") func overlapping() {
    let party = Self.party()
    party.say([#"2> [32,2,{"match":"prefix"},"a"]"#, "2< [33,2,10]"])
    party.say(Self.publish(1, 71) + Self.publish(2, 72))
    party.say([
      "2< [36,9,71,{}]", "2< [36,9,72,{}]", #"2< [36,10,71,{"topic":"a"}]"#,
      #"2< [36,10,72,{"topic":"a"}]"#,
    ])
    #expect(Self.codes(party) == [])
  }

  @Test("of retained events, two publishers and ambiguous ids nothing is said") func caveats() {
    let party = Self.party()
    party.join(3, 103)
    party.say(Self.publish(1, 71) + Self.publish(2, 72))
    party.say([
      "2< [36,9,72,{}]", #"2< [36,9,71,{"retained":true},[5]]"#,
      #"3> [16,1,{"acknowledge":true},"a"]"#, "3< [17,1,73]",
    ])
    party.say(Self.publish(3, 74) + Self.publish(4, 75))
    party.say([
      #"3> [16,2,{"acknowledge":true},"a"]"#, "3< [17,2,74]", "2< [36,9,74,{}]", "2< [36,9,73,{}]",
    ])
    #expect(Self.codes(party) == [])
  }

  // MARK: - Arguments

  @Test(
    "arguments of both legs",
    arguments: [
      (#",["hi"]"#, #",["hi"]"#, false), (#",["hi"]"#, #",["ho"]"#, true),
      ("", ",[]", false), (",[]", "", false), (",[1],{}", ",[1]", false), (",[1]", "", true),
      (#",[1],{"a":1,"b":[2.50]}"#, #",[1.0],{"b":[2.5],"a":1e0}"#, false),
      (#",[],{"a":1}"#, #",[],{"a":"1"}"#, true), (",[[1],2]", ",[1,[2]]", true),
      (#",["\u0000AAE="]"#, #",["\u0000AAE"]"#, false), (",[0.1]", ",[0.10000000149011612]", false),
      (#",["\u010d"]"#, #",["č"]"#, false), (",[NaN]", ",[null]", false), (",[-1]", ",[1]", true),
      (",[9007199254740993]", ",[9.007199254740993e15]", false),
      (#",[{"a":1,"a":2}]"#, #",[{"a":2}]"#, false),
    ])
  func payloads(sent: String, came: String, isChanged: Bool) {
    let party = Self.party()
    party.say(Self.publish(1, 71, sent))
    party.say(["2< [36,9,71,{}\(came)]"])
    #expect(Self.codes(party) == (isChanged ? ["payload-changed"] : []))
  }

  @Test("a change is reported once for a subscription, and where PUBLISHED comes late")
  func changes() {
    let party = Self.party()
    party.say(Self.publish(1, 71, ",[1]") + Self.publish(2, 72, ",[1]"))
    party.say(["2< [36,9,71,{},[2]]", "2< [36,9,72,{},[2]]"])
    #expect(Self.codes(party) == ["payload-changed"])
    let late = Self.party()
    late.say([
      #"1> [16,1,{"acknowledge":true},"a",[1]]"#, "2< [36,9,71,{},[2]]", "1< [17,1,71]",
    ])
    #expect(Self.codes(late) == ["payload-changed"])
    // A router may leave out what is too large.
    let cut = Self.party()
    cut.say(Self.publish(1, 71, ",[1]"))
    cut.say([#"2< [36,9,71,{"payload_limit_exceeded":true}]"#])
    #expect(Self.codes(cut) == [])
  }

  // MARK: - Receivers

  /// Of two connections, packets may be captured out of order.
  @Test("an EVENT that comes before its PUBLISH is joined with it", arguments: [false, true])
  func first(_ comes: Bool) {
    let events = ["2< [36,9,71,{}]"] + (comes ? ["2< [36,9,72,{}]"] : [])
    let reported = Self.silence(Self.publish(1, 71) + events + Self.publish(2, 72))
    #expect(reported.isEmpty == comes)
  }

  private static func silence(_ lines: [String], _ party: Party = party()) -> [String] {
    party.say(lines)
    party.leave(1)
    #expect(!party.recorder.codes.contains("wamp.publish-no-receiver"))
    party.leave(2)
    return party.recorder.findings.filter { $0.code.name == "wamp.publish-no-receiver" }.map {
      String($0.text.drop { $0 != "," }.prefix { $0 != "H" }.dropFirst(6))
    }
  }

  @Test("what nobody gets, with and without an acknowledgement") func receivers() {
    #expect(Self.silence(Self.publish(1, 71)) == ["1 PUBLIS"])
    #expect(Self.silence(Self.publish(1, 71) + ["2< [36,9,71,{}]"]) == [])
    #expect(
      Self.silence(Self.publish(1, 71) + Self.publish(2, 72) + ["2< [36,9,72,{}]"]) == [
        "1 of 2 PUBLIS"
      ])
    #expect(Self.silence([#"1> [16,1,{},"b"]"#, #"1> [16,2,{},"b"]"#]) == ["2 PUBLIS"])
    // Without an id, an EVENT may be of any of them.
    #expect(
      Self.silence([#"1> [16,1,{},"a"]"#, "2< [36,9,5,{}]", #"1> [16,2,{},"a"]"#]) == [])
    // An EVENT comes late, and the publisher has gone by then.
    let late = Self.party()
    late.say(Self.publish(1, 71))
    late.leave(1)
    late.say(["2< [36,9,71,{}]"])
    late.leave(2)
    #expect(Self.codes(late) == [])
    // What was refused cannot be got.
    #expect(
      Self.silence([
        #"1> [16,1,{"acknowledge":true},"b"]"#, #"1< [8,16,1,{},"wamp.error.not_authorized"]"#,
      ]) == [])
    // A retained event is got by whoever comes later.
    #expect(
      Self.silence(Self.publish(1, 71) + [#"2< [36,9,72,{"retained":true}]"#]) == [])
    let pattern = Self.party()
    pattern.say([#"2> [32,2,{"match":"prefix"},"b"]"#, "2< [33,2,10]"])
    #expect(
      Self.silence([#"1> [16,1,{},"b.c"]"#, #"2< [36,10,5,{"topic":"b.c"}]"#], pattern) == [])
  }

  @Test("a router that answers at two ports shows all of its realm at neither") func ports() {
    for (realm, silences) in [("r", []), ("other", ["1 PUBLIS"])] {
      let party = Self.party()
      party.join(3, 103, realm: realm, client: 9, port: 9)
      #expect(Self.silence(Self.publish(1, 71), party) == silences)
    }
  }

  @Test("what one end, or a log, has of its own connections is not all of a realm") func ends() {
    func silences(_ describe: @escaping (inout Opening) -> Void) -> [String] {
      Self.silence(Self.publish(1, 71), Self.party(Limits(), describe))
    }
    #expect(silences { _ in } == ["1 PUBLIS"])
    #expect(silences { $0.provenance.isOfOneEnd = true } == [])
    // A capture that was written as NDJSON, and an export of one end.
    #expect(silences { $0.provenance.isWrittenWhole = true } == ["1 PUBLIS"])
    #expect(
      silences { ($0.provenance.isWrittenWhole, $0.provenance.isOfOneEnd) = (true, true) } == [])
    #expect(silences { $0.provenance.writer = Array("log".utf8) } == [])
  }

  @Test("nothing is said while others may have got it") func outsiders() {
    let publish = Self.publish(1, 71)
    // One session alone.
    let alone = Party()
    alone.join(1, 101)
    alone.say([#"1> [32,9,{},"b"]"#, "1< [33,9,10]"] + publish)
    alone.leave(1)
    #expect(Self.codes(alone) == [])
    // Nobody else has subscribed to anything.
    let quiet = Party()
    quiet.join(1, 101)
    quiet.join(2, 102, client: 8)
    #expect(Self.silence(publish, quiet) == [])
    // Two sessions of one client: the tap may be there.
    let near = Party()
    near.join(1, 101)
    near.join(2, 102)
    near.say([#"2> [32,1,{},"a"]"#, "2< [33,1,9]"])
    #expect(Self.silence(Self.publish(1, 71, topic: "b"), near) == [])
    // An EVENT that nobody has published.
    let subscribe = [#"2> [32,2,{},"c"]"#, "2< [33,2,11]"]
    #expect(Self.silence(publish + subscribe + ["2< [36,11,5,{}]"]) == [])
    // A call that nobody has answered who was captured.
    #expect(Self.silence(publish + [#"1> [48,2,{},"f"]"#, "1< [50,2,{}]"]) == [])
    let meta = [#"1> [48,2,{},"wamp.session.count"]"#, "1< [50,2,{},[2]]"]
    #expect(Self.silence(publish + meta) == ["1 PUBLIS"])
    // A message that could not be read.
    #expect(Self.silence(publish + ["2< [36,9,"]) == [])
    // Somebody who was there before the capture.
    let partial = Self.party()
    partial.say(["4< [36,9,5,{}]"], client: 9, isFromStart: false)
    #expect(Self.silence(publish, partial) == [])
  }

  @Test("what is on its way when the capture ends may have come") func cut() {
    for (wait, count) in [(0, 0), (2000, 1)] {
      let party = Self.party()
      party.say(Self.publish(1, 71))
      party.wait(milliseconds: wait)
      party.say(["1> cut", "2> cut"])
      #expect(Self.codes(party).count == count)
    }
  }

  // MARK: - Testaments

  @Test("what a session leaves is published when it is gone") func testaments() {
    func codes(_ call: String, _ event: String, _ answer: String = "1< [50,1,{}]") -> [String] {
      let party = Self.party()
      party.say(["1> [48,1,{},\(call)]", answer])
      party.leave(1)
      party.say(["2< [36,9,71,{}\(event)]"])
      return Self.codes(party)
    }
    let add = #""wamp.session.add_testament","#
    #expect(codes(add + #"["a",["gone"],{}]"#, #",["gone"]"#) == ["testament-published"])
    #expect(codes(add + #"["a",["gone"],{}]"#, #",["here"]"#) == [])
    #expect(codes(add + #"["b",["gone"],{}]"#, #",["gone"]"#) == [])
    #expect(
      codes(
        add + #"["a",["gone"],{}]"#, #",["gone"]"#, #"1< [8,48,1,{},"wamp.error.testament_error"]"#)
        == [])
  }

  @Test("a testament that is withdrawn is none") func flushed() {
    for (scope, count) in [("", 0), (#",[],{"scope":"detached"}"#, 1)] {
      let party = Self.party()
      party.say([
        #"1> [48,1,{},"wamp.session.add_testament",["a",["gone"],{}]]"#, "1< [50,1,{}]",
        #"1> [48,2,{},"wamp.session.flush_testaments"\#(scope)]"#, "1< [50,2,{},[1]]",
      ])
      party.leave(1)
      party.say([#"2< [36,9,71,{},["gone"]]"#])
      #expect(Self.codes(party).count == count)
    }
  }

  // MARK: - Bounds

  @Test("where many hear one, what waits for PUBLISHED is not forgotten for them")
  func manyPairs() {
    var limits = Limits()
    limits.publications = 8
    let party = Self.party(limits)
    for who in 3...4 {
      party.join(who, 100 + who, client: UInt8(6 + who))
      party.say([#"\#(who)> [32,1,{},"a"]"#, "\(who)< [33,1,9]"])
    }
    for request in 1...4 { party.say(Self.publish(request, 70 + request)) }
    for who in 2...4 { party.say(["\(who)< [36,9,71,{}]"]) }
    party.say([
      #"1> [16,5,{"acknowledge":true},"a",[1]]"#, #"1> [16,6,{"acknowledge":true},"a",[1]]"#,
      "1< [17,5,75]", "1< [17,6,76]", "2< [36,9,75,{},[2]]",
    ])
    #expect(Self.codes(party) == ["payload-changed"])
  }

  @Test("a session whose HELLO was lost may have received what nobody else did") func realmLost() {
    let party = Self.party()
    party.say(["3> gap", #"3< [2,9,{"roles":{"broker":{}}}]"#])
    #expect(Self.silence(Self.publish(1, 71), party) == [])
  }

  @Test("what is kept of a realm is bounded") func bounds() {
    var limits = Limits()
    limits.publications = 8
    let party = Self.party(limits)
    for request in 1...40 { party.say(Self.publish(request, 70 + request)) }
    // Forgotten: neither joined nor called unheard.
    party.say(["2< [36,9,71,{},[1]]", "2< [36,9,110,{}]", "2< [36,9,109,{}]"])
    #expect(Self.codes(party) == ["order-violation"])
    party.leave(1)
    party.leave(2)
    let text = party.recorder.findings.last { $0.code.name == "wamp.publish-no-receiver" }?.text
    // Those that are still known not to have come; the rest may be what came.
    #expect(text?.contains("2 of 40") == true, "\(text ?? "")")
    // All room was given back.
    var narrow = Limits()
    narrow.watchedEntries = Allowance(4)
    let small = Self.party(narrow)
    small.say(Self.publish(1, 71) + ["2< [36,9,71,{},[1]]"])
    small.leave(1)
    small.leave(2)
    #expect(Self.codes(small) == [])
    #expect(narrow.watchedEntries.take(3))
  }
}
