// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapDialects
import TapTraffic

/// Frames of STOMP on bare TCP, with gaps: each byte has one fate, and cuts change nothing. In
/// messages of a WebSocket they are read by `JSONDialectsFuzz`.
///
/// A body whose length is announced may hold a NUL and a frame: where more of it is still to come,
/// the length is taken for wrong. Inputs with a length are not cut.
@_cdecl("STOMPFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let limits: Limits = mode & 2 == 0 ? Limits() : .tight
    let hasLength = contains("content-length", bytes)
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // Bounds that are reached count pieces too.
      mayCut: { _ in mode & 2 == 0 && !hasLength }
    ) { _ in
      STOMPDialect().layer(
        Opening(.stream, isFromStart: mode & 1 == 0), RunContext(limits: limits))
    }
  }
}

private func contains(_ word: StaticString, _ bytes: UnsafeRawBufferPointer) -> Bool {
  let count = word.utf8CodeUnitCount
  let all = UnsafeBufferPointer(start: word.utf8Start, count: count)
  return (0..<max(0, bytes.count - count + 1)).contains {
    bytes[$0..<$0 + count].elementsEqual(all)
  }
}
