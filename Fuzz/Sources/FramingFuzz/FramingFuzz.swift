// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapFraming
import TapTraffic

/// JSON texts on plain TCP, with any delimiters and with gaps: each byte is accounted for once, and
/// splits change nothing.
@_cdecl("FramingFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // Limits count pieces too, so splits matter once they are reached.
      mayCut: { _ in mode & 2 == 0 },
      prepare: { $0.carriersOfMessages = [.webSocket] }
    ) { bench in
      let limits: Limits = mode & 2 == 0 ? Limits() : .tight
      return FramedLayer(
        JSONStreamFraming(limits), JSONStreamFraming(limits),
        carrying: bench.layer(for: Opening(.webSocket, isFromStart: true)),
        isFromStart: mode & 1 == 0)
    }
  }
}
