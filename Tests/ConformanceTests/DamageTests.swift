// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Real captures, damaged at random: what is told stays true.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct DamageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var damage: PcapFile.Damage
    var seed: UInt64

    var testDescription: String { "\(file) \(damage) \(seed)" }
  }

  /// `$WAMPTAP_DAMAGE_SEEDS` asks for more than the usual two of each kind.
  static let seeds: ClosedRange<UInt64> = {
    let asked = ProcessInfo.processInfo.environment["WAMPTAP_DAMAGE_SEEDS"].flatMap(UInt64.init)
    return 1...max(asked ?? 2, 1)
  }()

  static let cases: [Case] = [
    "net-clean-clientside.pcap", "wamp-rpc-basic.pcap", "wamp-fragmented.pcap",
    "wamp-deflate-takeover.pcap", "wamp-pipelined-calls.pcap", "browser-autobahnjs.pcap",
    "wamp-rawsocket-json.pcap", "tls12-gcm.pcap", "tls13-json.pcap",
  ].flatMap { file in
    PcapFile.Damage.allCases.flatMap { damage in
      seeds.map { Case(file: file, damage: damage, seed: $0) }
    }
  }

  @Test(arguments: cases)
  func staysTrue(damage: Case) throws {
    let file = try PcapFile(Captures.bytes(of: Captures.path(damage.file)))
    var random = Seeded(damage.seed)
    let keyLog = try Captures.keyLog(of: damage.file)
    let decoded = try Decoded([file.damaged(damage.damage, &random).bytes], keyLog: keyLog)
    let intact = try Decoded([file.bytes], keyLog: keyLog)
    // Between the client and the router of TLS 1.2 stands a proxy.
    let side = damage.file.hasPrefix("tls12") ? "client" : "router"
    let record = try #require(try Record(Record.base(damage.file), side: side))

    #expect(Pairing.strangers(in: decoded, record) == [])
    #expect(decoded.payload.captured == decoded.payload.accounted)
    for (number, connection) in decoded.connections {
      #expect(connection.states.count == 2, "\(number): \(connection.states)")
      #expect(connection.states.first == "opened", "\(number)")
      #expect(["closed", "unfinished"].contains(connection.states.last), "\(number)")
    }
    #expect(decoded.messages.map(\.index) == Array(1..<decoded.messages.count + 1))
    #expect(decoded.summary["messages"]?.int == decoded.messages.count)
    if damage.damage == .duplicateAndSwap {
      #expect(decoded.data.count == intact.data.count)
    }
    // Never a subject or an exchange that is not that of the same message in the whole capture.
    var same: [String: [Told]] = [:]
    for told in intact.data { same[key(told, intact), default: []].append(told) }
    var wholes: [Int: Told] = [:]
    for told in decoded.data {
      let candidates =
        told.isPartial
        ? intact.data.filter { told.fits($0.octets) } : same[key(told, decoded)] ?? []
      wholes[told.index] = candidates.first
      if let answers = told.answers { #expect(answers < told.index, "\(told.line)") }
      if let carries = told.carries { #expect(carries < told.index, "\(told.line)") }
      if let subject = told.subject {
        #expect(candidates.contains { $0.subject == subject }, "\(subject): \(told.line)")
      }
      guard candidates.count == 1, let whole = candidates.first else { continue }
      if let request = told.answers.flatMap({ wholes[$0] }) {
        #expect(whole.answers == request.index, "\(told.line)")
      }
      if let publish = told.carries.flatMap({ wholes[$0] }), whole.carries != nil {
        #expect(whole.carries == publish.index, "\(told.line)")
      }
    }
  }

  /// Bodies carry ids, so that hardly two messages of one direction are the same.
  private func key(_ told: Told, _ decoded: Decoded) -> String {
    (decoded.connections[told.connection]?.name ?? "") + told.direction
      + String(decoding: told.octets, as: UTF8.self)
  }
}
