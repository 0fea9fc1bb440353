// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Sessions by polling come out as the client's library wrote them down.
struct PollingTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "samples")

  @Test(arguments: [
    // The client polls once more behind its DISCONNECT.
    ("socketio/polling", "input.pcap", ["engineio.bad-request"]),
    ("engineio/polling-revision-3", "input.pcap.gz", []), ("engineio/jsonp", "input.pcap", []),
  ])
  func exact(sample: String, input: String, findings: [String]) throws {
    let folder = Self.root.appending(path: sample)
    let decoded = try Decoded(
      [Array(Data(contentsOf: folder.appending(path: input)))], name: input)
    var record = SocketIOTests.Record()
    let lines = try String(contentsOf: folder.appending(path: "client.jsonl"), encoding: .utf8)
    for line in lines.split(separator: "\n") {
      try record.add(ValueReader.read(Array(line.utf8)))
    }
    for (direction, wanted) in record.wanted {
      let reported = decoded.messages.filter {
        $0.direction == direction && ["engineio", "socketio"].contains($0.dialect)
      }.map { SocketIOTests.Wanted(name: $0.name, body: $0.body) }
      // Libraries do not write down the OPEN that they take out of the first body.
      let opens = reported.first?.name == "OPEN" && wanted.first?.name != "OPEN"
      #expect(Array(opens ? reported.dropFirst() : reported[...]) == wanted, "\(direction)")
    }
    #expect(decoded.payload.captured == decoded.payload.accounted)
    #expect(decoded.connections.count == 1)
    #expect(decoded.findings == findings)
  }
}
