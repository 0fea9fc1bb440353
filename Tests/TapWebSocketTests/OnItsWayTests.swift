// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapWebSocket

/// A layer hears of each piece of a message that is not complete yet.
@Suite("Messages on their way") struct OnItsWayTests {
  private struct Hearing: Layer {
    let heard: Cell<Int>
    mutating func receive(_: RawSpan, _: Delivery, _: any Listener) {}
    mutating func hear(_: Delivery, _: any Listener) { heard.value += 1 }
    mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
    mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
  }

  private static let whole = frame(0x81, "a long message")
  private static let ping = frame(0x89, "")

  @Test(
    "heard of what is not lent yet",
    arguments: [
      ([whole], 0), ([Array(whole[..<4]), Array(whole[4..<9]), Array(whole[9...])], 2),
      ([frame(0x01, "ab"), ping, frame(0x00, "c"), frame(0x80, "d")], 2), ([ping], 0),
    ] as [([[UInt8]], Int)])
  func heard(pieces: [[UInt8]], count: Int) {
    let end = Endpoint(address: [10, 0, 0, 7], port: 50_000)
    let heard = Cell(0)
    var layer = WebSocketLayer(
      Opening(.webSocket, client: end, server: end, isFromStart: true),
      carrying: Hearing(heard: heard), limits: Limits())
    for piece in pieces {
      let origin = Origin(record: 1, offset: 0, flow: 1, direction: .toClient)
      layer.receive(piece.span.bytes, Delivery(origin), Recorder())
    }
    #expect(heard.value == count)
  }
}
