// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapRender

private func page(_ set: (inout LineRenderer.Options) -> Void = { _ in }) -> Page {
  var options = LineRenderer.Options()
  set(&options)
  return Page(LineRenderer(options))
}

@Suite struct LineRendererTests {
  /// The sample of product.md, as far as one message at a time has it.
  @Test func sample() {
    var page = page()
    let head = page.write { $0.opened(chat(), connection: 1, Delivery(Origin()), into: &$1) }
    #expect(
      head
        == "#1  10.0.0.7:51234 → 10.1.0.1:8080  ws://chat.example:8080/ws  wamp.2.json  permessage-deflate\n"
    )
    let hello = #"[1,"chat",{"roles":{"caller":{},"publisher":{}}}]"#
    #expect(
      page.message(hello, "HELLO") {
        $0.facts = [("realm", "chat"), ("roles", "caller"), ("roles", "publisher")]
        $0.time = 0
      } == "  0.000000  #1 →  HELLO       realm chat · roles caller, publisher\n")
    #expect(
      page.message(#"[32,1,{},"com.chat.message"]"#, "SUBSCRIBE", [link("request", 1)]) {
        $0.subject = "com.chat.message"
        $0.time = 10_020_000
      }
        == "  0.010020  #1 →  SUBSCRIBE   request 1 · com.chat.message\n")
    let subscribed = page.message(
      "[33,1,5862354]", "SUBSCRIBED", [link("request", 1), link("subscription", 5_862_354, .names)]
    ) {
      $0.subject = "com.chat.message"
      $0.time = 13_140_000
      $0.direction = .toClient
      $0.latency = 3_120_000
    }
    let line =
      "  0.013140  #1 ←  SUBSCRIBED  request 1 · subscription 5862354 · com.chat.message"
    let spaces = String(repeating: " ", count: 106 - line.count - 7)
    #expect(subscribed == line + spaces + "3.12 ms\n")
    #expect(
      page.message(
        #"[36,5862354,77,{},[{"type":100,"text":"hi"}]]"#, "EVENT",
        [link("subscription", 5_862_354, .refers), link("publication", 77, .shares)]
      ) {
        $0.subject = "com.chat.message"
        $0.payload = [#"[{"type":100,"text":"hi"}]"#]
        $0.time = 120_000_000
        $0.direction = .toClient
      }
        == "  0.120000  #1 ←  EVENT       subscription 5862354 · com.chat.message · publication 77 · "
        + #"[{"type":100,"text":"hi"}]"# + "\n")
    let result = page.message(
      #"[50,2,{},[],{"userid":123,"karma":10}]"#, "RESULT", [link("request", 2, .answers)]
    ) {
      $0.subject = "com.user.get"
      $0.payload = ["[]", #"{"userid":123,"karma":10}"#]
      $0.time = 214_000_000
      $0.direction = .toClient
    }
    #expect(
      result == "  0.214000  #1 ←  RESULT      request 2 · com.user.get · [] "
        + #"{"userid":123,"karma":10}"# + "\n")
    #expect(
      page.message(
        #"[8,48,3,{},"wamp.error.not_authorized"]"#, "ERROR", [link("request", 3, .answers)]
      ) {
        $0.subject = "com.user.ban"
        $0.reason = "wamp.error.not_authorized"
        $0.about = "CALL"
        $0.time = 302_000_000
        $0.direction = .toClient
      }
        == "  0.302000  #1 ←  ERROR       CALL request 3 · com.user.ban · wamp.error.not_authorized\n"
    )
  }

  @Test func pasted() {
    var page = page()
    #expect(
      page.message(
        "[33,11,5862354]", "SUBSCRIBED", [link("request", 11), link("subscription", 5_862_354)]
      ) {
        $0.direction = .unknown
        $0.connection = 0
      }
        == "SUBSCRIBED  request 11 · subscription 5862354\n")
    #expect(
      page.message("[7,1,2]", "HEARTBEAT") {
        $0.direction = .unknown
        $0.connection = 0
      } == "HEARTBEAT\n")
  }

  @Test func whatIsShownWhen() {
    let note = Finding("a.note", .note, Origin(), "n")
    let warning = Finding("a.warning", .warning, Origin(), "w\u{1B}[31m")
    var plain = page()
    var all = page { ($0.showsAll, $0.showsNotes) = (true, true) }
    var quiet = page { $0.isQuiet = true }
    #expect(plain.message([], "PING") { $0.traits = .isControl } == "")
    #expect(all.message([], "PING") { $0.traits = .isControl } == "#1 →  PING\n")
    #expect(plain.write { $0.finding(note, connection: 1, messages: [], into: &$1) } == "")
    #expect(
      all.write { $0.finding(note, connection: 1, messages: [], into: &$1) }
        == "#1 !  a.note  n\n")
    #expect(
      quiet.write { $0.finding(warning, connection: 0, messages: [], into: &$1) }
        == "!  a.warning  w\\x1b[31m\n")
    #expect(quiet.write { $0.opened(chat(), connection: 1, Delivery(Origin()), into: &$1) } == "")
    var summary = Summary()
    (summary.connections, summary.messages, summary.warnings, summary.hasPackets) = (
      1, 1234, 2, true
    )
    #expect(quiet.write { $0.summary(summary, into: &$1) } == "")
    #expect(
      plain.write { $0.summary(summary, into: &$1) }
        == "1 connection, 1,234 messages, 2 warnings\n")
    (summary.hasPackets, summary.hasConversations) = (false, true)
    summary.things[Counter.linePassedOver.rawValue] = 3
    #expect(
      plain.write { $0.summary(summary, into: &$1) }
        == "1 connection, 1,234 messages, 2 warnings · passed over: 3 lines\n")
    summary.hasConversations = false
    #expect(plain.write { $0.summary(summary, into: &$1) } == "")
    let closing = Closing(by: .toClient, isReset: true)
    #expect(
      plain.write { $0.closed(closing, connection: 3, Delivery(Origin()), into: &$1) }
        == "#3 ·  closed by the server: reset, no CLOSE frame\n")
  }

  @Test func colours() {
    var page = page { $0.isColored = true }
    let line = page.message(#"[48,1,{},"p"]"#, "CALL", [link("request", 1)]) {
      $0.subject = "p"
      $0.connection = 0
      $0.latency = 0
    }
    #expect(line.hasPrefix("→  \u{1B}[1mCALL\u{1B}[0m        request 1 · \u{1B}[35mp\u{1B}[0m "))
    #expect(line.hasSuffix("\u{1B}[2m< 1 µs\u{1B}[0m\n"))
    var error = Page(page.renderer)
    #expect(
      error.message("[]", "ERROR") {
        $0.traits = .isFailure
        $0.connection = 0
      } == "→  \u{1B}[1;31mERROR\u{1B}[0m\n")
  }

  /// Whatever the width and the text, a line has no more columns, and ends whole.
  @Test func elision() {
    let payloads = [
      #"["abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz"]"#, #"["日本語日本語日本語日本語日本語日本語日本語"]"#,
      #"["e\#u{301}e\#u{301}e\#u{301}🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂"]"#,
    ]
    for json in payloads {
      for width in 30...110 {
        for isColored in [false, true] {
          for latency in [-1, 5_000_000] as [Int64] {
            var page = page { ($0.width, $0.isColored) = (width, isColored) }
            let line = page.message(json, "CALL", [link("request", 1)]) {
              $0.subject = "com.subject"
              $0.payload = [json]
              $0.traits = [.isText, .isJSON, .isCompact]
              $0.latency = latency
            }
            let plain = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            let columns = plain.unicodeScalars.reduce(0) { sum, scalar in
              switch scalar.value {
              case 0x0A, 0x301: sum
              case 0x2E80...0x9FFF, 0x1F300...0x1FAFF: sum + 2
              default: sum + 1
              }
            }
            #expect(columns <= width, "\(width): \(plain)")
            #expect(plain.contains("…") || plain.contains(json))
            if latency >= 0 { #expect(plain.hasSuffix("5.00 ms\n")) }
            #expect(isColored || line == plain)
            if isColored {
              let open = line.matches(of: /\u{1B}\[[0-9;]+m/).last
              #expect(open.map { $0.0 == "\u{1B}[0m" } == true, "no colour runs on")
            }
          }
        }
      }
    }
  }

  /// No control reaches the terminal, whatever is sent where.
  @Test func nothingDrivesTheTerminal() {
    var random = Seeded(31)
    for round in 0..<2000 {
      var bytes = [UInt8](repeating: 0x61, count: round % 17) + [UInt8(round & 255)]
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        bytes.append(.random(in: 0...255, using: &random))
      }
      let text = String(decoding: bytes, as: Unicode.UTF8.self)
      var page = page { $0.showsAll = true }
      let traits: Message.Traits =
        [[], .isText, .isControl, .isFailure].randomElement(using: &random)!
      let line = page.message(bytes, "TEXT") {
        $0.subject = text
        $0.traits = traits
        $0.payloadRange = ByteRange(0, bytes.count)
      }
      let url = page.write {
        $0.opened(chat(url: text), connection: 1, Delivery(Origin()), into: &$1)
      }
      let finding = page.write {
        $0.finding(Finding("a.b", .error, Origin(), text), connection: 1, messages: [], into: &$1)
      }
      for written in [line, url, finding] {
        #expect(written.hasSuffix("\n"))
        let odd = written.dropLast().unicodeScalars.contains { TapBytes.UTF8.isUnseen($0.value) }
        #expect(!odd, "\(bytes)")
      }
    }
  }

  @Test(
    arguments: [
      (0, 6, "< 1 µs"), (0, 9, "< 1 ns"), (0, 3, "< 1 ms"), (0, 2, "< 10 ms"), (0, 0, "≤ 1 s"),
      (0, 7, "< 100 ns"), (1, 9, "1 ns"), (999, 9, "999 ns"),
      (1000, 9, "1.00 µs"), (12_345, 9, "12.3 µs"), (999_999, 9, "999 µs"),
      (3_120_000, 6, "3.12 ms"),
      (14_000_000, 6, "14.0 ms"), (123_456_789, 6, "123 ms"), (1_000_000_000, 6, "1.00 s"),
      (61_500_000_000, 6, "61.5 s"), (3_600_000_000_000, 6, "3600 s"),
    ] as [(Int64, UInt8, String)])
  func latencies(nanoseconds: Int64, precision: UInt8, expected: String) {
    var text = TextBuffer(capacity: 0)
    Latency.append(nanoseconds, precision, to: &text)
    let written = String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
    #expect(written == expected)
  }
}
