// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapRawSocket

@Suite struct HandshakeTests {
  @Test(arguments: [
    (1, "wamp.2.json", Delivery.Kind.text), (2, "wamp.2.msgpack", .binary),
    (3, "wamp.2.cbor", .binary), (4, "wamp.2.ubjson", .binary),
    (5, "wamp.2.flatbuffers", .binary), (6, "", .binary), (15, "", .binary),
  ])
  func serializers(number: UInt8, subprotocol: String, kind: Delivery.Kind) {
    let octets: [UInt8] = [0x7F, 0xF0 | number, 0, 0]
    let talk = RawSocketConversation.open(octets, octets)
    talk.send(.toServer, message("[1]"))
    #expect(
      talk.opening.map { String(decoding: $0.subprotocol, as: Unicode.UTF8.self) }
        == subprotocol)
    #expect(talk.opening?.carrier == .rawSocket && talk.opening?.url == [])
    #expect(talk.opening?.isFromStart == true)
    #expect(talk.passed == ["\(kind) [1]"] && talk.codes == [])
  }

  @Test(arguments: [(0, 512), (5, 16384), (15, 1 << 24)])
  func limits(exponent: UInt8, octets: Int) {
    let talk = RawSocketConversation.open([0x7F, exponent << 4 | 1, 0, 0])
    #expect(talk.opening?.mostOctets == .init(toServer: 1 << 24, toClient: octets))
  }

  @Test(arguments: [
    (0x10, "serializer unsupported"), (0x20, "maximum message length unacceptable"),
    (0x30, "use of reserved bits"), (0x40, "maximum connection count reached"),
    (0x00, "error 0"), (0xF0, "error 15"),
  ])
  func errorReplies(octet: UInt8, words: String) {
    let talk = RawSocketConversation()
    talk.send(.toServer, [0x7F, 0xF3, 0, 0] + frame(0, [0x83, 1]))
    talk.send(.toClient, [0x7F, octet, 0, 0] + wire("more"))
    talk.finish()
    #expect(talk.codes == ["rawsocket.error-reply"])
    #expect(talk.recorder.findings[0].text.contains(words))
    #expect(talk.recorder.findings[0].text.contains("CBOR"))
    #expect(talk.recorder.lines == ["error rawsocket.error-reply"], "nothing opened or closed")
    #expect(talk.recorder[.reported] == 8 && talk.recorder[.unread] == 10)
  }

  @Test(arguments: [Direction.toServer, .toClient]) func otherProtocol(direction: Direction) {
    let talk = RawSocketConversation()
    talk.send(direction.reversed, greeting)
    talk.send(direction, wire("HTTP/1.1 400 Bad Request\r\n\r\n"))
    talk.finish()
    #expect(talk.recorder.lines == ["error rawsocket.bad-magic"])
    #expect(talk.accounted == talk.fed)
  }

  @Test func rulesOfTheHandshake() {
    let talk = RawSocketConversation.open([0x7F, 0xF1, 0, 1], [0x7F, 0xF2, 0x80, 0])
    #expect(
      talk.codes == [
        "rawsocket.reserved-bits", "rawsocket.reserved-bits", "rawsocket.serializer-mismatch",
      ])
    #expect(talk.opening?.subprotocol == Array("wamp.2.msgpack".utf8))
  }

  @Test func settlement() {
    let talk = RawSocketConversation()
    talk.send(.toServer, greeting + message("[1]"))
    #expect(!talk.isSettled)
    talk.send(.toClient, Array(greeting.prefix(3)))
    #expect(!talk.isSettled)
    talk.send(.toClient, Array(greeting.suffix(1)))
    #expect(talk.isSettled && talk.passed == ["text [1]"])
  }

  /// What the client sends before it was answered is kept, in order.
  @Test func impatientClient() {
    let talk = RawSocketConversation()
    talk.send(.toServer, greeting + message("[1]") + Array(message("[2]").prefix(5)))
    #expect(talk.recorder.lines == [])
    talk.send(.toServer, Array(message("[2]").dropFirst(5)))
    talk.send(.toClient, greeting + message("[3]"))
    #expect(talk.passed == ["text [1]", "text [2]", "text [3]"])
    #expect(talk.codes == [] && talk.accounted == talk.fed)
  }

  @Test(arguments: [Direction.toServer, .toClient]) func oneSideOnly(direction: Direction) {
    let talk = RawSocketConversation()
    talk.send(direction, greeting + message("[1]") + frame(2, "x"))
    talk.finish(.endOfEvidence, direction)
    #expect(talk.passed == ["text [1]"])
    // The PING may have been captured as little as the rest of its side.
    #expect(talk.codes == ["rawsocket.handshake-missing"])
    #expect(talk.recorder.lines.last == "closed by unknown - unfinished")
    #expect(talk.opening?.isFromStart == false && talk.accounted == talk.fed)
  }

  /// The wait for the other side is bounded.
  @Test func heldOctets() {
    var limits = Limits()
    limits.undecidedBytes = ReplayBuffer.leastCost
    let talk = RawSocketConversation(limits: limits)
    talk.send(.toServer, greeting + message("[1,1]") + message("[1,2]"))
    #expect(talk.passed == [])
    talk.send(.toServer, message("[1,3]"))
    #expect(talk.passed.count == 3)
    // It comes late, and is read all the same.
    talk.send(.toClient, greeting + message("[2]"))
    talk.finish()
    #expect(talk.passed.count == 4 && talk.codes == ["rawsocket.handshake-missing"])
    #expect(talk.accounted == talk.fed)
  }

  @Test(arguments: [[0x7F, 0x10, 0, 0], Array("HTTP".utf8)]) func lateRefusal(octets: [UInt8]) {
    var limits = Limits()
    limits.undecidedBytes = 4
    let talk = RawSocketConversation(limits: limits)
    talk.send(.toServer, greeting + message("[1,1]"))
    talk.send(.toClient, octets + wire("what follows"))
    talk.finish()
    #expect(talk.passed == ["text [1,1]"] && talk.codes.count == 2)
    #expect(talk.recorder.lines.last?.hasPrefix("closed") == true)
    #expect(talk.accounted == talk.fed)
  }

  /// Holes in a handshake: where frames begin is known all the same, if the hole's size is.
  @Test(arguments: 0..<4, 1...6) func holes(start: Int, count: Int) {
    let talk = RawSocketConversation()
    talk.send(.toServer, greeting)
    let stream = greeting + message("[36,5862354,71,{}]") + message("[36,5862354,72,{}]")
    talk.send(.toClient, Array(stream[..<start]))
    talk.gap(.toClient, count)
    talk.segment(.toClient, Array(stream[(start + count)...]))
    talk.finish()
    #expect(talk.passed.last == "text [36,5862354,72,{}]")
    #expect(talk.passed.count == (start + count <= 4 ? 2 : 1))
    #expect(talk.codes.first == "rawsocket.handshake-missing")
    #expect(talk.accounted == talk.fed)
  }

  @Test(
    arguments: [
      ([[0x7F, 0xF1, 0, 0], []], true), ([[], [0x7F, 0xF1, 0, 0]], true), ([[0x7F], []], nil),
      ([[0x7F, 0xF1, 0], [0x48]], nil), ([[0x7F, 0x45, 0x4C, 0x46], []], nil),
      ([[0x7F, 0x45, 0x4C, 0x46], [0x7F, 0x30, 0, 0]], true),
      ([[0x7F, 0x45, 0x4C, 0x46], [0x7F, 0x30]], nil),
      ([[0x7F, 0x45, 0x4C, 0x46], [0x4F, 0x4B]], false), ([[], []], nil),
    ] as [([[UInt8]], Bool?)])
  func recognition(sides: [[UInt8]], answer: Bool?) {
    #expect(Handshake.recognise(sides) == answer)
  }
}
