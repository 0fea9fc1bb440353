// SPDX-License-Identifier: Apache-2.0
import TapInputs
import TapInspector
import TapTraffic
import Testing

/// What can be explained, and by which words it is found.
@Suite("Guide") struct GuideTests {
  static let guide: Guide = Guide(inputs: InputFindings.all)

  /// The names of what a word means, each with the noun of its group.
  private func meanings(_ text: String) -> [String] {
    Self.guide.topics(for: text).map { "\($0.group.noun) \($0.name)" }
  }

  /// As the specification prints them; the longest form where there are several.
  static let layouts: [(code: UInt64, layout: String)] = [
    (1, "[HELLO, Realm|uri, Details|dict]"), (2, "[WELCOME, Session|id, Details|dict]"),
    (3, "[ABORT, Details|dict, Reason|uri, Arguments|list, ArgumentsKw|dict]"),
    (4, "[CHALLENGE, AuthMethod|string, Extra|dict]"),
    (5, "[AUTHENTICATE, Signature|string, Extra|dict]"),
    (6, "[GOODBYE, Details|dict, Reason|uri]"),
    (7, "[HEARTBEAT, IncomingSeq|int, OutgoingSeq|int, Discard|string]"),
    (
      8,
      "[ERROR, REQUEST.Type|int, REQUEST.Request|id, Details|dict, Error|uri, Arguments|list,"
        + " ArgumentsKw|dict]"
    ),
    (
      16,
      "[PUBLISH, Request|id, Options|dict, Topic|uri, Arguments|list, ArgumentsKw|dict]"
    ),
    (17, "[PUBLISHED, PUBLISH.Request|id, Publication|id]"),
    (32, "[SUBSCRIBE, Request|id, Options|dict, Topic|uri]"),
    (33, "[SUBSCRIBED, SUBSCRIBE.Request|id, Subscription|id]"),
    (34, "[UNSUBSCRIBE, Request|id, SUBSCRIBED.Subscription|id, Options|dict]"),
    (35, "[UNSUBSCRIBED, 0, Details|dict]"),
    (
      36,
      "[EVENT, SUBSCRIBED.Subscription|id, PUBLISHED.Publication|id, Details|dict,"
        + " PUBLISH.Arguments|list, PUBLISH.ArgumentsKw|dict]"
    ),
    (
      48,
      "[CALL, Request|id, Options|dict, Procedure|uri, Arguments|list, ArgumentsKw|dict]"
    ),
    (49, "[CANCEL, CALL.Request|id, Options|dict]"),
    (
      50,
      "[RESULT, CALL.Request|id, Details|dict, YIELD.Arguments|list, YIELD.ArgumentsKw|dict]"
    ),
    (64, "[REGISTER, Request|id, Options|dict, Procedure|uri]"),
    (65, "[REGISTERED, REGISTER.Request|id, Registration|id]"),
    (66, "[UNREGISTER, Request|id, REGISTERED.Registration|id, Options|dict]"),
    (67, "[UNREGISTERED, 0, Details|dict]"),
    (
      68,
      "[INVOCATION, Request|id, REGISTERED.Registration|id, Details|dict, CALL.Arguments|list,"
        + " CALL.ArgumentsKw|dict]"
    ),
    (69, "[INTERRUPT, INVOCATION.Request|id, Options|dict]"),
    (70, "[YIELD, INVOCATION.Request|id, Options|dict, Arguments|list, ArgumentsKw|dict]"),
    (337, "[EVENT_RECEIVED, PUBLISHED.Publication|id]"),
  ]

  @Test("every message type by its number, its name and its layout", arguments: layouts)
  func messages(_ code: UInt64, _ layout: String) throws {
    let name = String(layout.dropFirst().prefix { $0 != "," })
    let meaning = "WAMP message type \(name)"
    #expect(meanings("\(code)").contains(meaning))
    #expect(meanings("0x\(String(code, radix: 16))").contains(meaning))
    #expect(meanings(name).contains(meaning))
    #expect(meanings(name.lowercased()).contains(meaning))
    let topic = try #require(
      Self.guide.topics(for: "\(code)").first { $0.group.noun == "WAMP message type" })
    guard case .lines(let forms)? = topic.parts.first(where: { $0.heading == "Layout" })?.body
    else { return #expect(Bool(false), "no layout") }
    #expect(forms.last == layout)
    #expect(topic.parts.contains { if case .example = $0.body { true } else { false } })
  }

  @Test("every opcode", arguments: 0...15)
  func opcodes(_ code: Int) {
    let names = [
      0: "CONTINUATION", 1: "TEXT", 2: "BINARY", 8: "CLOSE", 9: "PING", 10: "PONG",
    ]
    let meaning = "WebSocket opcode \(names[code] ?? "reserved")"
    #expect(meanings("\(code)").contains(meaning))
    #expect(meanings("0x\(String(code, radix: 16))").contains(meaning))
    #expect(meanings("0X\(String(code, radix: 16, uppercase: true))").contains(meaning))
  }

  static let codes: [(code: String, name: String)] =
    (1000...1015).map { ("\($0)", "\($0)") } + [
      ("3000", "3000"), ("3003", "3003"), ("3008", "3008"), ("3001", "3000–3999"),
      ("3999", "3000–3999"), ("4000", "4000–4999"), ("4999", "4000–4999"),
      ("1016", "1016–2999"), ("2999", "1016–2999"),
    ]

  @Test("every close code", arguments: codes)
  func closeCodes(_ code: String, _ name: String) {
    #expect(meanings(code).contains("WebSocket close code \(name)"))
  }

  @Test(
    "words",
    arguments: [
      (
        "8",
        ["WAMP message type ERROR", "WAMP v1 message type EVENT", "WebSocket opcode CLOSE"]
      ),
      ("callerror", ["WAMP v1 message type CALLERROR", "OCPP-J message CALLERROR"]),
      ("wampv1 welcome", ["WAMP v1 message type WELCOME"]),
      (
        "error",
        [
          "WAMP message type ERROR", "STOMP frame ERROR", "JSON-RPC message ERROR",
          "GraphQL over WebSocket message error", "Centrifugo message error", "DDP message error",
          "Chrome DevTools Protocol message ERROR", "WebDriver BiDi message ERROR",
          "Jupyter message error", "Janus message error", "QEMU Machine Protocol message ERROR",
        ]
      ),
      ("40", ["WAMP message type reserved"]),
      ("1023", ["WAMP message type extension", "WebSocket close code 1016–2999"]),
      ("300", ["WAMP message type extension"]),
      ("going away", ["WebSocket close code 1001"]),
      ("wamp.error.no_such_procedure", ["WAMP error URI wamp.error.no_such_procedure"]),
      (
        "no_such_procedure",
        ["WAMP error URI wamp.error.no_such_procedure", "finding wamp.no-such-procedure"]
      ),
      ("wamp.error.cancelled", ["WAMP error URI wamp.error.canceled"]),
      ("WAMP.Error.Timeout", ["WAMP error URI wamp.error.timeout"]),
      ("wamp.error.goodbye_and_out", ["WAMP close reason wamp.close.goodbye_and_out"]),
      ("wamp.session.on_join", ["WAMP meta event wamp.session.on_join"]),
      ("exclude_me", ["WAMP option key exclude_me"]),
      ("CALL.Options.timeout", ["WAMP option key timeout"]),
      ("hello.details.authextra.pubkey", ["WAMP option key pubkey"]),
      ("caller", ["WAMP option key caller", "WAMP role caller"]),
      (
        "abort",
        ["WAMP message type ABORT", "STOMP frame ABORT", "WAMP error URI wamp.error.abort"]
      ),
      (
        "timeout",
        [
          "WAMP option key timeout", "Janus message timeout", "WebSocket close code 3008",
          "WAMP error URI wamp.error.timeout",
        ]
      ),
      ("on-join", ["WAMP meta event wamp.session.on_join"]),
      ("wamp.registration.count_callees", ["WAMP meta procedure wamp.registration.count_callees"]),
      ("wampcra", ["WAMP authentication method wampcra"]),
      ("scram", ["WAMP option key scram", "WAMP authentication method wamp-scram"]),
      ("ticket", ["WAMP authentication method ticket"]),
      ("call_cancelling", ["WAMP feature call_canceling"]),
      ("wamp.2.msgpack", ["WebSocket subprotocol wamp.2.msgpack"]),
      ("permessage-deflate", ["parameter of permessage-deflate permessage-deflate"]),
      ("wamp.subprotocol-missing", ["finding wamp.subprotocol-missing"]),
      ("subprotocol_missing", ["finding wamp.subprotocol-missing"]),
      ("tcp.gap", ["finding tcp.gap"]),
      ("", []), (" ", []), (".", []), ("wamp.error.", []), ("5000", []), ("-1", []), ("0x", []),
      ("1e3", []), ("18446744073709551616", []), ("com.example.add", []), ("[33,1,2]", []),
    ])
  func words(_ text: String, _ expected: [String]) {
    #expect(meanings(text) == expected)
  }

  @Test("every finding by its code")
  func findings() {
    #expect(Self.guide.findings.count > 50)
    for finding in Self.guide.findings {
      #expect(meanings(finding.code.name) == ["finding \(finding.code.name)"])
    }
  }

  @Test("nothing is without text, and nothing has the name of another")
  func texts() {
    var names: Set<String> = []
    for topic in Self.guide.topics {
      let name = "\(topic.group.noun) \(topic.name)"
      let number = topic.numbers.map { " \($0.lowerBound)" } ?? ""
      #expect(names.insert(name + number).inserted, "\(name) is there twice")
      #expect(topic.summary.hasSuffix(".") || topic.summary.hasSuffix("?"), "\(name)")
      #expect(topic.source != "" || topic.group == Topic.findings, "\(name) has no source")
      #expect(topic.parts.contains { !$0.isEmpty }, "\(name)")
      #expect(
        Self.guide.topics(for: topic.name).contains { $0.name == topic.name }
          || topic.numbers?.count ?? 1 > 1, "\(name) is not found")
    }
  }

  @Test(
    "what is misspelt has suggestions, the nearest first",
    arguments: [
      ("subscibed", "SUBSCRIBED"), ("CALLL", "CALL"), ("invokation", "INVOCATION"),
      ("wamp.error.no_such_procedur", "wamp.error.no_such_procedure"),
      ("no_such_procedures", "wamp.error.no_such_procedure"),
      ("wamp.suprotocol-missing", "wamp.subprotocol-missing"), ("tcp.gpa", "tcp.gap"),
      ("on_jion", "wamp.session.on_join"),
    ])
  func nearest(_ text: String, _ expected: String) {
    let nearest = Self.guide.nearest(to: text)
    #expect(nearest.first == expected)
    #expect(nearest.count <= 5)
  }

  @Test(
    "what is like nothing has no suggestion", arguments: ["com.example.add2", "@@@@@@@@@@", ""])
  func farthest(_ text: String) {
    #expect(Self.guide.nearest(to: text) == [])
  }
}

extension Topic.Part {
  fileprivate var isEmpty: Bool {
    switch body {
    case .prose(let text): text.isEmpty
    case .lines(let lines), .example(let lines, _): lines.isEmpty
    }
  }
}
