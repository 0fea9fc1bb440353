// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import Testing

@testable import TapDialects

@Suite("WAMP in FlatBuffers") struct WAMPFlatBufferTests {
  private struct Outcome {
    var text: String?
    var fault: TranscodingFault?
    var peculiarities: [Peculiarity]

    init(_ octets: [UInt8], maximumBytes: Int = 1 << 20) {
      var message = WAMPFlatBuffer(maximumBytes: maximumBytes)
      var transcoder = Transcoder(maximumDepth: 16, maximumBytes: maximumBytes)
      var buffer = TextBuffer()
      let isWhole = message.transcode(octets.span.bytes, &transcoder, into: &buffer)
      let found = String(decoding: buffer.bytes.copied(), as: Unicode.UTF8.self)
      text = isWhole || !found.isEmpty ? found : nil
      (fault, peculiarities) = (message.fault, message.peculiarities)
    }
  }

  private static let cborArguments = FlatBufferNode.octets([0x82, 0x01, 0x61, 0x61])
  private static let cborKeywords = FlatBufferNode.octets([0xA1, 0x61, 0x6B, 0xF5])

  static let messages: [(tag: UInt8, fields: [Int: FlatBufferNode], text: String)] = [
    (
      1,
      [
        1: .table([0: .table([0: .u8(1), 5: .u8(0)]), 3: .table([:])]), 2: .string("realm1"),
        3: .octets([2, 4]), 4: .string("joe"), 6: .table([0: .string("k"), 1: .string("v")]),
      ],
      #"[1,"realm1",{"roles":{"publisher":{"features":{"publisher_identification":true,"#
        + #""payload_encryption_cryptobox":false}},"callee":{"features":{}}},"#
        + #""authmethods":["wampcra","cryptosign"],"authid":"joe","authextra":{"k":"v"}}]"#
    ),
    (
      2, [0: .u64(1 << 52), 2: .string("r"), 5: .u8(1), 8: .u8(1)],
      #"[2,4503599627370496,{"realm":"r","authmethod":"ticket","resumed":true}]"#
    ),
    (3, [1: .string("wamp.error.x"), 2: .string("no")], #"[3,{"message":"no"},"wamp.error.x"]"#),
    (4, [1: .u8(3)], #"[4,"scram",{}]"#),
    (5, [1: .string("s"), 2: .table([:])], #"[5,"s",{}]"#),
    (5, [1: .string("sig"), 2: .table([0: .string("a")])], #"[5,"sig",{"a":null}]"#),
    (6, [1: .string("bye")], #"[6,{},"bye"]"#),
    (
      8, [1: .u16(48), 2: .u64(7), 3: .string("a.b"), 4: cborArguments],
      #"[8,48,7,{},"a.b",[1,"a"]]"#
    ),
    (
      16,
      [
        1: .u64(9), 2: .string("com.t"), 4: cborKeywords, 10: .u8(1), 11: .u8(0),
        12: .naturals([1, 2]), 13: .list([.string("x"), .string("y")]),
        20: .list([.table([0: .u64(3), 2: .string("role")]), .table([:])]),
      ],
      #"[16,9,{"acknowledge":true,"exclude_me":false,"exclude":[1,2],"exclude_authid":["x","y"],"#
        + #""forward_for":[{"session":3,"authrole":"role"},{}]},"com.t",[],{"k":true}]"#
    ),
    (17, [1: .u64(9), 2: .u64(10)], "[17,9,10]"),
    (32, [1: .u64(1), 2: .string("com"), 3: .u8(1)], #"[32,1,{"match":"prefix"},"com"]"#),
    (32, [1: .u64(1), 2: .string("com")], #"[32,1,{},"com"]"#),
    (33, [1: .u64(11), 2: .u64(5_862_354)], "[33,11,5862354]"),
    (34, [1: .u64(1), 2: .u64(2)], "[34,1,2]"), (35, [1: .u64(1)], "[35,1]"),
    (35, [2: .u64(4), 3: .string("x.y")], #"[35,0,{"subscription":4,"reason":"x.y"}]"#),
    (
      36, [1: .u64(1), 2: .u64(2), 3: cborArguments, 4: cborKeywords, 10: .u64(5)],
      #"[36,1,2,{"publisher":5},[1,"a"],{"k":true}]"#
    ),
    (37, [1: .u64(77)], "[337,77]"),
    (
      48, [1: .u64(1), 2: .string("com.p"), 3: cborArguments, 10: .u32(5000), 11: .u8(1)],
      #"[48,1,{"timeout":5000,"receive_progress":true},"com.p",[1,"a"]]"#
    ),
    (
      48, [1: .u64(1), 2: .string("com.p"), 5: .octets([1, 2, 3]), 6: .u8(1), 9: .string("k1")],
      #"[48,1,{"ppt_scheme":"cryptobox","ppt_keyid":"k1"},"com.p","\u0000AQID"]"#
    ),
    (49, [1: .u64(1), 2: .u8(2)], #"[49,1,{"mode":"killnowait"}]"#),
    (49, [1: .u64(1)], #"[49,1,{"mode":"skip"}]"#),
    (50, [1: .u64(1), 2: cborArguments, 9: .u8(1)], #"[50,1,{"progress":true},[1,"a"]]"#),
    (
      50, [1: .u64(1), 2: .octets([0x91, 0x05]), 6: .u8(2)],
      #"[50,1,{"ppt_serializer":"msgpack"},[5]]"#
    ),
    (
      50, [1: .u64(1), 2: .octets(Array("[ 1, 2 ]".utf8)), 6: .u8(1)],
      #"[50,1,{"ppt_serializer":"json"},[1,2]]"#
    ),
    (64, [1: .u64(1), 2: .string("p"), 4: .u8(3)], #"[64,1,{"invoke":"roundrobin"},"p"]"#),
    (64, [1: .u64(1), 2: .string("p"), 4: .u8(9)], #"[64,1,{"invoke":9},"p"]"#),
    (65, [1: .u64(1), 2: .u64(2)], "[65,1,2]"), (66, [1: .u64(1), 2: .u64(2)], "[66,1,2]"),
    (67, [2: .u64(4)], #"[67,0,{"registration":4}]"#),
    (
      68, [1: .u64(1), 2: .u64(2), 10: .string("com.p"), 14: .u64(3)],
      #"[68,1,2,{"procedure":"com.p","caller":3}]"#
    ),
    (69, [1: .u64(1), 2: .u8(1), 3: .string("x")], #"[69,1,{"mode":"kill","reason":"x"}]"#),
    (70, [1: .u64(1), 3: cborKeywords], #"[70,1,{},[],{"k":true}]"#),
  ]

  @Test("every message of the schema", arguments: messages.indices)
  func message(index: Int) {
    let (tag, fields, text) = Self.messages[index]
    let octets = FlatBufferNode.message(tag, fields)
    let outcome = Outcome(octets)
    #expect(outcome.text == text)
    #expect(outcome.fault == nil)
    #expect(outcome.peculiarities == [])
    #expect(WAMPSerializer.recognise(octets.span.bytes)?.serializer == .flatBuffers)
  }

  @Test("a field without a place is reported") func unplaced() {
    let session = Outcome(FlatBufferNode.message(33, [0: .u64(4), 1: .u64(1), 2: .u64(2)]))
    #expect(session.text == "[33,1,2]")
    #expect(session.peculiarities.map(\.kind) == [.unplacedField])
    #expect(session.peculiarities.map(\.value) == [0])
    let later = Outcome(FlatBufferNode.message(33, [1: .u64(1), 2: .u64(2), 9: .u8(1)]))
    #expect(later.peculiarities.map(\.value) == [9])
  }

  @Test("arguments that cannot be read are shown as bytes") func unreadable() {
    for (serializer, octets) in [(3, [0x82, 0x01]), (0, [0x01, 0x02]), (5, [0x01]), (1, [0x7B])]
      as [(UInt8, [UInt8])]
    {
      let outcome = Outcome(
        FlatBufferNode.message(50, [1: .u64(1), 2: .octets(octets), 6: .u8(serializer)]))
      #expect(outcome.peculiarities.map(\.kind) == [.unreadablePart])
      #expect(outcome.text?.contains(#""\u0000"#) == true)
    }
  }

  @Test("what is wrong in the arguments is reported where it stands in the message") func parts() {
    let octets = FlatBufferNode.message(50, [1: .u64(1), 2: .octets([0x81, 0xF7])])
    let outcome = Outcome(octets)
    #expect(outcome.text == "[50,1,{},[null]]")
    #expect(
      outcome.peculiarities == [Peculiarity(.undefined, offset: octets.lastIndex(of: 0xF7)!)])
  }

  @Test("every beginning, and every byte changed, is a message or a fault") func damage() {
    var faults = 0
    for (tag, fields, text) in Self.messages {
      let octets = FlatBufferNode.message(tag, fields)
      for cut in 0..<octets.count {
        let outcome = Outcome(Array(octets[..<cut]))
        #expect((outcome.fault == nil) == (outcome.text != nil))
        if outcome.fault != nil { faults += 1 }
      }
      for at in octets.indices {
        for change: UInt8 in [1, 0xFF] {
          var damaged = octets
          damaged[at] ^= change
          let outcome = Outcome(damaged)
          #expect((outcome.fault == nil) == (outcome.text != nil), "\(text) \(at)")
          if outcome.fault != nil { faults += 1 }
          guard let text = outcome.text else { continue }
          var scanner = JSONScanner(maximumDepth: 64)
          let utf8 = ContiguousArray(text.utf8)
          let end = scanner.scan(utf8.span.bytes)
          #expect(end == utf8.count, "\(text)")
        }
      }
    }
    #expect(faults > 1000)
  }

  @Test("one string pointed at very often does not fill the memory") func bomb() {
    var octets = FlatBufferNode.message(
      16,
      [
        13: .list(
          [FlatBufferNode](repeating: .string(""), count: 500) + [
            .string(String(repeating: "x", count: 4000))
          ])
      ])
    // All offsets lead to the last string.
    let long = octets.count - 4000 - 5
    let first = (0..<octets.count - 4).first { at in
      octets[at] == 0xF5 && octets[at + 1] == 1 && octets[at + 2] == 0 && octets[at + 3] == 0
    }!
    for index in 0..<501 {
      let place = first + 4 + index * 4
      for octet in 0..<4 {
        octets[place + octet] = UInt8(truncatingIfNeeded: (long - place) >> (octet * 8))
      }
    }
    #expect(Outcome(octets, maximumBytes: 1 << 22).text?.utf8.count ?? 0 > 2_000_000)
    #expect(Outcome(octets, maximumBytes: 1 << 16).fault?.problem == .tooLarge)
  }
}
