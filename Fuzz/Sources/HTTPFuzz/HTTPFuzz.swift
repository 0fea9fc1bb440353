// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapHTTP
import TapTraffic

/// With any bytes from both sides: each byte is HTTP, unread, or passed on as it was sent.
@_cdecl("HTTPFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let opening = Opening(.stream, isFromStart: mode & 1 == 0)
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // Limits count pieces too, so splits may matter.
      mayCut: { _ in mode & 2 == 0 },
      prepare: { $0.keepsPlaces = true }
    ) {
      HTTPLayer(
        opening, $0, limits: mode & 2 == 0 ? Limits() : .tight, reportsHeads: mode & 4 != 0)
    }
  }
}
