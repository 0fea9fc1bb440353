// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import Testing

/// Ids that are the same, and ids that are not.
@Suite struct JSONIdentityTests {
  private func identity(_ text: String) -> UInt64 {
    let bytes = Array(text.utf8)
    let kind: JSONElement.Kind = text.hasPrefix("\"") ? .string : .number
    return JSONElement(kind, ByteRange(0, bytes.count)).identity(in: bytes.span.bytes)
  }

  @Test(
    "the same, written in other ways",
    arguments: [
      (#""\u017e\u0161-2""#, #""žš-2""#), (#""a\/1""#, #""a/1""#), (#""\u0061""#, #""a""#),
      (#""\ud83d\ude00""#, #""😀""#), (#""\"""#, #""\u0022""#), ("1", "1.0"), ("-7.00", "-7"),
    ])
  func same(one: String, other: String) { #expect(identity(one) == identity(other)) }

  @Test(
    "each is another id",
    arguments: [
      (#""1""#, "1"), (#""a\\1""#, #""a1""#), (#""\ud800""#, #""\ud801""#), (#""""#, #""\u0000""#),
      ("1", "1.5"), ("10", "1.0"), ("1.50", "1.5e0"), (#""1""#, "1.0"), (#""1.0""#, #""1""#),
    ])
  func different(one: String, other: String) { #expect(identity(one) != identity(other)) }
}
