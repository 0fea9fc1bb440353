// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

/// One message in MessagePack, CBOR, UBJSON or BJData, in every way to write bytes.
@Suite("Serialized messages") struct SerializedInputTests {
  /// `[33,11,5862354]`, as msgpack, cbor2, py-ubjson and bjdata of Python write it, and
  /// `[35,1]`, the shortest.
  static let messages: [[UInt8]] = [
    [0x93, 0x21, 0x0B, 0xCE, 0x00, 0x59, 0x73, 0xD2],
    [0x83, 0x18, 0x21, 0x0B, 0x1A, 0x00, 0x59, 0x73, 0xD2],
    [0x5B, 0x55, 0x21, 0x55, 0x0B, 0x6C, 0x00, 0x59, 0x73, 0xD2, 0x5D],
    [0x5B, 0x55, 0x21, 0x55, 0x0B, 0x6D, 0xD2, 0x73, 0x59, 0x00, 0x5D],
    [0x82, 0x18, 0x23, 0x01],
    [0x5B, 0x23, 0x69, 0x02, 0x69, 0x23, 0x69, 0x21],
  ]

  static func notations(_ bytes: [UInt8]) -> [(kind: String, text: [UInt8])] {
    let pairs = bytes.map(hex)
    let apart = pairs.joined(separator: " ")
    let list = pairs.map { "0x" + $0 }.joined(separator: ", ")
    let texts = [
      ("hex", apart), ("hex", pairs.joined()), ("hex", "0x" + pairs.joined()),
      ("hex", list), ("c-array", "{\(list)}"), ("c-array", "[\(list)]"),
      ("escaped", pairs.map { "\\x" + $0 }.joined()),
      ("escaped", "b'" + pairs.map { "\\x" + $0 }.joined() + "'"),
      ("dump", Dump.xxd(bytes)),
    ]
    return texts.map { ($0.0, Array($0.1.utf8)) } + [("frames", bytes)]
  }

  @Test("every notation stands for the message", arguments: messages)
  func octets(_ bytes: [UInt8]) {
    for (kind, text) in Self.notations(bytes) {
      let read = read([text])
      #expect(read.kind == kind, "\(String(decoding: text, as: Unicode.UTF8.self))")
      #expect(read.sink.messages.map(\.bytes) == [bytes])
      #expect(read.sink.refusals == [])
      #expect(difference(forEveryCutOf: text) { TapInputsTests.read($0).sink.lines } == nil)
    }
  }

  @Test("base64", arguments: ["kyELzgBZc9I=", "gxghCxoAWXPS", "W1UhVQtsAFlz0l0=", "kyELzgBZc9I"])
  func base64(_ text: String) {
    let read = read([Array(text.utf8)])
    #expect(read.kind == "base64")
    #expect(read.sink.messages.count == 1)
  }

  @Test("large ones are held until they are whole")
  func large() {
    // [48,1,{},"com.x",["xx…"]]
    let count = 300_000
    var bytes: [UInt8] = [0x95, 0x30, 0x01, 0x80, 0xA5] + Array("com.x".utf8)
    bytes += [0x91, 0xDB] + [UInt8(0), 4, 0x93, 0xE0] + [UInt8](repeating: 0x78, count: count)
    let text = Array(bytes.map(hex).joined().utf8)
    #expect(read([bytes]).sink.messages.map(\.bytes) == [bytes])
    #expect(read([text]).sink.messages.map(\.bytes) == [bytes])
    #expect(read([Array(text.dropLast(2))]).sink.messages.isEmpty)
  }

  @Test(
    "bytes that are something else, with what they are",
    arguments: [
      ("93 21 0b ce 00 59 73", "the beginning of a list in MessagePack, whose end is missing"),
      ("93 21 0b ce 00 59 73 d2 00", "a list in MessagePack, and 1 byte behind its end"),
      ("82 a1 61 01 a1 62 02", "an object in MessagePack, and no message"),
      ("a2 61 61 01 61 62 02", "an object in CBOR, and no message"),
      ("93 a1 61 01 02", "a list in MessagePack, and no message"),
    ])
  func others(_ text: String, _ what: String) throws {
    let sink = read([Array(text.utf8)]).sink
    #expect(sink.messages.isEmpty)
    #expect(try #require(sink.refusals.first).hasSuffix(what))
  }

  @Test(
    "frames, text and packets of MQTT come first",
    arguments: [
      // A frame that is whole, and a list of CBOR from its first byte to the last.
      "82 18 40 76 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61",
      "81 02 5b 5d", "5b 33 35 2c 31 5d", "82 06 00 01 00 01 61 00",
    ])
  func first(_ text: String) {
    let sink = read([Array(text.utf8)]).sink
    #expect(sink.messages.allSatisfy { $0.delivery.kind != .binary })
    #expect(sink.refusals == [])
  }

  @Test(
    "words and numbers",
    arguments: ["language", "libudev-zero", "922301", "graphics", "libre-chat"])
  func words(_ text: String) {
    #expect(["unknown", "log"].contains(read([Array(text.utf8)]).kind))
  }
}
