// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapRender

@Suite struct MermaidTests {
  @Test func diagram() {
    var ladder = Ladders(mermaid: LadderFilter())
    ladder.open(2)
    ladder.call(1, by: 2, to: 1)
    let call = ladder.say(2, .toServer, "CALL", [link("request", 2)], "a.b", later: 1500)
    ladder.say(
      2, .toClient, "ERROR", [link("request", 2, .answers)], "a.b", answers: call,
      reason: "com.x;y", about: "CALL")
    ladder.write {
      $0.finding(
        Finding("a.code", .error, Origin(), "of #all"), connection: 0, messages: [], into: &$1)
    }
    #expect(
      ladder.drawn() == """
        sequenceDiagram
          participant c1 as #35;1 10.0.0.1:50000
          participant s0 as server 10.1.0.1:8080
          participant c2 as #35;2 10.0.0.2:50000
          c2->>s0: CALL 1 com.calc.add2 · [0,10] (1)
          s0->>c1: INVOCATION 26 com.calc.add2 · [0,10] (~1)
          c1-->>s0: YIELD 26 [10] · 1.89 ms (~1)
          s0-->>c2: RESULT 1 [10] · 1.89 ms (1)
          Note over c2,s0: 1.50 s later
          c2->>s0: CALL 2 a.b (2)
          s0--xc2: ERROR CALL 2 com.x#59;y · 1.89 ms (2)
          Note over c1: ! a.code: of #35;all
          %% ~ is in this exchange by its subject and payload, not by an id

        """)
  }

  /// Nothing of the wire ends a statement, begins a comment, or is taken for markup.
  @Test(arguments: [
    ("plain text: [1]", "plain text: [1]"), ("a;b#c", "a#59;b#35;c"),
    ("\"<b>&", "#34;#60;b#62;#38;"),
    ("%%{init}%%", "#37;#37;{init}#37;#37;"), ("`$$x$$`", "#96;#36;#36;x#36;#36;#96;"),
    ("\\n", "#92;n"), ("{\"style\":\"a\"}", "{#34;#115;tyle#34;:#34;a#34;}"),
    ("classDef x", "#99;lassDef x"), ("Žofie 😀", "Žofie 😀"),
  ])
  func escapes(_ text: String, _ escaped: String) {
    var buffer = TextBuffer(capacity: 64)
    MermaidDiagram.append(Array(text.utf8).span.bytes, to: &buffer)
    #expect(String(decoding: buffer.bytes.copied(), as: Unicode.UTF8.self) == escaped)
  }

  @Test func nothing() {
    var empty = Ladders(mermaid: LadderFilter())
    #expect(empty.drawn() == "")
    var narrowing = LadderFilter()
    narrowing.requests = [7]
    var ladder = Ladders(mermaid: narrowing)
    ladder.open(2)
    ladder.call(1, by: 2, to: 1)
    #expect(ladder.drawn() == "sequenceDiagram\n  %% nothing that was read matches\n")
  }
}
