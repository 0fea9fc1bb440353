// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A number of JSON by its digits. Two are equal when they are the same number, however written:
/// `1`, `1.0`, `10e-1`; more digits than a double holds are compared as well as the records can.
struct Digits: Sendable, Equatable {
  let literal: String

  static func == (one: Digits, other: Digits) -> Bool {
    if one.literal == other.literal { return true }
    if one.canonical == other.canonical { return true }
    // Python wrote a float with the digits that tell it from its neighbours, not with those sent.
    if one.isWhole || other.isWhole { return false }
    return Double(one.literal) == Double(other.literal)
  }

  private var isWhole: Bool { literal.utf8.allSatisfy { $0 == 0x2D || 0x30...0x39 ~= $0 } }

  /// Significant digits and the power of ten of the last one; nothing for zero.
  private struct Canonical: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0
  }

  private var canonical: Canonical {
    var made = Canonical()
    var hasPoint = false
    var rest = Substring(literal)
    if rest.first == "-" {
      made.isNegative = true
      rest.removeFirst()
    }
    let parts = rest.lowercased().split(separator: "e", maxSplits: 1)
    for octet in (parts.first ?? "").utf8 {
      if octet == 0x2E {
        hasPoint = true
      } else {
        made.digits.append(octet)
        if hasPoint { made.exponent -= 1 }
      }
    }
    if parts.count > 1 { made.exponent += Int(parts[1].replacing("+", with: "")) ?? 0 }
    while made.digits.last == 0x30 {
      made.digits.removeLast()
      made.exponent += 1
    }
    made.digits.removeFirst(made.digits.prefix { $0 == 0x30 }.count)
    return made.digits.isEmpty ? Canonical() : made
  }

  /// The number times ten to the `power`; nil when that is not whole or too large.
  func scaled(by power: Int) -> Int64? {
    let canonical = canonical
    let zeros = canonical.exponent + power
    if canonical.digits.isEmpty { return 0 }
    guard zeros >= 0, canonical.digits.count + zeros <= 19 else { return nil }
    let digits = canonical.digits + [UInt8](repeating: 0x30, count: zeros)
    return Int64((canonical.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }
}
