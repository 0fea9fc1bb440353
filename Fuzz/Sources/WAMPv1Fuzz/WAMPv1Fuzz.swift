// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapBytes
import TapDialects
import TapInspector
import TapTraffic

/// One message of WAMP v1 a line, by turns or as its first byte says: read, joined, masked and
/// rendered.
@_cdecl("WAMPv1Fuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    var opening = Opening(
      .webSocket, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: mode & 1 == 0)
    if mode & 2 == 0 { opening.subprotocol = Array("wamp".utf8) }
    var options = Inspector.Options()
    options.limits = mode & 4 == 0 ? Limits() : .tight
    options.showsSecrets = mode & 8 != 0
    let renderer = BothRenderers(width: mode & 16 == 0 ? nil : 40)
    let inspector = Inspector(renderer, options)
    let tally = Tally()
    var origin = Origin(time: Instant(nanoseconds: 0), record: 1, flow: 1, direction: .toServer)
    inspector.opened(opening, Delivery(origin))
    var layer = WAMPv1Layer(opening, limits: options.limits)
    var shadow = WAMPv1Layer(opening, limits: options.limits)
    for line in bytes.dropFirst().split(separator: 0x0A, omittingEmptySubsequences: true) {
      let order = line.first! < 0x20 ? line.first! : 0
      let message = UnsafeRawBufferPointer(rebasing: order > 0 ? line.dropFirst() : line)
      if order & 1 == 0 { origin.direction = origin.direction.reversed }
      let kind = [Delivery.Kind.text, .binary, .brokenText, .text][Int(order >> 1 & 3)]
      origin.time.nanoseconds += 1_000_000
      origin.record += 1
      lend(message) { message in
        // The layer above promises that text is UTF-8.
        if kind == .text && UTF8.firstInvalid(in: message) != nil { return }
        layer.receive(message, Delivery(origin, kind), inspector)
        shadow.receive(message, Delivery(origin, kind), tally)
      }
    }
    layer.finish(.closed, Delivery(origin), inspector)
    inspector.finish(hasPackets: true)
    inspector.withText { expectNDJSON($0.bytes) }
    renderer.withLines { expectClean($0.bytes) }
  }
}
