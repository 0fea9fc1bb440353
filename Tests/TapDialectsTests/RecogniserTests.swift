// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic
import Testing

/// What recognisers make of texts that are no message of anything.
@Suite("Recognisers") struct RecogniserTests {
  /// A message may be empty (RFC 6455 §5.6), and one byte long.
  @Test(
    "no dialect has a message that is empty", arguments: ["", " ", "4", "[", "{", "b", "a", "\n"])
  func short(text: String) {
    let opening = Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: true)
    let sources: [Recognition.Context] = [
      .text, .paste(isSpoken: false), .paste(isSpoken: true),
      .conversation(opening, isFirst: true), .conversation(opening, isFirst: false),
    ]
    for dialect in Dialects.all {
      var recogniser = dialect.recogniser(limits: Limits(), SharedScan(limits: Limits()))
      for source in sources {
        for kind in [Delivery.Kind.text, .binary, .stream, .partialText, .abridged] {
          let bytes = Array(text.utf8)
          let found = recogniser.recognise(bytes.span.bytes, kind, in: source)
          if text.isEmpty { #expect(found.grade == .none, "\(dialect.name), \(source)") }
        }
      }
      let bytes = Array(text.utf8)
      #expect(!recogniser.refusal(of: bytes.span.bytes).isEmpty)
    }
  }

  /// `40/chat` may be a score, and `2` anything.
  @Test(
    "Engine.IO is known by a packet beside pings and pongs",
    arguments: [
      (["2", "3", "41/admin"], Recognition.Grade.likely), (["40/chat", "2", "3"], .likely),
      (["40/chat", "2", "2"], .none), (["2", "3", "2", "3"], .none), (["40/15", "2", "3"], .none),
    ])
  func pings(texts: [String], grade: Recognition.Grade) {
    let opening = Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: false)
    var recogniser = EngineIODialect().recogniser(limits: Limits(), SharedScan(limits: Limits()))
    let grades = texts.map {
      let bytes = Array($0.utf8)
      return recogniser.recognise(
        bytes.span.bytes, .text, in: .conversation(opening, isFirst: true)
      ).grade
    }
    #expect(grades.last == grade)
    #expect(grades.dropLast().allSatisfy { $0 == .none })
  }

  /// What JSON-RPC 1.0 alone has, and what others have as well.
  @Test(
    "JSON-RPC 1.0 is known by its answers",
    arguments: [
      (#"{"id":1,"result":[],"error":null}"#, Recognition.Grade.likely),
      (#"{"id":1,"result":null,"error":"no"}"#, .likely),
      (#"{"id":null,"method":"a","params":[]}"#, .likely),
      (#"{"id":1,"method":"a","params":[]}"#, .none),
      (#"{"id":1,"result":[]}"#, .none),
      (#"{"id":1,"result":[],"error":"no"}"#, .none),
      (#"{"id":1,"result":[],"error":null,"type":"a"}"#, .none),
      (#"{"id":null,"method":"a","params":{}}"#, .none),
      (#"{"id":1,"error":{"error":"no"}}"#, .none),
      (#"{"result":[],"error":null}"#, .none),
    ])
  func versionOne(text: String, grade: Recognition.Grade) {
    let bytes = Array(text.utf8)
    let opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
    var recogniser = JSONRPCDialect().recogniser(limits: Limits(), SharedScan(limits: Limits()))
    let found = recogniser.recognise(
      bytes.span.bytes, .text, in: .conversation(opening, isFirst: true))
    #expect(found.grade == grade)
    #expect(recogniser.recognise(bytes.span.bytes, .text, in: .text).grade == .none)
  }
}
