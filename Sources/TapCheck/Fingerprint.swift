// SPDX-License-Identifier: Apache-2.0

/// A hash that is the same in every run and program: 64-bit FNV-1a.
enum Fingerprint {
  /// - Returns: 16 hexadecimal digits.
  static func of(_ parts: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in Array(part.utf8) + [0] {
        hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3
      }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
