// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapDialects
import TapTraffic

/// STOMP frames on plain TCP, with gaps: each byte is accounted for once, and splits change
/// nothing. `JSONDialectsFuzz` tests STOMP over WebSocket.
@_cdecl("STOMPFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let limits: Limits = mode & 2 == 0 ? Limits() : .tight
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // Limits count pieces too, so splits matter once they are reached.
      mayCut: { _ in mode & 2 == 0 }
    ) { _ in
      STOMPDialect().layer(
        Opening(.stream, isFromStart: mode & 1 == 0), RunContext(limits: limits))
    }
  }
}
