// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

@Suite struct TextBufferTests {
  /// Around every power of ten and of two, and random ones of every size.
  static let numbers: [UInt64] = {
    var all: Set<UInt64> = [0, .max, 9_007_199_254_740_992]
    var ten: UInt64 = 1
    for _ in 0..<20 {
      all.formUnion([ten &- 1, ten, ten &+ 1])
      ten = ten &* 10
    }
    var random = Seeded(5)
    for bits in 0..<64 {
      let power: UInt64 = 1 << bits
      all.formUnion([power - 1, power, power &+ 1])
      all.insert(.random(in: 0...power, using: &random))
    }
    return all.sorted()
  }()

  @Test func numbersLikeSwift() {
    for number in Self.numbers {
      #expect(written { $0.append(decimal: number) } == String(number))
      let int = Int(truncatingIfNeeded: number)
      #expect(written { $0.append(decimal: int) } == String(int))
      if int != .min { #expect(written { $0.append(decimal: -int) } == String(-int)) }
    }
    #expect(written { $0.append(decimal: Int.min) } == "-9223372036854775808")
  }

  @Test func numbersWithAWidth() {
    for number in Self.numbers {
      let plain = String(number)
      for more in 0...3 {
        let zeros = String(repeating: "0", count: more)
        let spaces = String(repeating: " ", count: more)
        let width = plain.count + more
        #expect(written { $0.append(decimal: number, width: width) } == zeros + plain)
        #expect(written { $0.append(decimal: number, columns: width) } == spaces + plain)
      }
      #expect(written { $0.append(decimal: number, columns: 0) } == plain)
    }
  }

  @Test func numbersGrouped() {
    for number in Self.numbers {
      var expected = ""
      for (index, digit) in String(number).reversed().enumerated() {
        if index > 0 && index % 3 == 0 { expected = "," + expected }
        expected = "\(digit)" + expected
      }
      #expect(written { $0.append(grouped: number) } == expected)
    }
  }

  @Test func hexOfEveryByte() {
    for byte in UInt8.min ... .max {
      let expected = (byte < 16 ? "0" : "") + String(byte, radix: 16)
      #expect(written { $0.append(hex: byte) } == expected)
    }
  }

  @Test func edits() {
    let text = written { text in
      text.append("héllo" as String)
      text.insert(spaces: 2, at: 3)
      text.insert(spaces: 0, at: 1)
      text.append(spaces: 3)
      text.append(spaces: -1)
      text.append(byte: 0x21)
      text.append("?!" as StaticString)
      text.truncate(text.count - 1)
    }
    #expect(text == "hé  llo   !?")
    #expect(written { $0.append("" as String) } == "")
    #expect(
      written {
        $0.append("gone" as String)
        $0.removeAll()
      } == "")
  }
}
