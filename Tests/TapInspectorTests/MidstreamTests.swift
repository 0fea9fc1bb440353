// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapCaptures
import TapEvidence
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Streams whose beginning was not captured, through the whole stack.
@Suite("Midstream") struct MidstreamTests {
  private func summary(
    _ dialogue: Dialogue,
    _ inspector: Inspector = Inspector(
      LineRenderer(LineRenderer.Options()), Inspector.Options())
  ) -> Summary {
    let engine = Engine(inspector, limits: Limits())
    var input = PcapInput(Place(input: 0), limits: Limits())
    input.receive(dialogue.pcap().span.bytes, engine)
    input.finish(engine)
    engine.finish()
    return inspector.summary
  }

  /// Found by fuzzing: who was chosen for the head handed the gap before it back, without end.
  @Test("a head behind a gap is read", arguments: [Direction.toServer, .toClient])
  func headBehindGap(_ direction: Direction) {
    var dialogue = Dialogue()
    dialogue.send(direction, "of something else")
    dialogue.send(direction, "never captured")
    dialogue.drop()
    // The hole is given up before anything else is seen.
    dialogue.capture(
      dialogue.conversation.acknowledge(direction == .toServer ? .toClient : .toServer))
    dialogue.wait(milliseconds: 10_000)
    dialogue.request()
    dialogue.respond()
    dialogue.text(.toServer, #"[1,"realm",{}]"#)
    let summary = summary(dialogue)
    #expect(summary[.httpRequest] == 1)
    #expect(summary.messages == 1)
    #expect(Fate.allCases.reduce(0) { $0 + summary[$1] } == summary[.payloadByte])
  }

  /// Frames of RawSocket begin with zeros, as no frames of WebSocket do.
  @Test(
    "RawSocket is recognised by its messages, and who is the client",
    arguments: [Direction.toServer, .toClient], [false, true])
  func rawSocket(_ client: Direction, _ pings: Bool) {
    var dialogue = Dialogue()
    func send(_ direction: Direction, _ kind: UInt8, _ text: String) {
      dialogue.send(
        client == .toServer ? direction : direction.reversed,
        [kind, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8))
    }
    if pings { send(.toClient, 1, "beat") }
    send(.toClient, 0, "[36,5862354,71,{}]")
    if pings { send(.toServer, 2, "beat") }
    send(.toServer, 0, #"[48,2,{},"com.user.get",[123]]"#)
    send(.toClient, 0, #"[50,2,{},[],{"karma":10}]"#)
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())
    let summary = summary(dialogue, inspector)
    #expect(summary[.streamRawSocket] == 1 && summary[.streamUnread] == 0)
    #expect(summary.messages == (pings ? 5 : 3) && summary.controlFrames == (pings ? 2 : 0))
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    #expect(text.contains("#1 →  CALL"))
    #expect(Fate.allCases.reduce(0) { $0 + summary[$1] } == summary[.payloadByte])
  }

  struct Form: Sendable, CustomTestStringConvertible {
    /// What it is called where it is recognised.
    var name: String
    var isText = false
    /// SUBSCRIBED, CALL, RESULT.
    var messages: [[UInt8]]
    var testDescription: String { name }

    /// Each behind its length, as in a batch of WebSocket and in a frame of RawSocket.
    var prefixed: Form {
      var form = self
      form.messages = messages.map { [0, 0, 0, UInt8($0.count)] + $0 }
      return form
    }
  }

  static let json = Form(
    name: "JSON", isText: true,
    messages: [
      wire("[33,1,5862354]"), wire(#"[48,2,{},"com.user.get",[123]]"#),
      wire(#"[50,2,{},[],{"karma":10}]"#),
    ])
  static let serialized: [Form] = [
    Form(
      name: "MessagePack",
      messages: [
        wire(0x93, 33, 1, 0xCE, 0, 0x59, 0x73, 0xD2),
        wire(0x95, 48, 2, 0x80, 0xAC, "com.user.get", 0x91, 123),
        wire(0x95, 50, 2, 0x80, 0x90, 0x81, 0xA5, "karma", 10),
      ]),
    Form(
      name: "CBOR",
      messages: [
        wire(0x83, 0x18, 33, 1, 0x1A, 0, 0x59, 0x73, 0xD2),
        wire(0x85, 0x18, 48, 2, 0xA0, 0x6C, "com.user.get", 0x81, 0x18, 123),
        wire(0x85, 0x18, 50, 2, 0xA0, 0x80, 0xA1, 0x65, "karma", 10),
      ]),
    Form(
      name: "UBJSON",
      messages: [
        wire("[U", 33, "U", 1, "l", 0, 0x59, 0x73, 0xD2, "]"),
        wire("[U", 48, "U", 2, "{}SU", 12, "com.user.get[U", 123, "]]"),
        wire("[U", 50, "U", 2, "{}[]{U", 5, "karmaU", 10, "}]"),
      ]),
    Form(
      name: "BJData",
      messages: [
        wire("[U", 33, "U", 1, "m", 0xD2, 0x73, 0x59, 0, "]"),
        wire("[U", 48, "U", 2, "{}SU", 12, "com.user.get[U", 123, "]]"),
        wire("[U", 50, "U", 2, "{}[]{U", 5, "karmaU", 10, "}]"),
      ]),
    Form(
      name: "FlatBuffers",
      messages: [
        FlatBufferNode.message(33, [1: .u64(1), 2: .u64(5_862_354)]),
        FlatBufferNode.message(
          48, [1: .u64(2), 2: .string("com.user.get"), 3: .octets([0x81, 0x18, 123])]),
        FlatBufferNode.message(
          50, [1: .u64(2), 3: .octets(wire(0xA1, 0x65, "karma", 10))]),
      ]),
  ]

  static let webSocket: [Form] =
    [json] + serialized
    + serialized.filter { $0.name != "FlatBuffers" }.map {
      var form = $0.prefixed
      form.name += ", batched"
      return form
    } + [
      Form(
        name: "JSON, batched", isText: true, messages: json.messages.map { $0 + [0x1E] })
    ]

  private func lines(_ dialogue: Dialogue) -> String {
    var options = LineRenderer.Options()
    (options.showsAll, options.showsNotes) = (true, true)
    let inspector = Inspector(LineRenderer(options), Inspector.Options())
    let summary = summary(dialogue, inspector)
    #expect(Fate.allCases.reduce(0) { $0 + summary[$1] } == summary[.payloadByte])
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    return text
  }

  private func expectMessages(_ text: String) {
    #expect(text.contains("←  SUBSCRIBED  request 1 · subscription 5862354"))
    #expect(text.contains("→  CALL        request 2 · com.user.get · [123]"))
    #expect(text.contains(#"←  RESULT      request 2 · com.user.get · [] {"karma":10}"#))
  }

  @Test("the serializer of WebSocket messages is recognised, and said", arguments: webSocket)
  func webSocketSerializers(_ form: Form) {
    var dialogue = Dialogue()
    for (index, message) in form.messages.enumerated() {
      dialogue.frame(index == 1 ? .toServer : .toClient, opcode: form.isText ? 1 : 2, message)
    }
    let text = lines(dialogue)
    expectMessages(text)
    let count = text.components(separatedBy: "wamp.serializer-recognised").count - 1
    #expect(count == 1)
    #expect(text.contains("WAMP in \(form.name), recognised by their form"))
  }

  @Test(
    "the serializer of RawSocket messages is recognised, and said",
    arguments: zip(
      [json] + serialized, ["json", "msgpack", "cbor", "ubjson", "ubjson", "flatbuffers"]))
  func rawSocketSerializers(_ form: Form, _ name: String) {
    var dialogue = Dialogue()
    for (index, message) in form.prefixed.messages.enumerated() {
      dialogue.send(index == 1 ? .toServer : .toClient, message)
    }
    let text = lines(dialogue)
    expectMessages(text)
    #expect(text.contains("RawSocket  wamp.2.\(name)  (handshake not captured whole)"))
    #expect(text.contains("rawsocket.handshake-missing"))
  }

  @Test("frames around packets of MQTT are WebSocket") func framesAroundPackets() {
    var dialogue = Dialogue()
    let packet: [UInt8] = [0x30, 8, 0, 3] + Array("a/bhi!".utf8)
    let several = Array(repeating: packet, count: 6).flatMap { $0 }
    for _ in 0..<2 { dialogue.frame(.toClient, opcode: 2, several) }
    #expect(lines(dialogue).contains("websocket.handshake-missing"))
  }

  @Test(
    "what begins with 0x7F alone is not RawSocket",
    arguments: [["\u{7F}ELF\u{2}\u{1}\u{1}", "thanks"], ["\u{7F}"], ["\u{7F}a", "\u{7F}\u{1}b"]])
  func otherStreams(_ sides: [String]) {
    var dialogue = Dialogue()
    dialogue.connect()
    for (side, text) in sides.enumerated() {
      dialogue.send(side == 0 ? .toServer : .toClient, text)
    }
    dialogue.end()
    let summary = summary(dialogue)
    #expect(summary[.streamUnread] == 1 && summary[.streamRawSocket] == 0)
    #expect(summary[.unread] == summary[.payloadByte])
  }
}
