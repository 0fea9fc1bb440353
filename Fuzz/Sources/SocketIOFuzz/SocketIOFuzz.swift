// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingDialects
import TapDialects
import TapTraffic

/// Engine.IO packets in WebSocket messages, with Socket.IO packets and attachments. The last bit of
/// the first byte chooses pasted Socket.IO alone.
@_cdecl("SocketIOFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard bytes.count > 1 else { return }
    var bench = DialectBench(bytes[1], subprotocol: "") {
      let run = RunContext(limits: $1)
      return bytes[0] & 1 == 0
        ? EngineIODialect().layer($0, run) : SocketIODialect().layer($0, run)
    }
    bench.sayLines(bytes.dropFirst(2))
    bench.finish()
  }
}
