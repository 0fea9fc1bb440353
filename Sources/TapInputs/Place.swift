// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Which input an offset belongs to, and whether the file itself or what was compressed in it is
/// counted.
struct Place {
  var input: UInt16
  /// How many times what is read here was compressed.
  var depth = 0

  /// "byte 24", as texts of findings name it.
  func byte(_ offset: UInt64) -> String {
    depth == 0 ? "byte \(offset)" : "byte \(offset) of the inflated file"
  }

  func origin(_ offset: UInt64, record: UInt64 = 0, _ time: Instant = .unknown) -> Origin {
    Origin(time: time, record: record, offset: offset, input: input)
  }
}

/// "1 byte", "2 bytes".
func counted(_ amount: UInt64, _ noun: String) -> String {
  amount == 1 ? "1 \(noun)" : "\(amount) \(noun)s"
}
