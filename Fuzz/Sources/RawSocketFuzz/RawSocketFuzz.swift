// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapRawSocket
import TapTraffic

/// Whatever handshakes and frames come, with gaps: each byte has one fate, and what turns out to be
/// another stream is passed on as it was sent.
@_cdecl("RawSocketFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let opening = Opening(.stream, isFromStart: mode & 1 == 0)
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // Bounds that are reached count pieces too.
      mayCut: { _ in mode & 2 == 0 },
      prepare: {
        $0.keepsPlaces = true
        $0.carriersOfMessages = [.rawSocket]
      }
    ) { bench in
      let limits: Limits = mode & 2 == 0 ? Limits() : .tight
      let isTelling = mode & 4 != 0
      return opening.isFromStart
        ? RawSocketLayer(opening, bench, limits: limits, tellsHeads: isTelling)
        : RawSocketLayer(
          midstream: RawSocketLayer.opening(midstream: opening, serializer: mode >> 4), bench,
          serializer: mode >> 4, limits: limits, tellsFrames: isTelling)
    }
  }
}
