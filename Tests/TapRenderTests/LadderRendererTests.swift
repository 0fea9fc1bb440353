// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapTraffic
import Testing

@testable import TapRender

@Suite struct LadderRendererTests {
  private static let heads = """
    #1  10.0.0.1:50000 → 10.1.0.1:8080  wamp.2.json
    #2  10.0.0.2:50000 → 10.1.0.1:8080  wamp.2.json


    """
  private static let remark = "~ is in this exchange by its subject and payload, not by an id\n"

  @Test func twoLegs() {
    var ladder = Ladders()
    ladder.open(2)
    ladder.call(1, by: 2, to: 1)
    #expect(ladder.shown == 4 && ladder.early.isEmpty)
    let drawn = ladder.drawn()
    #expect(
      drawn == Self.heads + """
               #1 10.0.0.1:50000             server 10.1.0.1:8080      #2 10.0.0.2:50000
          0.000000   1 │                               │◀─ CALL 1 com.calc.add2 ───────│
          0.001000  ~1 │◀─ INVOCATION 26 …calc.add2 ───│                               │
          0.002000  ~1 │┄┄ YIELD 26 [10] ┄┄┄┄ 1.89 ms ▶│                               │
          0.003000   1 │                               │┄┄ RESULT 1 [10] ┄┄┄┄ 1.89 ms ▶│

        """ + Self.remark)
    #expect(drawn.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  /// No wider than the longest label needs.
  @Test func twoLegsWithRoom() {
    var ladder = Ladders(width: 200)
    ladder.open(2)
    ladder.call(1, by: 2, to: 1)
    #expect(
      ladder.drawn() == Self.heads + """
               #1 10.0.0.1:50000                        server 10.1.0.1:8080                         #2 10.0.0.2:50000
          0.000000   1 │                                          │◀─ CALL 1 com.calc.add2 · [0,10] ─────────│
          0.001000  ~1 │◀─ INVOCATION 26 com.calc.add2 · [0,10] ──│                                          │
          0.002000  ~1 │┄┄ YIELD 26 [10] ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ 1.89 ms ▶│                                          │
          0.003000   1 │                                          │┄┄ RESULT 1 [10] ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ 1.89 ms ▶│

        """ + Self.remark)
  }

  /// An EVENT that comes before PUBLISHED is known by its id in the end; one of a publication that
  /// nobody acknowledged never is.
  @Test func publications() {
    var ladder = Ladders()
    ladder.open(3)
    let subscription = link("subscription", 5, .refers)
    let (known, unknown) = (link("publication", 77, .shares), link("publication", 78, .shares))
    let hi = #"["hi"]"#
    let publish = ladder.say(1, .toServer, "PUBLISH", [link("request", 2)], "com.chat", hi)
    ladder.say(2, .toClient, "EVENT", [subscription, known], "com.chat", hi)
    ladder.say(
      1, .toClient, "PUBLISHED", [link("request", 2, .answers), known], "com.chat",
      answers: publish)
    ladder.say(3, .toClient, "EVENT", [subscription, known], "com.chat", hi)
    ladder.say(1, .toServer, "PUBLISH", [link("request", 3)], "com.chat", "[1]", later: 2500)
    ladder.say(2, .toClient, "EVENT", [subscription, unknown], "com.chat", "[1]")
    ladder.say(3, .toClient, "EVENT", [subscription, unknown], "com.chat", "[1]")
    ladder.say(3, .toClient, "EVENT", [subscription], "com.chat", "[2]")
    #expect(
      ladder.drawn().components(between: "\n\n", and: "~ is") == """
                      #1      #2    server    #3
          0.000000   1 │───────┼──────▶│       │  #1 PUBLISH 2 com.chat · ["hi"]
          0.001000   1 │       │◀──────│       │  #2 EVENT com.chat · ["hi"]
          0.002000   1 │◀┄┄┄┄┄┄┼┄┄┄┄┄┄┄│       │  #1 PUBLISHED 2 publication 77  1.89 ms
          0.003000   1 │       │       │──────▶│  #3 EVENT com.chat · ["hi"]
           +2.50 s     ┊       ┊       ┊       ┊
          2.503000   2 │───────┼──────▶│       │  #1 PUBLISH 3 com.chat · [1]
          2.504000  ~2 │       │◀──────│       │  #2 EVENT com.chat · [1]
          2.505000  ~2 │       │       │──────▶│  #3 EVENT com.chat · [1]
          2.506000     │       │       │──────▶│  #3 EVENT com.chat · [2]

        """)
  }

  /// What went wrong is said in words, and needs the room more than its time does.
  @Test func failures() {
    var ladder = Ladders()
    ladder.open(2)
    let call = ladder.say(1, .toServer, "CALL", [link("request", 9)], "com.none", "[1]")
    ladder.say(
      1, .toClient, "ERROR", [link("request", 9, .answers)], "com.none", answers: call,
      reason: "wamp.error.no_such_procedure", about: "CALL")
    ladder.say(
      2, .toClient, "ERROR", [link("request", 4, .answers)], "com.lost", reason: "com.busy",
      about: "CALL")
    let warning = Finding(
      "a.code", .warning, Origin(time: Instant(nanoseconds: 3_000_000)), "what is \u{1B}[31m wrong")
    ladder.write { $0.finding(warning, connection: 2, messages: [3], into: &$1) }
    ladder.write {
      $0.finding(Finding("a.note", .note, Origin(), "n"), connection: 2, messages: [], into: &$1)
    }
    ladder.write {
      var closing = Closing(by: .toServer)
      closing.isReset = true
      $0.closed(
        closing, connection: 2, Delivery(Origin(time: Instant(nanoseconds: 4_000_000))), into: &$1)
    }
    ladder.say(1, .toServer, "HEARTBEAT")
    #expect(
      ladder.drawn().components(between: "\n\n", and: "!!") == """
              #1 10.0.0.1:50000             server 10.1.0.1:8080       #2 10.0.0.2:50000
          0.000000  1 │── CALL 9 com.none · [1] ─────▶│                               │
          0.001000  1 │◀┄ ERROR 9 …o_such_procedure ┄┄│                               │
          0.002000    │                               │── ERROR CALL 4 com.busy ─────▶│
          0.002000    ! #2 a.code  what is \\x1b[31m wrong
          0.003000    #2 ·  closed by the client: reset, no CLOSE frame
          0.003000    │── HEARTBEAT ─────────────────▶│

        """)
  }

  /// Peers that have no room of their own share a column; nothing is left out.
  @Test func manyPeers() {
    var ladder = Ladders()
    ladder.open(12)
    for number in 1...12 {
      ladder.say(UInt32(number), .toServer, "CALL", [link("request", 1)], "com.a\(number)")
    }
    ladder.call(4, by: 12, to: 11)
    let drawn = ladder.drawn()
    let lines = drawn.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("#") }.count == 7)
    #expect(lines[7] == "              #1  #2  #3  #4  srv #5  #11 #12 +5")
    #expect(
      lines[13] == "  0.005000     │   │   │   │   │◀──┼───┼───┼───│  #6 CALL 1 com.a6")
    #expect(
      lines[23]
        == "  0.015000   1 │   │   │   │   │┄┄┄┼┄┄┄┼┄┄▶│   │  #12 RESULT 4 [10]      1.89 ms")
    #expect(lines[24].hasPrefix("+5: that many connections share the last column"))
    #expect(lines.count == 27)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func serversStandBetweenTheirClients() {
    var ladder = Ladders(width: 90)
    ladder.open(4, servers: [1, 2])
    ladder.call(4, by: 1, to: 3)
    ladder.call(4, by: 2, to: 4)
    #expect(
      ladder.drawn().components(between: "\n\n", and: "~ is") == """
                      #1    server    #3      #2    server    #4
          0.000000   1 │──────▶│       │       │       │       │  #1 CALL 4 com.calc.add2 · [0,10]
          0.001000  ~1 │       │──────▶│       │       │       │  #3 INVOCATION 29 com.calc.add2
          0.002000  ~1 │       │◀┄┄┄┄┄┄│       │       │       │  #3 YIELD 29 [10]         1.89 ms
          0.003000   1 │◀┄┄┄┄┄┄│       │       │       │       │  #1 RESULT 4 [10]         1.89 ms
          0.004000   2 │       │       │       │──────▶│       │  #2 CALL 4 com.calc.add2 · [0,10]
          0.005000  ~2 │       │       │       │       │──────▶│  #4 INVOCATION 29 com.calc.add2
          0.006000  ~2 │       │       │       │       │◀┄┄┄┄┄┄│  #4 YIELD 29 [10]         1.89 ms
          0.007000   2 │       │       │       │◀┄┄┄┄┄┄│       │  #2 RESULT 4 [10]         1.89 ms

        """)
  }

  /// A router may answer at several ports: what is the same there belongs together, what is only
  /// the one request that is open does not.
  @Test func portsOfOneAddress() {
    var ladder = Ladders(width: 90)
    ladder.open(4, ports: [8080, 8081])
    ladder.call(4, by: 1, to: 2)
    ladder.say(1, .toServer, "CALL", [link("request", 5)], "com.b", "[1]")
    ladder.say(2, .toClient, "INVOCATION", [link("request", 30)], "com.b", "[2]")
    ladder.say(3, .toClient, "INVOCATION", [link("request", 30)], "com.b", "[3]")
    #expect(
      ladder.drawn().components(between: "\n\n", and: "~ is") == """
                      #1     :8080    #3      #2     :8081
          0.000000   1 │──────▶│       │       │       │  #1 CALL 4 com.calc.add2 · [0,10]
          0.001000  ~1 │       │       │       │◀──────│  #2 INVOCATION 29 com.calc.add2 · [0,10]
          0.002000  ~1 │       │       │       │┄┄┄┄┄┄▶│  #2 YIELD 29 [10]                 1.89 ms
          0.003000   1 │◀┄┄┄┄┄┄│       │       │       │  #1 RESULT 4 [10]                 1.89 ms
          0.004000   2 │──────▶│       │       │       │  #1 CALL 5 com.b · [1]
          0.005000     │       │       │       │◀──────│  #2 INVOCATION 30 com.b · [2]
          0.006000  ~2 │       │──────▶│       │       │  #3 INVOCATION 30 com.b · [3]

        """)
  }

  /// Publications have one id at all ports, if it is so large that it is random; a proxy repeats
  /// it.
  @Test func publicationsOfOneAddress() {
    for (publication, isJoined) in [(7_000_000_000, true), (7, false)] as [(UInt64, Bool)] {
      var ladder = Ladders(width: 90)
      ladder.open(3, ports: [8080, 8081])
      let known = Link(
        .shares, "publication", publication, space: 202, scope: .router)
      let sent = ladder.say(1, .toServer, "PUBLISH", [link("request", 2)], "com.chat")
      ladder.say(
        1, .toClient, "PUBLISHED", [link("request", 2, .answers), known], "com.chat",
        answers: sent)
      for client in [2, 3] as [UInt32] {
        ladder.say(client, .toClient, "EVENT", [known], "com.chat", "[1]")
      }
      let drawn = ladder.drawn().split(separator: "\n").filter { $0.contains("EVENT") }
      #expect(drawn.map { $0.dropFirst(10).prefix(5) } == [isJoined ? "  1 │" : "    │", "  1 │"])
    }
  }

  /// What is kept is bounded; the heads are written again only when they are others.
  @Test func pages() {
    var limits = Limits()
    limits.ladderRows = 4
    var ladder = Ladders(limits: limits)
    ladder.open(2)
    for request in 1...3 { ladder.call(UInt64(request), by: 2, to: 1) }
    #expect(ladder.shown == 12 && !ladder.early.isEmpty)
    ladder.say(1, .toServer, "CALL", [link("request", 9)], "com.x")
    let drawn = ladder.drawn()
    #expect(drawn.components(separatedBy: "10.0.0.1:50000 →").count == 2)
    // Once for both, once for the one that goes on.
    #expect(drawn.components(separatedBy: "server 10.1.0.1:8080").count == 3)
    #expect(drawn.contains("  ~3 │◀─ INVOCATION 28"))
  }

  @Test func pasted() {
    var ladder = Ladders(width: nil)
    let call = ladder.say(0, .unknown, "CALL", [link("request", 1)], "a.b", "[1]")
    ladder.say(0, .unknown, "RESULT", [link("request", 1, .answers)], "a.b", "[2]", answers: call)
    #expect(
      ladder.drawn() == """
                   client                        server
          0.000000  1 │── CALL 1 a.b · [1] ─────────│
          0.001000  1 │┄┄ RESULT 1 [2] ┄┄┄ 1.89 ms ┄│

        """)
  }
}

extension String {
  /// What stands between two pieces of text, or up to the end.
  fileprivate func components(between start: String, and end: String) -> String {
    let rest = components(separatedBy: start).dropFirst().joined(separator: start)
    return rest.components(separatedBy: end)[0]
  }
}
