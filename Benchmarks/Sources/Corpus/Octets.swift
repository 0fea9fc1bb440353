// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(big value: UInt16) {
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value))
  }

  mutating func append(big value: UInt32) {
    append(big: UInt16(truncatingIfNeeded: value >> 16))
    append(big: UInt16(truncatingIfNeeded: value))
  }

  mutating func append(little value: UInt32) { append(big: value.byteSwapped) }

  mutating func append(decimal value: UInt64) {
    if value >= 10 { append(decimal: value / 10) }
    append(UInt8(truncatingIfNeeded: 0x30 + value % 10))
  }
}
