// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// What is not in the file is never made up, and what is there is not dropped in silence.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct HoleTests {
  static let damaged = [
    "net-snaplen96.pcap", "var-cut-file.pcap", "var-cut-file.pcapng", "var-lost-packets.pcap",
    "var-lost-packets-deflate.pcap", "var-midstream-no-handshake.pcap",
    "var-one-direction-from-client.pcap",
  ]

  @Test(arguments: damaged)
  func nothingThatNobodySent(file: String) throws {
    let decoded = try Decoded(capture: file)
    let records = try Record.all(Record.base(file))
    #expect(records.count == 2)
    for record in records { #expect(Pairing.strangers(in: decoded, record) == []) }
    #expect(decoded.messages.map(\.index) == Array(1..<decoded.messages.count + 1))
    #expect(decoded.summary["messages"]?.int == decoded.messages.count)
    for (number, connection) in decoded.connections {
      #expect(connection.states.first == "opened", "\(number)")
      #expect(connection.states.count == 2, "\(number): \(connection.states)")
    }
  }

  @Test(arguments: damaged)
  func everyOctetIsAccountedFor(file: String) throws {
    let decoded = try Decoded(capture: file)
    #expect(decoded.payload.captured != nil)
    #expect(decoded.payload.captured == decoded.payload.accounted)
    #expect(!decoded.findings.isEmpty)
  }

  /// Reported are exactly the messages that the file still has whole.
  @Test(arguments: [
    "var-cut-file.pcapng", "var-lost-packets.pcap", "var-midstream-no-handshake.pcap",
    "var-one-direction-from-client.pcap",
  ])
  func survivors(file: String) throws {
    let whole = try survivors(of: file, "messages_with_all_bytes_present")
    #expect(try Decoded(capture: file).data.count == whole)
  }

  /// After a hole the context of the compression is lost: of what came before all is known, of the
  /// rest what it does not take from the hole.
  @Test func survivorsOfCompression() throws {
    let file = "var-lost-packets-deflate.pcap"
    let before = try survivors(of: file, "messages_before_first_hole_of_their_direction")
    let whole = try survivors(of: file, "messages_with_all_bytes_present")
    let decoded = try Decoded(capture: file)
    #expect(decoded.data.count == whole)
    #expect(decoded.data.filter { !$0.isPartial }.count == before)
    #expect(decoded.findings.filter { $0 == "websocket.context-lost" }.count == whole - before)
  }

  /// Of 96 bytes of a packet 30 are left for the payload, and each packet of these messages has
  /// one frame: those that fit are reported.
  @Test func survivorsOfSnapLength() throws {
    let record = try #require(try Record("net-snaplen96", side: "router"))
    let whole = record.legs.values.joined().filter { row in
      (row.length ?? 0) + (row.direction == "toServer" ? 6 : 2) <= 30
    }
    #expect(whole.count == 17)
    #expect(try Decoded(capture: "net-snaplen96.pcap").data.count == whole.count)
  }

  private func survivors(of file: String, _ key: String) throws -> Int {
    let path = try #require(Captures.truth(Record.base(file) + ".survivors.json"))
    return try #require(try ValueReader.read(Captures.bytes(of: path))[key]?.int)
  }
}
