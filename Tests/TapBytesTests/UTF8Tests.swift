// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

/// The length of the longest prefix that Swift takes for UTF-8: where the first error is.
private func firstInvalid(_ bytes: [UInt8]) -> Int? {
  if String(validating: bytes, as: Unicode.UTF8.self) != nil { return nil }
  return bytes.indices.last { String(validating: bytes[..<$0], as: Unicode.UTF8.self) != nil }
}

/// Bytes on both sides of every border in the table of RFC 3629 §4.
private let borders: [UInt8] = [
  0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
  0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
]

@Suite struct UTF8Tests {
  @Test func everyTwoBytes() {
    for first in UInt8.min ... .max {
      for second in UInt8.min ... .max { same([first, second]) }
    }
  }

  @Test func everyBorderOfThreeBytes() {
    for first in borders {
      for second in borders { for third in borders { same([first, second, third]) } }
    }
  }

  @Test func everyBorderOfFourBytes() {
    for first in borders where first >= 0xE0 {
      for second in borders {
        for third in borders where third >= 0x7F && third <= 0xC0 {
          for fourth in [0x7F, 0x80, 0xBF, 0xC0] as [UInt8] {
            same([first, second, third, fourth])
          }
        }
      }
    }
  }

  @Test func randomBytesBehindPlainOnes() {
    var random = Seeded(4)
    for _ in 0..<2000 {
      let plain = [UInt8](repeating: 0x61, count: .random(in: 0...20, using: &random))
      same(plain + octets(.random(in: 0...6, using: &random), &random) + wire("x"))
    }
  }

  /// One byte that is not ASCII, at each place of texts of each length.
  @Test func longTexts() {
    for count in 1...70 {
      for place in 0..<count {
        var bytes = [UInt8](repeating: 0x61, count: count)
        bytes[place] = 0xC3
        same(bytes)
        if place + 1 < count {
          bytes[place + 1] = 0xA9
          same(bytes)
        }
      }
    }
  }

  @Test func everyCodePointBack() {
    for value in stride(from: 0, through: 0x10FFFF, by: 13) as StrideThrough<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array(String(Character(scalar)).utf8)
      let read = TapBytes.UTF8.scalar(in: bytes.span.bytes, at: 0)
      if read?.value != value || read?.length != bytes.count {
        Issue.record("U+\(String(value, radix: 16)) was read as \(String(describing: read))")
      }
    }
  }

  @Test func startsWhereAsked() {
    let bytes: [UInt8] = [0xFF, 0x61, 0x62, 0xFE]
    #expect(TapBytes.UTF8.firstInvalid(in: bytes.span.bytes) == 0)
    #expect(TapBytes.UTF8.firstInvalid(in: bytes.span.bytes, from: 1) == 3)
    #expect(TapBytes.UTF8.firstInvalid(in: bytes.span.bytes, from: 4) == nil)
  }

  private func same(_ bytes: [UInt8]) {
    let found = TapBytes.UTF8.firstInvalid(in: bytes.span.bytes)
    if found != firstInvalid(bytes) {
      Issue.record("\(bytes): \(String(describing: found))")
    }
  }
}
