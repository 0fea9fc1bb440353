// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapDialects
import TapTraffic

/// Frames of STOMP on bare TCP, with gaps: each byte has one fate, and cuts change nothing. In
/// messages of a WebSocket they are read by `JSONDialectsFuzz`.
@_cdecl("STOMPFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let limits: Limits = mode & 2 == 0 ? Limits() : .tight
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // Bounds that are reached count pieces too.
      mayCut: { _ in mode & 2 == 0 }
    ) { _ in
      STOMPDialect().layer(
        Opening(.stream, isFromStart: mode & 1 == 0), RunContext(limits: limits))
    }
  }
}
