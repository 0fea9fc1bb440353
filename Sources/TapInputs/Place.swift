// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Which input an offset belongs to, and whether the file itself is counted or what was compressed
/// in it, or what its text stands for.
struct Place {
  var input: UInt16
  /// How many times what is read here was compressed or written as text.
  var depth = 0
  /// The innermost wrapping is a text that stands for bytes.
  var isDecoded = false
  /// What was said of the input.
  var choice = InputChoice()

  /// "byte 24", as texts of findings name it.
  func byte(_ offset: UInt64) -> String {
    if depth == 0 { return "byte \(offset)" }
    return "byte \(offset) of the \(isDecoded ? "decoded bytes" : "inflated file")"
  }

  func origin(_ offset: UInt64, record: UInt64 = 0, _ time: Instant = .unknown) -> Origin {
    Origin(time: time, record: record, offset: offset, input: input)
  }
}

/// "1 byte", "2 bytes".
func counted(_ amount: UInt64, _ noun: String) -> String {
  amount == 1 ? "1 \(noun)" : "\(amount) \(noun)s"
}
