// SPDX-License-Identifier: Apache-2.0
import TapTesting
import Testing

/// Every message comes out as exactly what the endpoint wrote down, in order.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct ExactnessTests {
  @Test func everyCaptureOfTheFamiliesIsListed() {
    let inFamilies = Captures.names.filter { name in
      Covered.families.contains { name.hasPrefix($0) }
    }
    let listed = Covered.all.map(\.file)
    #expect(Set(listed).count == listed.count)
    #expect(Set(inFamilies) == Set(listed).union(Covered.others))
    #expect(Covered.all.count >= 67)
    #expect(Covered.all.reduce(0) { $0 + $1.messages * $1.hops } >= 6005)
  }

  @Test(arguments: Covered.all)
  func exact(capture: Covered.Capture) throws {
    let decoded = try Decoded(capture: capture.file)
    let records = try Record.all(capture.base)
    #expect(!records.isEmpty)
    for record in records {
      #expect(record.count == capture.messages, "\(record.name)")
      let pairing = Pairing(decoded, record)
      #expect(pairing.complaints == [], "\(record.name)")
      #expect(pairing.pairs.count == capture.messages * capture.hops, "\(record.name)")
      #expect(pairing.hops.count == record.legs.count, "\(record.name): some leg was not told")
      #expect(pairing.hops.values.allSatisfy { $0 == capture.hops }, "\(pairing.hops)")
    }
  }

  @Test(arguments: Covered.all)
  func wholeStory(capture: Covered.Capture) throws {
    let decoded = try Decoded(capture: capture.file)
    #expect(decoded.messages.map(\.index) == Array(1...decoded.messages.count))
    #expect(decoded.summary["messages"]?.int == decoded.messages.count)
    #expect(decoded.summary["connections"]?.int == decoded.connections.count)
    #expect(decoded.payload.captured == decoded.payload.accounted)
    for (number, connection) in decoded.connections {
      #expect(connection.states.first == "opened", "\(number)")
      #expect(connection.states.count == 2, "\(number): \(connection.states)")
    }
    // Undamaged: nothing was lost. (The cut record of var-cut-file is an acknowledgement.)
    #expect(decoded.summary["lost"]?["bytes"]?.int == 0)
    #expect(decoded.summary["lost"]?["messages"]?.int == 0)
    for lie in [
      "tcp.gap", "tcp.midstream", "websocket.resynchronised", "websocket.context-lost",
      "wamp.ubjson-ambiguous", "wamp.beyond-json", "wamp.invalid-utf8",
      "rawsocket.resynchronised", "tls.resynchronised", "tls.record-unopened", "tls.key-missing",
    ] {
      #expect(!decoded.findings.contains(lie), "\(lie)")
    }
    // Its record has a message that gives one option twice.
    let hasDouble = capture.base.hasPrefix("wamp-protocol-violations")
    #expect(decoded.findings.contains("wamp.duplicate-key") == hasDouble)
  }
}
