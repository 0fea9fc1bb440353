// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingDialects
import TapDialects
import TapTraffic

/// Messages of alternating or chosen sides are read, joined, masked and rendered. JSON has one per
/// line; with other serializers, a byte of orders and two of length precede each message.
@_cdecl("WAMPFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let number = Int(mode >> 5)
    var bench = DialectBench(mode, subprotocol: subprotocols[number]) {
      WAMPLayer($0, limits: $1)
    }
    if number == 0 {
      bench.sayLines(bytes.dropFirst())
    } else {
      // Batched JSON is text.
      let usual: Delivery.Kind = number == 5 ? .text : .binary
      let kinds: [Delivery.Kind] = [usual, .brokenText, .text, .binary]
      var rest = bytes.dropFirst()
      while rest.count >= 3 {
        let order = rest.removeFirst()
        let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
        let message = rest.prefix(length)
        rest = rest.dropFirst(length)
        bench.say(UnsafeRawBufferPointer(rebasing: message), order, kinds[Int(order >> 1 & 3)])
      }
    }
    bench.finish()
  }
}

/// Indexed by the upper three bits of the mode.
private let subprotocols: [StaticString] = [
  "wamp.2.json", "wamp.2.msgpack", "wamp.2.cbor", "wamp.2.ubjson", "wamp.2.flatbuffers",
  "wamp.2.json.batched", "wamp.2.msgpack.batched", "wamp.2.cbor.batched",
]
