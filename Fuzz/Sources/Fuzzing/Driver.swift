// SPDX-License-Identifier: Apache-2.0
internal import CFuzzer

/// The arguments of the program's entry point.
public typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

nonisolated(unsafe) private var body: (UnsafeRawBufferPointer) -> Void = { _ in }

/// Runs libFuzzer, which calls `one` with every input. The input is a heap block of its own, so
/// that the address sanitizer detects every out-of-bounds read.
public func drive(
  _ count: Int32, _ arguments: Arguments, _ one: @escaping (UnsafeRawBufferPointer) -> Void
) -> Int32 {
  body = one
  var (count, arguments) = (count, arguments)
  return LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    body(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
  }
}

/// Crashes the program, so that libFuzzer saves the input.
public func fail(_ why: String) -> Never {
  // The message would be cut off at a NUL.
  fatalError(String(why.map { $0 == "\0" ? "␀" : $0 }))
}

/// FNV-1a and a mixer: pseudo-random numbers from the input, for splits.
public func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  hash ^= hash >> 29
  hash = hash &* 0xBF58_476D_1CE4_E5B9
  return hash ^ hash >> 32
}

/// Lends a copy of the bytes in a heap block of its own.
public func lend(_ bytes: UnsafeRawBufferPointer, _ body: (RawSpan) -> Void) {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyMemory(from: bytes)
  body(UnsafeRawBufferPointer(copy).bytes)
}
