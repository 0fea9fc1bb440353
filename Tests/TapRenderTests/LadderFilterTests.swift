// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

@testable import TapRender

@Suite struct LadderFilterTests {
  @Test(arguments: [
    ("com.chat.room1", "com.chat", true), ("com.chat.room1", "com.chat.room1", true),
    ("com.chat", "com.chat.room1", false), ("com.chat", "", true), ("org.chat", "com", false),
    ("com.chat.room1", "com.*.room1", true), ("com.chat.room1", "*.room1", true),
    ("com.chat.room1", "com.*", true), ("com.chat.room1", "com.*.room", false),
    ("com.chat.room1", "com.chat.room?", true), ("com.chat.room", "com.chat.room?", false),
    ("com.žofie", "com.?ofie", true), ("", "*", true), ("", "?", false),
    ("aaaaaaaaaaaaaaaaaaaaaaaaab", "*a*a*a*a*a*a*a*c", false), ("a*b", "a*b", true),
  ])
  func subjects(_ subject: String, _ pattern: String, _ matches: Bool) {
    #expect(LadderFilter.matches(Array(subject.utf8), Array(pattern.utf8)) == matches)
  }

  /// Two calls, and a third peer that subscribes.
  private func lines(_ set: (inout LadderFilter) -> Void) -> [String] {
    var narrowing = LadderFilter()
    set(&narrowing)
    var ladder = Ladders(width: 200, narrowing)
    ladder.open(3)
    ladder.say(
      3, .toClient, "WELCOME", [Link(.shows, "session", 4711, space: 0)],
      facts: [("authid", "ann")])
    ladder.call(1, by: 2, to: 1, "com.a.one")
    ladder.call(2, by: 2, to: 1, "com.b.two")
    ladder.say(3, .toServer, "SUBSCRIBE", [link("request", 2)], "com.b.topic")
    return ladder.drawn().split(separator: "\n").map(String.init)
  }

  private func names(_ set: (inout LadderFilter) -> Void) -> [String] {
    lines(set).compactMap { $0.firstMatch(of: /[A-Z]{4,}(?: \d+)?/).map { String($0.0) } }
  }

  @Test func wholeExchanges() {
    let one = ["CALL 1", "INVOCATION 26", "YIELD 26", "RESULT 1"]
    let two = ["CALL 2", "INVOCATION 27", "YIELD 27", "RESULT 2"]
    #expect(names { _ in } == ["WELCOME"] + one + two + ["SUBSCRIBE 2"])
    #expect(names { $0.subjects = ["com.a"] } == one)
    #expect(names { $0.subjects = ["com.a", "*.two"] } == one + two)
    #expect(names { $0.requests = [27] } == two)
    #expect(names { $0.requests = [2] } == two + ["SUBSCRIBE 2"])
    #expect(names { ($0.requests, $0.subjects) = ([2], ["com.b.to"]) } == ["SUBSCRIBE 2"])
  }

  /// A session is a column: of the exchanges of others, only what it takes part in.
  @Test func sessions() {
    #expect(
      names { $0.sessions = [.connection(1)] }
        == ["INVOCATION 26", "YIELD 26", "INVOCATION 27", "YIELD 27"])
    #expect(names { $0.sessions = [.id(4711)] } == ["WELCOME", "SUBSCRIBE 2"])
    #expect(
      names { ($0.sessions, $0.subjects) = ([.connection(2)], ["com.a"]) }
        == ["CALL 1", "RESULT 1"])
    #expect(lines { $0.sessions = [.id(4711)] }[0].hasSuffix("session 4711 ann"))
  }

  @Test func nothing() {
    #expect(lines { $0.sessions = [.id(9)] } == ["nothing that was read matches"])
  }
}
