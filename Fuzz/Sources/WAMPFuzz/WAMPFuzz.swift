// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapBytes
import TapDialects
import TapInspector
import TapTraffic

/// One message a line, by turns or as its first byte says: read, joined, masked and rendered. In
/// other serializers than JSON, an octet of orders and two of length stand before each message.
@_cdecl("WAMPFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    var opening = Opening(
      .webSocket, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: mode & 1 == 0)
    let serializer = subprotocols[Int(mode >> 5)]
    if mode & 2 == 0 { opening.subprotocol = Array(serializer.utf8) }
    var options = Inspector.Options()
    options.limits = mode & 4 == 0 ? Limits() : .tight
    options.showsSecrets = mode & 8 != 0
    let renderer = BothRenderers(width: mode & 16 == 0 ? nil : 40)
    let inspector = Inspector(renderer, options)
    let tally = Tally()
    var origin = Origin(time: Instant(nanoseconds: 0), record: 1, flow: 1, direction: .toServer)
    inspector.opened(opening, Delivery(origin))
    var layer = WAMPLayer(opening, limits: options.limits)
    var shadow = WAMPLayer(opening, limits: options.limits)
    func say(_ message: UnsafeRawBufferPointer, _ order: UInt8, _ kinds: [Delivery.Kind]) {
      if order & 1 == 0 { origin.direction = origin.direction.reversed }
      let kind = kinds[Int(order >> 1 & 3)]
      origin.time.nanoseconds += 1_000_000
      origin.record += 1
      lend(message) { message in
        // The layer above promises that text is UTF-8.
        if kind == .text && UTF8.firstInvalid(in: message) != nil { return }
        layer.receive(message, Delivery(origin, kind), inspector)
        shadow.receive(message, Delivery(origin, kind), tally)
      }
    }
    if mode >> 5 == 0 {
      for line in bytes.dropFirst().split(separator: 0x0A, omittingEmptySubsequences: true) {
        let isOrder = line.first! < 0x20
        let message = UnsafeRawBufferPointer(rebasing: isOrder ? line.dropFirst() : line)
        say(message, isOrder ? line.first! : 0, [.text, .binary, .brokenText, .text])
      }
    } else {
      let usual: Delivery.Kind = serializer.contains(".json") ? .text : .binary
      var rest = bytes.dropFirst()
      while rest.count >= 3 {
        let order = rest.removeFirst()
        let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
        let message = rest.prefix(length)
        rest = rest.dropFirst(length)
        say(UnsafeRawBufferPointer(rebasing: message), order, [usual, .brokenText, .text, .binary])
      }
    }
    layer.finish(.closed, Delivery(origin), inspector)
    inspector.finish(hasPackets: true)
    inspector.withText { expectNDJSON($0.bytes) }
    renderer.withLines { expectClean($0.bytes) }
  }
}

/// By the upper three bits of the mode.
private let subprotocols = [
  "wamp.2.json", "wamp.2.msgpack", "wamp.2.cbor", "wamp.2.ubjson", "wamp.2.flatbuffers",
  "wamp.2.json.batched", "wamp.2.msgpack.batched", "wamp.2.cbor.batched",
]
