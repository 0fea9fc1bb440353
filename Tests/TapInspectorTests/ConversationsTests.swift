// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Conversations that an input tells apart by numbers of its own.
@Suite("Conversations") struct ConversationsTests {
  private let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())

  private func delivery(
    _ number: UInt32, _ direction: Direction, record: UInt64 = 0, input: UInt16 = 0,
    _ kind: Delivery.Kind = .text
  ) -> Delivery {
    Delivery(
      Origin(record: record, flow: number, input: input, direction: direction), kind)
  }

  private func opening(_ carrier: Opening.Carrier) -> Opening {
    Opening(carrier, client: .unknown, server: .unknown, isFromStart: true)
  }

  private func engine(_ recorder: Recorder, _ limits: Limits = Limits()) -> Engine {
    Engine(inspector, limits: limits, listener: recorder)
  }

  private let hello = Array(#"[1,"chat",{"roles":{"caller":{}}}]"#.utf8)

  @Test func messagesOfTwoInputsAreKeptApart() {
    let recorder = Recorder()
    var flows: [UInt32] = []
    recorder.onMessage = { message, _, _ in flows.append(message.origin.flow) }
    let engine = engine(recorder)
    for input in [0, 1] as [UInt16] {
      engine.opened(opening(.webSocket), delivery(1, .toServer, input: input))
    }
    for input in [0, 1, 0] as [UInt16] {
      engine.message(hello.span.bytes, delivery(1, .toServer, input: input))
    }
    engine.closed(Closing(code: 1000), delivery(1, .toClient, input: 1))
    engine.finish()
    #expect(flows.count == 3 && flows[0] == flows[2] && flows[0] != flows[1])
    #expect(recorder.lines.filter { $0.hasPrefix("opened") }.count == 2)
    #expect(
      recorder.lines.filter { $0.hasPrefix("closed") } == [
        "closed by unknown 1000", "closed by unknown - unfinished",
      ])
  }

  @Test func bytesOfAStreamClimbAllLayers() {
    let recorder = Recorder()
    let engine = engine(recorder)
    engine.opened(opening(.stream), delivery(7, .toServer))
    let request = Array(
      ("GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Protocol: wamp.2.json\r\n\r\n").utf8)
    let response = Array(
      ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
        + "Sec-WebSocket-Protocol: wamp.2.json\r\n\r\n").utf8)
    engine.stream(request.span.bytes, delivery(7, .toServer, .stream))
    engine.stream(response.span.bytes, delivery(7, .toClient, .stream))
    let frame = Dialogue.frame(opcode: 1, masked: true, hello)
    var at = delivery(7, .toServer, .stream)
    at.origin.offset = UInt64(request.count)
    engine.stream(frame.span.bytes, at)
    engine.closed(Closing(), delivery(7, .toClient))
    #expect(recorder.lines.contains("opened ws://a/ws wamp.2.json"))
    #expect(recorder.lines.contains { $0.hasPrefix("toServer HELLO") })
    #expect(
      recorder[.payloadByte] == request.count + response.count + frame.count
        && recorder.fates.reduce(0, +) == recorder[.payloadByte])
  }

  @Test func tooManyEndTheOldest() {
    var limits = Limits()
    limits.connections = 8
    let recorder = Recorder()
    let engine = engine(recorder, limits)
    for number in 1...9 as ClosedRange<UInt32> {
      engine.opened(
        opening(.webSocket), delivery(number, .toServer, record: UInt64(number)))
    }
    #expect(recorder.lines.last == "opened  ")
    #expect(recorder.lines.filter { $0.hasPrefix("closed") }.count == 1)
    // The first was ended; nobody knows it any more.
    engine.message(hello.span.bytes, delivery(1, .toServer))
    engine.message(hello.span.bytes, delivery(2, .toServer))
    #expect(recorder.lines.filter { $0.contains("HELLO") }.count == 1)
  }
}
