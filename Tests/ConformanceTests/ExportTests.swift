// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// Every message of every export comes out as the endpoints wrote it down, and none besides.
@Suite(.enabled(if: Exported.areThere, "\(Captures.absence)"))
struct ExportTests {
  @Test(arguments: Exported.all)
  func exact(export: Exported) throws {
    let decoded = try Decoded([export.bytes()], name: export.file)
    let records = try Record.all(export.record)
    #expect(records.count == 2)
    for record in records {
      #expect(record.count == export.messages, "\(record.name)")
      #expect(complaints(about: decoded, record) == [], "\(record.name)")
    }
    #expect(decoded.data.count == export.messages)
    #expect(decoded.findings.allSatisfy { $0.hasPrefix("wamp.") }, "\(decoded.findings)")
    #expect(decoded.data.allSatisfy { $0.time != nil && $0.packet > 0 })
    #expect(decoded.messages.map(\.index) == Array(1...decoded.messages.count))
    let times = decoded.messages.compactMap(\.time)
    #expect(times == times.sorted())
    #expect(decoded.summary["connections"]?.int == decoded.connections.count)
  }

  /// What an export tells is reported again when it is read from our own NDJSON.
  @Test(arguments: Exported.all)
  func again(export: Exported) throws {
    let once = try Decoded([export.bytes()], name: export.file)
    let again = try Decoded([once.text], name: "again")
    #expect(again.messages.count == once.messages.count)
    for (one, other) in zip(once.messages, again.messages) {
      #expect(one.octets == other.octets && one.name == other.name && one.time == other.time)
      #expect(one.connection == other.connection && one.direction == other.direction)
      #expect(one.subject == other.subject && one.answers == other.answers)
    }
    #expect(
      again.connections.values.map(\.name).sorted() == once.connections.values.map(\.name).sorted())
  }

  @Test(arguments: Exported.all)
  func randomCuts(export: Exported) throws {
    let bytes = try export.bytes()
    let whole = Decoded.render([bytes], export.file)
    for seed in 1...3 {
      var random = Seeded(UInt64(seed))
      var pieces: [[UInt8]] = []
      var start = 0
      while start < bytes.count {
        let end = min(
          start + Int.random(in: 0...[7, 900, 40_000][seed - 1], using: &random), bytes.count)
        pieces.append(Array(bytes[start..<end]))
        start = end
      }
      #expect(Decoded.render(pieces, export.file) == whole, "seed \(seed)")
    }
  }

  /// Cut anywhere, nothing is reported that was not reported of all of it.
  @Test(arguments: Exported.all.filter { !$0.file.hasSuffix(".gz") })
  func cutAnywhere(export: Exported) throws {
    let bytes = try export.bytes()
    let all = try Decoded([bytes], name: export.file).data.map(\.octets)
    var random = Seeded(11)
    for _ in 0..<60 {
      let cut = Int.random(in: 1..<bytes.count - 1, using: &random)
      let reported = try Decoded([Array(bytes[..<cut])], name: export.file).data.map(\.octets)
      #expect(reported.count <= all.count && reported.allSatisfy { all.contains($0) }, "\(cut)")
    }
  }

  /// The members of a HAR in any order, spaced and escaped in any way.
  @Test(arguments: Exported.all.filter { $0.file.hasSuffix(".har") })
  func rewritten(export: Exported) throws {
    let value = try ValueReader.read(export.bytes())
    let expected = try Decoded([export.bytes()], name: export.file)
    for seed in 1...8 as ClosedRange<UInt64> {
      var writer = ValueWriter(seed)
      writer.append(value)
      let decoded = try Decoded([writer.bytes], name: export.file)
      #expect(decoded.findings == expected.findings)
      let reported = decoded.messages.map {
        [$0.octets, Array("\($0.connection) \($0.line)".utf8)]
      }
      #expect(
        reported
          == expected.messages.map { [$0.octets, Array("\($0.connection) \($0.line)".utf8)] })
      #expect(decoded.connections.values.map(\.name) == expected.connections.values.map(\.name))
    }
  }

  /// Chromium's default leaves the bytes out: that is said, and nothing guessed.
  @Test func netLogWithoutBytes() throws {
    let bytes = try Captures.bytes(of: Exported.path("browser-autobahnjs.netlog.json.gz"))
    let decoded = try Decoded([bytes], name: "netlog")
    #expect(decoded.findings == ["netlog.no-bytes"])
    #expect(decoded.messages.isEmpty && decoded.connections.isEmpty)
  }

  @Test func everyExportIsListed() throws {
    let names = try Exported.names()
    let listed = Exported.all.map(\.file) + ["browser-autobahnjs.netlog.json.gz"]
    #expect(names.filter { $0.contains(/\.(har|flow|netlog\.json\.gz)$/) } == listed.sorted())
  }

  /// What does not agree; connections are told apart by the session that the router gave.
  private func complaints(about decoded: Decoded, _ record: Record) -> [String] {
    var complaints: [String] = []
    for (number, _) in decoded.connections.sorted(by: { $0.key < $1.key }) {
      let messages = decoded.data.filter { $0.connection == number }
      guard let leg = record.leg(of: "", messages) else {
        complaints.append("#\(number) is on no leg of the record")
        continue
      }
      for direction in ["toServer", "toClient"] {
        let reported = messages.filter { $0.direction == direction }
        let rows = record.rows(leg, direction)
        if reported.count != rows.count {
          complaints.append(
            "#\(number): \(reported.count) messages where \(rows.count) were recorded")
        }
        for (message, row) in zip(reported, rows) {
          if let complaint = row.complaint(about: message) {
            complaints.append("\(complaint): \(message.line)")
          }
        }
      }
    }
    return complaints
  }
}
