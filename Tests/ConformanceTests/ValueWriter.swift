// SPDX-License-Identifier: Apache-2.0
import TapTesting

/// Writes a JSON value in one of the many ways there are: members in any order, white space where
/// it may stand, and characters escaped that need not be.
struct ValueWriter {
  private(set) var bytes: [UInt8] = []
  private var random: Seeded

  init(_ seed: UInt64) { random = Seeded(seed) }

  mutating func append(_ value: Value) {
    space()
    switch value {
    case .null: bytes += Array("null".utf8)
    case .bool(let truth): bytes += Array("\(truth)".utf8)
    case .number(let digits): bytes += Array(digits.literal.utf8)
    case .string(let units): append(units)
    case .array(let values):
      list("[", "]", values.count) { $0.append(values[$1]) }
    case .object(let members):
      let shuffled = members.shuffled(using: &random)
      list("{", "}", shuffled.count) { writer, index in
        writer.space()
        writer.append(shuffled[index].key)
        writer.space()
        writer.bytes.append(0x3A)
        writer.append(shuffled[index].value)
      }
    }
    space()
  }

  private mutating func list(
    _ begin: Character, _ end: Character, _ count: Int, _ each: (inout ValueWriter, Int) -> Void
  ) {
    bytes.append(begin.asciiValue!)
    for index in 0..<count {
      if index > 0 { bytes.append(0x2C) }
      each(&self, index)
    }
    space()
    bytes.append(end.asciiValue!)
  }

  private mutating func space() {
    if Int.random(in: 0..<4, using: &random) > 0 { return }
    bytes.append([0x20, 0x0A, 0x0D, 0x09].randomElement(using: &random)!)
  }

  private mutating func append(_ units: [UInt16]) {
    bytes.append(0x22)
    // A row of units that stand for themselves.
    var plain: [UInt16] = []
    for (index, unit) in units.enumerated() {
      let isHalf = unit & 0xF800 == 0xD800
      let isPairBegun = isHalf && index > 0 && plain.last.map { $0 & 0xFC00 == 0xD800 } == true
      let mustEscape = unit < 0x20 || unit == 0x22 || unit == 0x5C
      if mustEscape || !isPairBegun && Int.random(in: 0..<9, using: &random) == 0 {
        flush(&plain)
        let digits = String(unit, radix: 16)
        bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
      } else if isHalf && !isPairBegun && isEscapedBefore(plain, unit) {
        let digits = String(unit, radix: 16)
        bytes += Array(("\\u" + digits).utf8)
      } else {
        plain.append(unit)
      }
    }
    flush(&plain)
    bytes.append(0x22)
  }

  /// The second half of a pair whose first half was escaped.
  private func isEscapedBefore(_ plain: [UInt16], _ unit: UInt16) -> Bool {
    plain.isEmpty && unit & 0xFC00 == 0xDC00
  }

  private mutating func flush(_ plain: inout [UInt16]) {
    bytes += Array(String(decoding: plain, as: UTF16.self).utf8)
    plain = []
  }
}
