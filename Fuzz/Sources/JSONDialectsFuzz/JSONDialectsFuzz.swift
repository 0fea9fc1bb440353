// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingDialects
import TapDialects
import TapTraffic

/// One message of a JSON dialect per line, of alternating or chosen sides: read, joined, masked and
/// rendered. The first byte of the input chooses the dialect.
@_cdecl("JSONDialectsFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard bytes.count > 1 else { return }
    let dialects = Dialects.all.dropFirst(2)
    let dialect = dialects[dialects.startIndex + Int(bytes[0]) % dialects.count]
    var bench = DialectBench(bytes[1], subprotocol: "app") {
      dialect.layer($0, RunContext(limits: $1))
    }
    bench.sayLines(bytes.dropFirst(2))
    bench.finish()
  }
}
