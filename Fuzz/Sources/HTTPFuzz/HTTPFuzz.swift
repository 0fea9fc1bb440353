// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapHTTP
import TapTraffic

/// Whatever both sides send: each byte is HTTP, unread, or passed on.
@_cdecl("HTTPFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let opening = Opening(
      .stream, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: mode & 1 == 0)
    let (chooser, tally) = (Counting(), Tally())
    var layer = HTTPLayer(opening, chooser, limits: mode & 2 == 0 ? Limits() : .tight)
    var script = StreamScript()
    script.play(UnsafeRawBufferPointer(rebasing: bytes[1...]), on: &layer, tally)
    if tally.sum + chooser.delivered != script.fed {
      fail("\(script.fed) bytes fed, passed on \(chooser.delivered); \(tally.description)")
    }
  }
}
