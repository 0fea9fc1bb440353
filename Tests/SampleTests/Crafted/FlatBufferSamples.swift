// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// WAMP in FlatBuffers, as Autobahn lays it out.
extension Crafted {
  static let flatBuffers = [Crafted("wamp/flatbuffers/input.pcap", flatBuffersTalk)]

  private typealias Fields = [Int: FlatBufferNode]

  private static func flatBuffersTalk() -> [UInt8] {
    // Lists and dictionaries of arguments are CBOR unless a field says otherwise.
    let hi = FlatBufferNode.octets(wire(0x81, 0x62, "hi"))
    let sum = FlatBufferNode.octets(wire(0x82, 0x17, 0x18, 99))
    let karma = FlatBufferNode.octets(wire(0xA1, 0x65, "karma", 10))
    let features = FlatBufferNode.table([0: .u8(1)])
    let messages: [(Direction, UInt8, Fields)] = [
      (
        .toServer, 1,
        [
          1: .table([1: .table([:]), 2: features]), 2: .string("chat"), 3: .octets([1]),
          4: .string("joe"),
        ]
      ),
      (.toClient, 4, [1: .u8(1)]), (.toServer, 5, [1: .string("secret!!!")]),
      (
        .toClient, 2,
        [
          0: .u64(1_002_783_120_652_702), 1: .table([0: .table([:]), 1: .table([:])]),
          2: .string("chat"), 3: .string("joe"), 4: .string("user"), 5: .u8(1),
        ]
      ),
      (.toServer, 32, [1: .u64(1), 2: .string("com.chat"), 3: .u8(1)]),
      (.toClient, 33, [1: .u64(1), 2: .u64(5_862_354)]),
      (.toClient, 36, [1: .u64(5_862_354), 2: .u64(71), 3: hi, 13: .string("com.chat.message")]),
      (.toServer, 48, [1: .u64(2), 2: .string("com.math.add"), 3: sum, 10: .u32(5000)]),
      (.toClient, 50, [1: .u64(2), 2: .octets([0x81, 0x18, 122]), 3: karma]),
      (.toServer, 48, [1: .u64(3), 2: .string("com.user.ban")]),
      (
        .toClient, 8,
        [1: .u16(48), 2: .u64(3), 3: .string("wamp.error.not_authorized"), 4: hi]
      ),
      // A list that ends too early, and a table that does.
      (.toServer, 16, [1: .u64(4), 2: .string("com.chat.message"), 3: .octets([0x82, 1])]),
      (.toServer, 34, [1: .u64(5), 2: .u64(5_862_354)]), (.toClient, 35, [1: .u64(5)]),
      (.toServer, 6, [1: .string("wamp.close.close_realm")]),
      (.toClient, 6, [1: .string("wamp.close.goodbye_and_out")]),
    ]
    var talk = Dialogue()
    talk.open("wamp.2.flatbuffers")
    for (direction, tag, fields) in messages {
      talk.frame(direction, opcode: 2, FlatBufferNode.message(tag, fields))
    }
    talk.close()
    var cut = Dialogue.from(50_001)
    cut.open("wamp.2.flatbuffers")
    cut.frame(
      .toServer, opcode: 2,
      Array(FlatBufferNode.message(32, [1: .u64(1), 2: .string("com.chat")]).dropLast(6)))
    cut.close()
    var late = Dialogue.from(50_002)
    late.open("wamp.2.flatbuffers")
    late.dropAll()
    for (direction, tag, fields) in messages[7...8] {
      late.frame(direction, opcode: 2, FlatBufferNode.message(tag, fields))
    }
    late.close()
    return Dialogue.pcap([talk, cut, late])
  }
}
