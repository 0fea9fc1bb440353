// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

@testable import TapDialects

@Suite("Which serializer a message is in") struct WAMPSerializerTests {
  @Test(
    arguments: [
      (wire("[33,11,5]"), .json, false, .possible),
      (wire(" [ 1 , \"r\",{}]"), .json, false, .possible),
      (wire("[33,11,5]", 0x18), .json, true, .possible),
      (wire("[33,11,5]", 0x1E), .json, true, .possible),
      (wire(0x93, 33, 11, 5), .messagePack, false, .sure),
      (wire(0x93, 0xCC, 33, 11, 5), .messagePack, false, .sure),
      (wire(0xDC, 0, 3, 33, 11, 5), .messagePack, false, .sure),
      (wire(0xDD, 0, 0, 0, 3, 33, 11, 5), .messagePack, false, .sure),
      (wire(0x92, 0xCD, 1, 81, 7), .messagePack, false, .sure),
      (wire(0x83, 0x18, 33, 11, 5), .cbor, false, .sure),
      (wire(0x83, 1, 0x61, "r", 0xA0), .cbor, false, .sure),
      (wire(0x98, 3, 0x18, 33, 11, 5), .cbor, false, .sure),
      (wire(0x9F, 0x18, 33, 11, 5, 0xFF), .cbor, false, .possible),
      (wire(0xD9, 0xD9, 0xF7, 0x83, 0x18, 33, 11, 5), .cbor, false, .sure),
      (wire(0x82, 0x19, 1, 81, 7), .cbor, false, .sure),
      (wire("[U", 33, "U", 11, "U", 5, "]"), .ubjson, false, .possible),
      (wire("[#i", 3, "U", 33, "U", 11, "U", 5), .ubjson, false, .sure),
      (wire(0, 0, 0, 4, 0x93, 33, 11, 5), .messagePack, true, .sure),
      (wire(0, 0, 0, 5, 0x83, 0x18, 33, 11, 5, 0, 0, 0, 3, 0x82, 0x18, 35, 1), nil, false, .no),
      (wire(0, 0, 0, 5, 0x83, 0x18, 33, 11, 5, 0, 0, 0, 4, 0x82, 0x18, 35, 1), .cbor, true, .sure),
      (wire(0, 0, 0, 8, "[U", 33, "U", 1, "U", 5, "]"), .ubjson, true, .possible),
      (wire(0, 0, 0, 9, 0x93, 33, 11, 5), nil, false, .no),
      (wire(0, 0, 0, 4, 0x93, 33, 11, 5, 0, 0, 0, 5, 0x83, 0x18, 33, 11, 5), nil, false, .no),
      (wire(), nil, false, .no), (wire("hello"), nil, false, .no),
      (wire("[\"a\",1]"), nil, false, .no),
      (wire("[999,1]"), nil, false, .no), (wire("[1.5,1]"), nil, false, .no),
      (wire("[33]"), nil, false, .no), (wire(0x93, 99, 1, 1), nil, false, .no),
      (wire(0x97, 33, 1, 1), nil, false, .no), (wire(0x83, 0x63, "abc"), nil, false, .no),
      (wire("[Si", 1, "a]"), nil, false, .no), (wire(16, 0, 0, 0), nil, false, .no),
    ] as [([UInt8], WAMPSerializer?, Bool, WAMPSerializer.Likeness)])
  func recognised(
    octets: [UInt8], serializer: WAMPSerializer?, isBatched: Bool,
    likeness: WAMPSerializer.Likeness
  ) {
    let found = WAMPSerializer.recognise(octets.span.bytes)
    #expect(found?.serializer == serializer)
    #expect(found?.isBatched ?? false == isBatched)
    #expect(found?.likeness ?? .no == likeness)
  }
}
