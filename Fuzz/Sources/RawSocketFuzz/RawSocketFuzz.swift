// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapRawSocket
import TapTraffic

/// With any handshakes and frames, and gaps: each byte is accounted for once, and bytes of a stream
/// that turns out to be something else are passed on as they were sent.
@_cdecl("RawSocketFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let opening = Opening(.stream, isFromStart: mode & 1 == 0)
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // Limits count pieces too, so splits matter once they are reached.
      mayCut: { _ in mode & 2 == 0 },
      prepare: {
        $0.keepsPlaces = true
        $0.carriersOfMessages = [.rawSocket]
      }
    ) { bench in
      let limits: Limits = mode & 2 == 0 ? Limits() : .tight
      let isReporting = mode & 4 != 0
      return opening.isFromStart
        ? RawSocketLayer(opening, bench, limits: limits, reportsHeads: isReporting)
        : RawSocketLayer(
          midstream: RawSocketLayer.opening(midstream: opening, serializer: mode >> 4), bench,
          serializer: mode >> 4, limits: limits, reportsFrames: isReporting)
    }
  }
}
