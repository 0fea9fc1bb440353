// SPDX-License-Identifier: Apache-2.0

/// A number that stays the same from run to run and from program to program: FNV-1a of 64 bits.
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
