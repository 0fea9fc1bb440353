// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapWebSocket

/// How messages were carried is reported to those who ask for it, ahead of each message.
@Suite struct FramingTests {
  /// Writes down framings and messages, in order.
  private final class EvidenceEvent: Listener {
    var lines: [String] = []
    /// The packets in which each began and ended.
    var records: [[UInt64]] = []
    func opened(_: Opening, _: Delivery) {}
    func finding(_: Finding) {}
    func closed(_: Closing, _: Delivery) {}
    func account(_: Fate, _: Int) {}
    func count(_: Counter, _: Int) {}

    func message(_ message: Message, _: RawSpan, _: Span<Note>) { lines.append("\(message.name)") }

    func framed(_ framing: Framing) {
      records.append([framing.firstRecord, framing.origin.record])
      let flags = [
        framing.isFinal ? "fin" : "", framing.isCompressed ? "rsv1" : "",
        framing.isMasked ? String(framing.key, radix: 16) : "",
      ].filter { !$0.isEmpty }
      lines.append(
        "\(framing.frames) of \(framing.opcode) \(flags.joined(separator: " ")) \(framing.wireBytes)"
      )
    }
  }

  /// Passes nothing on: what is reported comes from the frames alone.
  private struct NamedValue: Layer {
    mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
      let name: StaticString = delivery.kind == .binary ? "BINARY" : "TEXT"
      listener.message(Message("websocket", Symbol(name), delivery.origin), bytes, Span())
    }
    mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
    mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
  }

  /// Each piece is a packet of its own.
  private func reported(
    _ pieces: [[UInt8]], reportsFrames: Bool = true, direction: Direction = .toServer
  ) -> EvidenceEvent {
    let end = Endpoint(address: [10, 0, 0, 7], port: 50_000)
    var opening = Opening(.webSocket, client: end, server: end, isFromStart: true)
    opening.deflate = Opening.Deflate()
    var layer = WebSocketLayer(
      opening, carrying: NamedValue(), limits: Limits(), reportsFrames: reportsFrames)
    let reported = EvidenceEvent()
    var offset: UInt64 = 0
    for (index, piece) in pieces.enumerated() {
      let origin = Origin(
        record: UInt64(index + 1), offset: offset, flow: 1, direction: direction)
      layer.receive(piece.span.bytes, Delivery(origin), reported)
      offset += UInt64(piece.count)
    }
    return reported
  }

  private let stream =
    frame(0x81, "one", mask: key) + frame(0x01, "tw", mask: key) + frame(0x89, "p", mask: key)
    + frame(0x80, "o", mask: [1, 2, 3, 4]) + frame(0xC1, hello, mask: key)
    + frame(0x80, "of nothing", mask: key) + frame(0x82, [9], mask: key)
    + frame(0x88, [], mask: key)

  @Test func everyMessage() {
    #expect(
      reported([stream]).lines == [
        "1 of 1 fin 3d21fa37 9", "TEXT", "1 of 9 fin 3d21fa37 7", "PING",
        "2 of 1 fin 4030201 15", "TEXT", "1 of 1 fin rsv1 3d21fa37 13", "TEXT",
        "1 of 2 fin 3d21fa37 7", "BINARY", "1 of 8 fin 3d21fa37 6", "CLOSE",
      ])
  }

  @Test func onlyWhereItWasAskedFor() {
    #expect(
      reported([stream], reportsFrames: false).lines == [
        "TEXT", "PING", "TEXT", "TEXT", "BINARY", "CLOSE",
      ])
  }

  @Test func serversDoNotMask() {
    #expect(
      reported([frame(0x81, "one")], direction: .toClient).lines == ["1 of 1 fin 5", "TEXT"])
  }

  @Test func theSameForEveryCut() {
    let found = difference(forEveryCutOf: stream) { reported($0).lines }
    #expect(found == nil, "\(String(describing: found))")
  }

  @Test func packets() {
    let bytes = frame(0x81, "one", mask: key)
    #expect(reported(bytes.map { [$0] }).records == [[1, 9]])
    #expect(reported([bytes, bytes]).records == [[1, 1], [2, 2]])
    let parts = frame(0x01, "a", mask: key) + frame(0x80, "b", mask: key)
    #expect(reported([[], Array(parts[..<7]), Array(parts[7...])]).records == [[2, 3]])
    #expect(
      reported([Array(bytes[..<3]), Array(bytes[3...]) + parts]).records == [[1, 2], [2, 2]])
  }
}
