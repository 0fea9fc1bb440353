// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapDialects

/// Lines of chromedriver's verbose log.
@Suite("Logs of chromedriver") struct ChromeDriverLogTests {
  /// `direction connection JSON`, a line for each message; `~` stands behind one that was cut.
  private func reported(_ lines: String) -> [String] {
    var log = ChromeDriverLog(limits: Limits())
    var reported: ContiguousArray<Narration> = []
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      let bytes = Array(line.utf8)
      if !log.isKnown { _ = log.look(at: bytes.span.bytes) }
      if log.isKnown { _ = log.read(bytes.span.bytes, Origin(), &reported) }
    }
    log.settle(&reported)
    return reported.map {
      let arrow = $0.origin.direction == .toServer ? "→" : "←"
      let head = $0.connection.isEmpty ? arrow : "\(arrow) \($0.connection)"
      switch $0.event {
      case .message(let json): return "\(head) \(String(decoding: json, as: Unicode.UTF8.self))"
      case .abridged(let json): return "\(head) \(String(decoding: json, as: Unicode.UTF8.self))~"
      case .alsoMixed: return "\(head) mixed"
      default: return ""
      }
    }
  }

  private func line(_ words: String) -> String {
    "[1795885109.318][DEBUG]: DevTools WebSocket \(words)\n"
  }

  @Test func commandsAnswersAndEvents() {
    let lines =
      line("Command: Page.enable (id=4) (session_id=8F) 57 {") + "}\n"
      + line("Event: Page.frameResized (session_id=8F) 57 {") + "}\n"
      + line("Response: Page.enable (id=4) (session_id=8F) 57 {") + "   \"a\": [ {\n   } ]\n}\n"
      + line(#"Response: Foo.bar (id=5) (session_id=) browser {"code":-32601,"message":"no"}"#)
      + "[1795885109.318][INFO]: [57234d] COMMAND Navigate {\n   \"url\": \"http://x/\"\n}\n"
    #expect(
      reported(lines) == [
        "→ {\"id\":4,\"method\":\"Page.enable\",\"params\":{\n},\"sessionId\":\"8F\"}",
        "← {\"method\":\"Page.frameResized\",\"params\":{\n},\"sessionId\":\"8F\"}",
        "← {\"id\":4,\"result\":{\n   \"a\": [ {\n   } ]\n},\"sessionId\":\"8F\"}",
        #"← {"id":5,"error":{"code":-32601,"message":"no"}}"#,
      ])
  }

  @Test(arguments: [
    (String(repeating: "x", count: 197) + "...", true),
    // A character of two bytes stood at the border.
    (String(repeating: "x", count: 196) + "...", true),
    (String(repeating: "x", count: 195) + #"\u003C\n..."#, true),
    (String(repeating: "x", count: 200), false),
    (String(repeating: "x", count: 190) + "...", false),
    (String(repeating: "x", count: 300) + "...", false),
    ("...", false),
  ])
  func stringsThatWereCut(_ string: String, isCut: Bool) {
    let command = line("Command: A.b (id=2) (session_id=) browser {")
    let shown = isCut ? string.dropLast(3) + "…" : Substring(string)
    #expect(
      reported(command + "   \"s\": \"\(string)\"\n}\n") == [
        "→ {\"id\":2,\"method\":\"A.b\",\"params\":{\n   \"s\": \"\(shown)\"\n}}"
          + (isCut ? "~" : "")
      ])
  }

  @Test(arguments: [(18, false), (19, true), (20, false)])
  func listsThatWereCut(_ count: Int, isCut: Bool) {
    let list = String(repeating: "[ 1, 2 ], ", count: count)
    let command = line("Command: A.b (id=2) (session_id=) browser {")
    let all = reported(command + "   \"l\": [ \(list)\"...\" ]\n}\n")
    let end = isCut ? "…\" ]\n}}~" : "...\" ]\n}}"
    #expect(all.map { $0.hasSuffix(end) } == [true])
  }

  @Test func whatIsNotWholeIsNotShown() {
    let lines =
      line("Command: A.b (id=2) (session_id=) browser {") + "   \"s\": \"x\",\n"
      + "[1:2:1128/165829.464652:INFO:CONSOLE:1] \"hello\"\n   \"t\": 1\n}\n"
    #expect(reported(lines) == [#"→ {"id":2,"method":"A.b","params":"…"}~"#])
  }

  /// The value is no JSON behind the session that it names: nothing of it is used.
  @Test func aSessionInWhatIsNoJSONIsNotRead() {
    let session = String(repeating: "F", count: 32)
    let lines =
      line("Event: Target.attachedToTarget (session_id=) browser {")
      + "   \"sessionId\": \"\(session)\",\n   x }\n}\n"
    #expect(!reported(lines).contains { $0.contains(session) })
  }

  @Test func aCollectorPutsWordsAhead() {
    let lines =
      "chrome-1  | " + line("Command: A.b (id=2) (session_id=) browser {")
      + "chrome-1  |    \"s\": 1\nchrome-1  | }\n"
    #expect(reported(lines) == ["→ {\"id\":2,\"method\":\"A.b\",\"params\":{\n   \"s\": 1\n}}"])
  }

  @Test func browsersAreToldApart() {
    func command(_ id: Int, _ session: String) -> String {
      line("Command: A.b (id=\(id)) (session_id=\(session)) browser {") + "}\n"
    }
    let lines =
      command(1, "") + command(2, "F") + command(1, "") + command(2, "S") + command(3, "F")
      + command(4, "") + command(9, "")
    #expect(
      reported(lines).map { $0.split(separator: " {").first.map(String.init) } == [
        "→", "→", "→ browser 2", "→ browser 2", "→", "→",
        // Nothing tells of which browser the last one is.
        "→ browser 2", "→ browser 2 mixed",
      ])
  }
}
