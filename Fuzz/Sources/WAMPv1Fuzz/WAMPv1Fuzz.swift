// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingDialects
import TapDialects
import TapTraffic

/// One WAMP v1 message per line, of alternating or chosen sides: read, joined, masked and rendered.
@_cdecl("WAMPv1Fuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    var bench = DialectBench(mode, subprotocol: "wamp") { WAMPv1Layer($0, limits: $1) }
    bench.sayLines(bytes.dropFirst())
    bench.finish()
  }
}
