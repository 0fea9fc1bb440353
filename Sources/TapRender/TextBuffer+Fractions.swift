// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Numbers with a fraction.
extension TextBuffer {
  /// `0.003120000` becomes `0.00312`, `2.000000000` becomes `2.0`.
  mutating func removeTrailingZeros() {
    var end = count
    while bytes.byte(at: end - 1) == 0x30, bytes.byte(at: end - 2) != 0x2E { end -= 1 }
    truncate(end)
  }
}
