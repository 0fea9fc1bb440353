// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// The layouts of wamp-proto, "Message Codes and Direction", written down once more: one letter for
/// each element behind the code, in brackets when it may be missing.
private let layouts: [(code: Int, name: String, required: String, optional: String)] = [
  (1, "HELLO", "rd", ""), (2, "WELCOME", "id", ""), (3, "ABORT", "du", "ak"),
  (4, "CHALLENGE", "sd", ""), (5, "AUTHENTICATE", "sd", ""), (6, "GOODBYE", "du", ""),
  (8, "ERROR", "nidu", "ak"), (16, "PUBLISH", "idu", "ak"), (17, "PUBLISHED", "ii", ""),
  (32, "SUBSCRIBE", "idu", ""), (33, "SUBSCRIBED", "ii", ""), (34, "UNSUBSCRIBE", "ii", "d"),
  (35, "UNSUBSCRIBED", "z", "d"), (36, "EVENT", "iid", "ak"), (48, "CALL", "idu", "ak"),
  (49, "CANCEL", "id", ""), (50, "RESULT", "id", "ak"), (64, "REGISTER", "idu", ""),
  (65, "REGISTERED", "ii", ""), (66, "UNREGISTER", "ii", "d"), (67, "UNREGISTERED", "z", "d"),
  (68, "INVOCATION", "iid", "ak"), (69, "INTERRUPT", "id", ""), (70, "YIELD", "id", "ak"),
  (337, "EVENT_RECEIVED", "i", ""),
]

private let good: [Character: String] = [
  "r": #""realm""#, "d": "{}", "i": "7", "z": "7", "n": "48", "u": #""a.b""#, "s": #""x""#,
  "a": "[]", "k": "{}",
]

/// Which kinds fit each letter. An opaque payload, a string, may stand for the arguments.
private let fitting: [Character: Set<String>] = [
  "r": [#""t""#, "null"], "d": ["{}"], "i": ["5"], "z": ["5"], "n": ["5"], "u": [#""t""#],
  "s": [#""t""#], "a": ["[]", #""t""#], "k": ["{}"],
]
private let kinds = [
  ("{}", "an object"), ("[]", "a list"), (#""t""#, "a string"), ("5", "an integer"),
  ("true", "a boolean"), ("null", "null"), ("1.5", "a number"),
]

@Suite struct WAMPFormTests {
  /// What is in form, and still worth a remark.
  private static let aside = ["wamp.empty-args-sent", "wamp.opaque-payload-undeclared"]

  /// Every type, every element, every wrong kind.
  @Test(arguments: layouts.indices) func wrongKinds(row: Int) {
    let (code, name, required, optional) = layouts[row]
    let letters = Array(required + optional)
    for length in required.count...letters.count {
      for place in 0..<length {
        for (value, kind) in kinds {
          var elements = letters.prefix(length).map { good[$0]! }
          elements[place] = value
          let talk = WAMPConversation()
          let text = "[\(code),\(elements.joined(separator: ","))]"
          talk.say(text)
          #expect(talk.reported.map(\.name) == [name])
          let findings = talk.recorder.findings.filter { !Self.aside.contains($0.code.name) }
          let codes = findings.map(\.code.name)
          if fitting[letters[place]]!.contains(value) {
            #expect(codes.isEmpty, "\(text)")
          } else if "iz".contains(letters[place]) && value == "1.5" {
            #expect(codes == ["wamp.id-out-of-range"], "\(text)")
            #expect(findings[0].text.hasPrefix("element \(place + 1) of \(name),"))
          } else {
            #expect(codes == ["wamp.wrong-element-type"], "\(text)")
            #expect(
              talk.recorder.findings[0].text.hasPrefix("element \(place + 1) of \(name) must be "))
            #expect(talk.recorder.findings[0].text.hasSuffix("; it is \(kind)"))
          }
          #expect(findings.allSatisfy { $0.severity == .error })
        }
      }
    }
  }

  @Test(arguments: layouts.indices) func wrongLengths(row: Int) {
    let (code, name, required, optional) = layouts[row]
    let letters = Array(required + optional)
    for length in 0...letters.count + 2 {
      let elements = (0..<length).map { $0 < letters.count ? good[letters[$0]]! : "1" }
      let talk = WAMPConversation()
      let reported = talk.say("[" + (["\(code)"] + elements).joined(separator: ",") + "]")
      #expect(reported?.name == name)
      if (required.count...letters.count).contains(length) {
        #expect(talk.recorder.codes.filter { !Self.aside.contains($0) } == [])
      } else {
        let range =
          optional.isEmpty
          ? "\(required.count + 1)"
          : "\(required.count + 1) to \(letters.count + 1)"
        #expect(
          talk.recorder.findings.map(\.text)
            == ["\(name) has \(range) elements, this has \(length + 1)"])
        #expect(talk.recorder.codes == ["wamp.wrong-arity"])
      }
    }
  }

  @Test func everyCode() {
    let known = Set(layouts.map(\.code)).union([7])
    for code in 0...1100 where !known.contains(code) {
      let talk = WAMPConversation()
      let reported = talk.say("[\(code),1]")
      #expect(reported?.name == "UNKNOWN")
      let isExtension = code >= 256 && code < 1024
      #expect(talk.recorder.codes == [isExtension ? "wamp.extension-code" : "wamp.bad-type-code"])
      #expect(talk.recorder.findings[0].severity == (isExtension ? .note : .error))
    }
  }

  @Test(arguments: [
    ("", "not JSON: it ends at byte 0, inside a value", "wamp.decode-failed"),
    ("[33,11", "not JSON: it ends at byte 6, inside a value", "wamp.decode-failed"),
    ("[33,]", "not JSON: byte 4 is not expected there", "wamp.decode-failed"),
    ("hello", "not JSON: byte 0 is not expected there", "wamp.decode-failed"),
    ("{}", "a WAMP message is a list, this is an object", "wamp.not-a-list"),
    ("33", "a WAMP message is a list, this is an integer", "wamp.not-a-list"),
    (#""x""#, "a WAMP message is a list, this is a string", "wamp.not-a-list"),
    ("[]", "the list is empty; element 0 must be the message type", "wamp.empty-list"),
    (
      #"["x"]"#, "element 0 must be the message type, a positive integer; it is a string",
      "wamp.bad-type-code"
    ),
    (
      "[-1]", "element 0 must be the message type, a positive integer; it is a number",
      "wamp.bad-type-code"
    ),
    ("[9,1]", "9 is not a WAMP message type (element 0)", "wamp.bad-type-code"),
    ("[33,1,2] x", "1 byte follows the end of the list", "wamp.trailing-bytes"),
    ("[33,1]", "SUBSCRIBED has 3 elements, this has 2", "wamp.wrong-arity"),
    (
      #"[2,"19223201","BootNotification",{}]"#, "WELCOME has 3 elements, this has 4",
      "wamp.wrong-arity"
    ),
    ("[3,{},5]", "element 2 of ABORT must be a URI; it is an integer", "wamp.wrong-element-type"),
  ])
  func refusals(text: String, sentence: String, code: String) {
    let bytes = Array(text.utf8)
    let refusal = WAMPDialect().refusal(of: bytes.span.bytes, isSpoken: false)
    #expect(refusal == sentence)
    let talk = WAMPConversation()
    talk.say(text)
    #expect(talk.recorder.codes == [code] && talk.recorder.findings[0].text == sentence)
    #expect(talk.reported.count == 1, "what was sent is told all the same")
  }

  @Test(arguments: ["[33,11,5862354]", " [33 , 11,5862354]\n", "[33,1.0,2]", "[7,1,2]", "[300]"])
  func pastedMessages(text: String) {
    let bytes = Array(text.utf8)
    let refusal = WAMPDialect().refusal(of: bytes.span.bytes, isSpoken: false)
    #expect(refusal == nil)
  }

  @Test(arguments: [
    ("wamp.2.json", "anything", Delivery.Kind.text, Claim.certain),
    ("wamp.2.json", "\u{1}", .binary, .certain), ("wamp.2.msgpack", "", .text, .certain),
    ("wamp.2.cbor.batched", "", .text, .certain), ("wamp.2.ubjson", "", .text, .certain),
    ("wamp.2.flatbuffers", "", .text, .certain),
    ("wamp.2.flatbuffers.batched", "[33,1,2]", .text, .no),
    ("wamp.2.bert", "[33,1,2]", .text, .no), ("wamp.2.", "[33,1,2]", .text, .no),
    ("wamp.2.json.batched", "[33,1,2]", .text, .certain), ("wamp", "[33,1,2]", .text, .no),
    ("", "[33,1,2]\u{1E}[33,1,2]\u{1E}", .text, .likely), ("", "[33,1]\u{1E}", .text, .no),
    ("", "\u{1E}", .text, .no), ("", "[U!U\u{1}U\u{2}]", .binary, .likely),
    ("", "\0\0\0\u{8}[U!U\u{1}U\u{2}]", .binary, .likely), ("", "[U!U\u{1}U", .binary, .no),
    ("mqtt", "[U!U\u{1}U\u{2}]", .binary, .no), ("", "", .binary, .no),
    ("", "[33,1,2]", .text, .likely), ("", "[33,1,2]", .binary, .no),
    ("mqtt", "[1,\"r\",{}]", .text, .likely),
    ("", #"[2,"19223201","BootNotification",{}]"#, .text, .no),
    ("", #"[3,"19223201",{}]"#, .text, .no),
    ("", #"[4,"162376037","NotSupported","",{}]"#, .text, .no), ("", "{}", .text, .no),
    ("", "[1,2]", .text, .no),
    ("", "42[\"event\",1]", .text, .no), ("ocpp1.6", #"[2,"1","Heartbeat",{}]"#, .text, .no),
  ])
  func claims(subprotocol: String, first: String, kind: Delivery.Kind, claim: Claim) {
    let bytes = Array(first.utf8)
    let found = WAMPDialect().claim(opening(subprotocol), bytes.span.bytes, kind)
    #expect(found == claim)
  }

  @Test func otherFindings() {
    let binary = WAMPConversation()
    binary.say("[33,1,2]", kind: .binary)
    #expect(binary.recorder.codes == ["websocket.frame-opcode-mismatch"])
    #expect(binary.reported.map(\.name) == ["BINARY"])
    let nan = WAMPConversation()
    nan.say("[50,7,{},[NaN]]")
    #expect(nan.recorder.codes == ["wamp.not-strict-json"])
    #expect(nan.reported.first?.message.traits.contains(.isJSON) == false)
    #expect(nan.reported.first?.links == ["answers request 7 @48"])
    let bare = WAMPConversation(subprotocol: "")
    bare.say(#"[1,"r",{}]"#)
    bare.say("[2,1,{}]")
    #expect(bare.recorder.codes == ["wamp.subprotocol-missing"])
    let broken = WAMPConversation()
    broken.say("[50,7,{},[\"x\"]]", kind: .brokenText)
    #expect(broken.reported.first?.message.traits.contains(.isJSON) == false)
  }
}
