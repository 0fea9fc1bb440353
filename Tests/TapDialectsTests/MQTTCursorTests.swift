// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapDialects

/// The fields of packets (MQTT 5.0 §1.5), each read by itself.
@Suite("The cursor of MQTT packets") struct MQTTCursorTests {
  enum Field: Sendable {
    case uint8, uint16, uint32, variable, prefixed

    /// The number; of what has a length ahead, its range.
    func read(_ bytes: RawSpan, _ cursor: inout MQTTCursor) -> String? {
      switch self {
      case .uint8: cursor.uint8(bytes, "x").map { "\($0)" }
      case .uint16: cursor.uint16(bytes, "x").map { "\($0)" }
      case .uint32: cursor.uint32(bytes, "x").map { "\($0)" }
      case .variable: cursor.variable(bytes, "x").map { "\($0)" }
      case .prefixed: cursor.prefixed(bytes, "x").map { "\($0.start)..<\($0.end)" }
      }
    }
  }

  struct Row: Sendable {
    var field: Field
    var hex: String
    var value: String
    /// Where the cursor stands behind it.
    var end: Int
  }

  @Test(
    "a field is read, and the next one begins behind it",
    arguments: [
      Row(field: .uint8, hex: "FF", value: "255", end: 1),
      Row(field: .uint16, hex: "01 02 03", value: "258", end: 2),
      Row(field: .uint32, hex: "FF FF FF FE", value: "4294967294", end: 4),
      Row(field: .variable, hex: "00", value: "0", end: 1),
      Row(field: .variable, hex: "7F 01", value: "127", end: 1),
      Row(field: .variable, hex: "80 01", value: "128", end: 2),
      Row(field: .variable, hex: "FF 7F", value: "16383", end: 2),
      Row(field: .variable, hex: "80 80 01", value: "16384", end: 3),
      Row(field: .variable, hex: "FF FF FF 7F", value: "268435455", end: 4),
      Row(field: .prefixed, hex: "00 00", value: "2..<2", end: 2),
      Row(field: .prefixed, hex: "00 02 61 62 63", value: "2..<4", end: 4),
    ])
  func whole(_ row: Row) {
    let bytes = MQTTPacketTests.bytes(row.hex)
    var cursor = MQTTCursor()
    #expect(row.field.read(bytes.span.bytes, &cursor) == row.value)
    #expect(cursor.at == row.end)
    #expect(cursor.isWhole)
    #expect(cursor.faults.all.isEmpty)
    // Each of its bytes is needed.
    for count in 0..<row.end {
      cursor.begin(at: 0)
      #expect(row.field.read(bytes.span.bytes.extracting(0..<count), &cursor) == nil)
      #expect(!cursor.isWhole)
      #expect(cursor.at == 0)
      #expect(cursor.faults.all.map(\.text) == ["it ends inside of x"])
    }
  }

  @Test("a variable byte integer of more than four bytes is malformed")
  func malformed() {
    var cursor = MQTTCursor()
    let bytes = MQTTPacketTests.bytes("80 80 80 80 01")
    #expect(cursor.variable(bytes.span.bytes, "x") == nil)
    #expect(!cursor.isWhole)
    #expect(cursor.faults.all.map(\.text) == ["x has more than four bytes"])
  }

  @Test("one that could be shorter is read, with a warning", arguments: ["80 00", "81 80 00"])
  func padded(_ hex: String) {
    var cursor = MQTTCursor()
    let bytes = MQTTPacketTests.bytes(hex)
    #expect(cursor.variable(bytes.span.bytes, "x") == (hex == "80 00" ? 0 : 1))
    #expect(cursor.isWhole)
    #expect(cursor.at == bytes.count)
    #expect(cursor.faults.all.map(\.severity) == [.warning])
  }

  @Test("fields follow each other, and another packet forgets the faults")
  func sequence() {
    var cursor = MQTTCursor()
    let bytes = MQTTPacketTests.bytes("10 05 00 01 61 00 07 09")
    cursor.begin(at: 2)
    #expect(cursor.prefixed(bytes.span.bytes, "a") == ByteRange(4, 5))
    #expect(cursor.uint16(bytes.span.bytes, "b") == 7)
    #expect(cursor.uint16(bytes.span.bytes, "c") == nil)
    #expect(cursor.faults.all.map(\.text) == ["it ends inside of c"])
    cursor.begin(at: 7)
    #expect(cursor.isWhole && cursor.faults.all.isEmpty)
    #expect(cursor.uint8(bytes.span.bytes, "d") == 9)
  }
}
