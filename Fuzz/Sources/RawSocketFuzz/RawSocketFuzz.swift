// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapRawSocket
import TapTraffic

/// Whatever handshakes and frames come, with gaps: each byte has one fate.
@_cdecl("RawSocketFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let opening = Opening(
      .stream, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: mode & 1 == 0)
    let limits: Limits = mode & 2 == 0 ? Limits() : .tight
    let (chooser, tally) = (Carried(), Tally())
    let isTelling = mode & 4 != 0
    var layer =
      opening.isFromStart
      ? RawSocketLayer(opening, chooser, limits: limits, tellsHeads: isTelling)
      : RawSocketLayer(
        midstream: opening, chooser, serializer: mode >> 4, limits: limits,
        tellsFrames: isTelling)
    var script = StreamScript()
    script.play(UnsafeRawBufferPointer(rebasing: bytes[1...]), on: &layer, tally)
    if tally.sum != script.fed { fail("\(script.fed) bytes fed; \(tally.description)") }
  }
}

/// What is carried, and what a stream that turns out to be something else is taken for.
private final class Carried: Chooser {
  func layer(for opening: Opening) -> any Layer {
    Reader(isStream: opening.carrier == .stream)
  }
}

/// Reads every byte, so that the sanitizer sees it.
private struct Reader: Layer {
  let isStream: Bool
  private var sum: UInt8 = 0

  init(isStream: Bool) { self.isStream = isStream }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if isStream { listener.account(.unread, bytes.byteCount) }
    if !isStream && delivery.kind == .stream { fail("a message is no stream") }
    for at in 0..<bytes.byteCount { sum &+= bytes.unsafeLoad(fromByteOffset: at, as: UInt8.self) }
  }

  mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}
