// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Numbers of texts that are the same for all that differ in numbers only.
enum LogSkeleton {
  static func of(_ text: RawSpan) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var isInNumber = false
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      let isDigit = byte &- 0x30 < 10
      if isDigit && isInNumber { continue }
      isInNumber = isDigit
      // FNV-1a, where any digit stands for its number.
      hash = (hash ^ UInt64(isDigit ? 0x30 : byte)) &* 0x0000_0100_0000_01B3
    }
    return hash ^ hash >> 32
  }
}
