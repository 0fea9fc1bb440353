// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate
import TapTesting
import Testing

private func gunzip(_ pieces: [[UInt8]]) throws -> (text: String, end: GunzipReader.Outcome) {
  let reader = try #require(GunzipReader())
  var text: [UInt8] = []
  for piece in pieces {
    let piece = ContiguousArray(piece)
    let outcome = reader.receive(piece.span.bytes) { text += $0.copied() }
    if outcome != .fine { return (String(decoding: text, as: Unicode.UTF8.self), outcome) }
  }
  return (String(decoding: text, as: Unicode.UTF8.self), reader.finish())
}

@Suite struct GunzipReaderTests {
  /// One member whose content is stored, from the builder that all tests use.
  private let plain = CaptureBuilder.gzip(Array("Hello".utf8))

  @Test func members() throws {
    #expect(try gunzip([plain]) == ("Hello", .fine))
    #expect(try gunzip([plain + plain]) == ("HelloHello", .fine))
    #expect(try gunzip([plain + [0, 0, 0]]) == ("Hello", .fine))
    #expect(try gunzip([plain + [0] + plain]) == ("HelloHello", .fine))
    #expect(try gunzip([plain + [7, 7]]).end == .damaged(offset: UInt64(plain.count + 2)))
  }

  /// FEXTRA, FNAME, FCOMMENT (RFC 1952 §2.3.1), and a block with fixed Huffman codes.
  @Test func optionalFields() throws {
    let member = wire(
      0x1F, 0x8B, 8, 0x1C, 0, 0, 0, 0, 0, 3, 2, 0, "xy", "name", 0, "comment", 0,
      0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x82, 0x89, 0xD1, 0xF7, 5, 0, 0, 0)
    #expect(try gunzip([member]) == ("Hello", .fine))
  }

  @Test func everyCut() throws {
    let file = plain + plain
    let reported = difference(forEveryCutOf: file) { pieces in
      (try? gunzip(pieces)).map { "\($0.text) \($0.end)" } ?? "none"
    }
    #expect(reported == nil)
  }

  @Test func truncatedAtEveryByte() throws {
    for count in 1..<plain.count {
      #expect(try gunzip([Array(plain[..<count])]).end == .truncated(offset: UInt64(count)))
    }
  }

  @Test func checksumIsChecked() throws {
    var file = plain
    file[file.count - 8] ^= 1
    let reported = try gunzip([file])
    #expect(reported.text == "Hello")
    #expect(reported.end == .damaged(offset: UInt64(plain.count - 4)))
  }
}
