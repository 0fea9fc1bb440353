// SPDX-License-Identifier: Apache-2.0

/// The bytes of an input in sequence; after its end, zeros, which change nothing.
struct Orders {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next() -> UInt8 {
    guard place < bytes.count else { return 0 }
    defer { place += 1 }
    return bytes[place]
  }
}
