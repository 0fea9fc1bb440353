// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapTraffic
import TapWebSocket

/// Whatever frames come, with gaps: each byte has one fate.
@_cdecl("WebSocketFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    var opening = Opening(
      .webSocket, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: mode & 1 == 0)
    if mode & 4 != 0 {
      var deflate = Opening.Deflate()
      deflate.clientKeepsContext = mode & 8 == 0
      deflate.serverKeepsContext = mode & 16 == 0
      deflate.serverWindowBits = mode & 32 == 0 ? 15 : 9
      opening.deflate = deflate
    }
    let tally = Tally()
    var layer = WebSocketLayer(
      opening, carrying: Dialect(), limits: mode & 2 == 0 ? Limits() : .tight,
      isFromStart: opening.isFromStart)
    var script = StreamScript()
    script.play(UnsafeRawBufferPointer(rebasing: bytes[1...]), on: &layer, tally)
    if tally.sum != script.fed { fail("\(script.fed) bytes fed; \(tally.description)") }
  }
}

/// What is carried: reads every byte, so that the sanitizer sees it.
private struct Dialect: Layer {
  private var sum: UInt8 = 0

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.kind == .stream { fail("a message is no stream") }
    for at in 0..<bytes.byteCount { sum &+= bytes.unsafeLoad(fromByteOffset: at, as: UInt8.self) }
  }

  mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}
