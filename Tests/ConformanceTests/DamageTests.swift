// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import Testing

/// Real captures, damaged and cut into chunks at random: what is reported stays true.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct DamageTests {
  /// `$WAMPTAP_DAMAGES` says how many damaged copies of each capture are made, of many more
  /// captures than usual.
  private static let asked = ProcessInfo.processInfo.environment["WAMPTAP_DAMAGES"].flatMap(
    UInt64.init)

  static let seeds: ClosedRange<UInt64> =
    1...max(
      (asked ?? 0) / UInt64(PcapFile.Damage.allCases.count), 1)

  static let usual = [
    "net-clean-clientside.pcap", "wamp-rpc-basic.pcap", "wamp-fragmented.pcap",
    "wamp-deflate-takeover.pcap", "browser-autobahnjs.pcap", "wamp-rawsocket-json.pcap",
    "tls12-gcm.pcap", "tls13-json-dsb.pcapng", "ws-over-http2-rfc8441.pcap",
  ]

  /// All that has a record or HTTP/2, but for those without a packet.
  static let files: [String] = {
    if asked == nil { return usual }
    let families = [
      "net-", "tls1", "lo-", "var-", "proxy-", "ws-over-http2", "browser-", "wamp-rawsocket",
      "xconn-",
    ]
    let all = Captures.all.filter { name in families.contains { name.hasPrefix($0) } }
    return Array(Set(all + usual).subtracting(["var-empty.pcap"])).sorted()
  }()

  @Test(arguments: files, PcapFile.Damage.allCases)
  func staysTrue(file: String, damage: PcapFile.Damage) throws {
    let victim = try DamagedCapture(file)
    #expect(!victim.intact.data.isEmpty)
    for seed in Self.seeds {
      var random = Seeded(seed)
      let damaged = victim.capture.damaged(damage, &random)
      let decoded = try Decoded(
        Self.cut(damaged.bytes, &random), keyLog: victim.keyLog)
      #expect(victim.complaints(about: decoded) == [], "seed \(seed)")
      if damage == .duplicateAndSwap && !Covered.others.contains(file) {
        #expect(decoded.data.count == victim.intact.data.count, "seed \(seed)")
      }
    }
  }

  private static func cut(_ bytes: [UInt8], _ random: inout Seeded) -> [[UInt8]] {
    let count = Int.random(in: 0...8, using: &random)
    let cuts = (0..<count).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
    return zip([0] + cuts, cuts + [bytes.count]).map { Array(bytes[$0..<$1]) }
  }
}
