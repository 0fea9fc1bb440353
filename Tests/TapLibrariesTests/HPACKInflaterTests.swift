// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import Testing

@Suite struct HPACKInflaterTests {
  private func text(_ fields: [HPACKInflater.Field]?) -> [String]? {
    fields?.map {
      "\(String(decoding: $0.name, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))"
    }
  }

  /// RFC 7541 §C.4: Huffman coding, and fields that refer to those of the section before.
  @Test func sections() throws {
    let inflater = try #require(HPACKInflater())
    let first: [UInt8] = [
      0x82, 0x86, 0x84, 0x41, 0x8C, 0xF1, 0xE3, 0xC2, 0xE5, 0xF2, 0x3A, 0x6B, 0xA0, 0xAB, 0x90,
      0xF4, 0xFF,
    ]
    let second: [UInt8] = [0x82, 0x86, 0x84, 0xBE, 0x58, 0x86, 0xA8, 0xEB, 0x10, 0x64, 0x9C, 0xBF]
    let request = [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"]
    #expect(text(inflater.fields(first, most: 1000)) == request)
    #expect(text(inflater.fields(second, most: 1000)) == request + ["cache-control: no-cache"])
    #expect(text(inflater.fields([], most: 1000)) == [])
  }

  /// Few bytes may refer to many: what they amount to is bounded.
  @Test func amplification() throws {
    let inflater = try #require(HPACKInflater())
    let value = [UInt8](repeating: 0x61, count: 100)
    #expect(inflater.fields([0x40, 1, 0x78, 100] + value, most: 133) != nil)
    #expect(inflater.fields([0xBE, 0xBE], most: 266) != nil)
    #expect(inflater.fields([0xBE, 0xBE, 0xBE], most: 398) == nil)
  }

  /// An index that is nowhere, an integer without its end, a table larger than was allowed.
  @Test(arguments: [[0xFF, 0x7F], [0x40, 0x0A, 0x63], [0x3F, 0xE2, 0x1F]] as [[UInt8]])
  func broken(_ block: [UInt8]) throws {
    let inflater = try #require(HPACKInflater())
    #expect(inflater.fields(block, most: 1000) == nil)
  }

  @Test func allowed() throws {
    let inflater = try #require(HPACKInflater())
    inflater.allow(8192)
    #expect(inflater.fields([0x3F, 0xE2, 0x1F], most: 1000)?.isEmpty == true)
  }
}
