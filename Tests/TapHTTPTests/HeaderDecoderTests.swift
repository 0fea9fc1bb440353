// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapHTTP

@Suite struct HeaderDecoderTests {
  /// A field with a byte string for a value, which goes into the table (RFC 7541 §6.2.1).
  private static func field(_ name: String, _ value: [UInt8]) -> [UInt8] {
    [0x40, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.count)] + value
  }

  /// Values need not be UTF-8 (RFC 9110 §5.5): the table has as many of them as the sender's.
  @Test(arguments: [nil, 4000, 1500, 100]) func valuesOfLatin1(size: Int?) throws {
    var decoder = HeaderDecoder(limits: Limits())
    // RFC 7541 §4.1: each entry has 32 bytes beside its name and value.
    let count = (size ?? 4096) / (32 + 1 + 60)
    var block: [UInt8] = []
    if let size {
      var rest = size - 31
      block = [0x3F]
      while rest >= 0x80 {
        block.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      block.append(UInt8(rest))
    }
    _ = decoder.fields(block)
    for number in 0..<count {
      let value = [UInt8](repeating: 0xE9, count: 58) + Array("\(10 + number)".utf8)
      _ = decoder.fields(Self.field("x", value))
    }
    // The oldest is the last of the table, behind the 61 of the static one.
    let oldest = decoder.fields([0x80 | UInt8(61 + count)])
    let fields = try #require(oldest)
    #expect(fields.map(\.name) == ["x"])
    #expect(fields[0].value.suffix(2) == Array("10".utf8))
    #expect(!decoder.isLost)
  }
}
