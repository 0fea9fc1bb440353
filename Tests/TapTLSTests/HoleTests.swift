// SPDX-License-Identifier: Apache-2.0
import TapTLS
import TapTesting
import TapTraffic
import Testing

/// Holes cost what is in them; nothing is ever made up.
@Suite struct HoleTests {
  /// Whichever records are missing, what is reported was sent, in this order, and what was captured
  /// whole behind the hole is reported.
  @Test func anyTwoRecords() {
    let texts = (0..<8).map { "<\($0)\(String(repeating: "x", count: $0 * 7))>" }
    for first in 0..<texts.count {
      for second in first..<texts.count {
        let link = TLSConversation()
        link.shakeHands()
        for (number, text) in texts.enumerated() {
          let record = link.record(.toServer, text)
          if number == first || number == second {
            link.gap(.toServer, record.count)
          } else {
            link.send(.toServer, record)
          }
        }
        link.finish()
        let expected = texts.enumerated().filter { $0.offset != first && $0.offset != second }
        #expect(link.text(.toServer) == expected.map(\.element).joined())
        #expect(link.isAccounted, "\(first) \(second)")
        if second < texts.count - 1 {
          #expect(link.recorder.codes.contains("tls.resynchronised"))
          #expect(!(link.chooser.all.first?.gaps.isEmpty ?? true))
        }
      }
    }
  }

  /// What is tried is bounded for a connection, whatever its holes; more traffic gives more leave.
  @Test func trialsAreBounded() {
    var limits = Limits()
    limits.recordTrialBytes = 200_000
    let link = TLSConversation(limits: limits)
    link.shakeHands()
    link.say(.toServer, "one ")
    for _ in 0..<3 {
      link.gap(.toServer, 2000)
      // Headers of records that open with nothing.
      var noise: [UInt8] = []
      for _ in 0..<20 { noise += [23, 3, 3, 0, 40] + [UInt8](repeating: 7, count: 40) }
      link.send(.toServer, noise)
    }
    link.say(.toServer, "two")
    link.finish()
    #expect(link.text(.toServer) == "one ")
    #expect(link.recorder.codes == ["tls.framing-lost"])
    #expect(link.recorder.findings[0].text.contains("as much was tried"))
    #expect(link.isAccounted)
    // Many holes, of which each costs little: behind all of them it goes on.
    let long = TLSConversation(limits: limits)
    long.shakeHands()
    for number in 0..<200 {
      long.gap(.toServer, long.record(.toServer, String(repeating: "l", count: 900)).count)
      long.say(.toServer, "\(number) " + String(repeating: "x", count: 900))
    }
    long.finish()
    #expect(long.chooser.all[0].chunks.count == 200)
    #expect(!long.recorder.codes.contains("tls.framing-lost"))
  }

  /// What all connections together try in vain is bounded, and many that never open leave enough
  /// for one that does.
  @Test func trialsOfAllAreBounded() {
    var limits = Limits()
    limits.recordTrials = Allowance(4_000_000)
    var noise: [UInt8] = []
    for _ in 0..<400 { noise += [23, 3, 3, 0, 40] + [UInt8](repeating: 7, count: 40) }
    var rests = [limits.recordTrials.rest]
    for number in 0..<20 {
      let link = TLSConversation(limits: limits)
      link.shakeHands()
      link.say(.toServer, "one ")
      link.gap(.toServer, 2000)
      link.send(.toServer, noise)
      link.finish()
      #expect(link.recorder.codes == ["tls.framing-lost"])
      #expect(link.recorder.findings[0].text.contains("all connections together"), "\(number)")
      #expect(link.isAccounted)
      rests.append(limits.recordTrials.rest)
    }
    // Each takes less than the one before, whatever it asks for.
    let taken = zip(rests, rests.dropFirst()).map { $0 - $1 }
    #expect(taken[0] > 0 && taken[0] < 600_000 && taken[19] < taken[0] / 4, "\(taken)")
    let last = TLSConversation(limits: limits)
    last.shakeHands()
    last.say(.toServer, "one ")
    last.gap(.toServer, last.record(.toServer, "lost").count)
    last.say(.toServer, "two")
    last.finish()
    #expect(last.text(.toServer) == "one two")
    // What opened something was not in vain.
    #expect(limits.recordTrials.rest == rests.last)
  }

  /// Pieces of one byte behind a hole do not pass for little.
  @Test func tinyPieces() {
    var limits = Limits()
    limits.resyncBytes = 10_000
    let link = TLSConversation(limits: limits)
    link.shakeHands()
    link.say(.toServer, "one ")
    link.gap(.toServer, 2000)
    for _ in 0..<1000 { link.send(.toServer, [0]) }
    #expect(link.recorder.codes == ["tls.framing-lost"])
    link.finish()
    #expect(link.isAccounted)
  }

  /// The hole begins and ends within records.
  @Test(arguments: [1, 4, 5, 20, 40, 41, 60, 90])
  func withinRecords(length: Int) {
    let link = TLSConversation()
    link.shakeHands()
    link.say(.toServer, "before ")
    let lost = (0..<3).flatMap { link.record(.toServer, "record number \($0)") }
    link.send(.toServer, Array(lost.prefix(7)))
    link.gap(.toServer, length)
    link.send(.toServer, Array(lost.dropFirst(7 + length)))
    link.say(.toServer, "behind")
    link.finish()
    let reported = link.text(.toServer)
    #expect(reported.hasPrefix("before ") && reported.hasSuffix("behind"))
    #expect(!reported.contains("number 0"))
    #expect(link.isAccounted)
  }

  /// Of unknown size, and with a change of the keys in it.
  @Test(arguments: [nil, 200]) func keyUpdate(missing: Int?) {
    let link = TLSConversation()
    link.shakeHands()
    link.say(.toClient, "one ")
    _ = link.record(.toClient, "lost")
    _ = link.keyUpdate(.toClient)
    _ = link.record(.toClient, "lost too")
    link.gap(.toClient, missing)
    link.say(.toClient, "two")
    #expect(link.text(.toClient) == "one two")
    #expect(link.recorder.codes == ["tls.resynchronised"])
    #expect(link.isAccounted)
  }

  /// The handshake is missing, or a hello of it: TLS 1.3 can be opened all the same.
  @Test(arguments: ["client", "server", "certificate", "all"])
  func handshake(part: String) {
    let link = TLSConversation()
    let handshake = TLSConversation.handshake()
    func send(_ direction: Direction, _ bytes: [UInt8], _ isLost: Bool) {
      if isLost { link.gap(direction, bytes.count) } else { link.send(direction, bytes) }
    }
    let all = part == "all"
    send(.toServer, handshake.hello, all || part == "client")
    if part == "certificate" {
      link.send(.toClient, Array(handshake.server.prefix(200)))
      link.gap(.toClient, 300)
      link.send(.toClient, Array(handshake.server.dropFirst(500)))
    } else {
      send(.toClient, handshake.server, all || part == "server")
    }
    send(.toServer, handshake.client, all)
    link.say(.toServer, "question")
    link.say(.toClient, "answer")
    link.finish()
    #expect(link.text(.toServer) == "question")
    #expect(link.text(.toClient) == "answer")
    #expect(link.isAccounted)
  }

  @Test func midstream() {
    let link = TLSConversation(isFromStart: false)
    for _ in 0..<50 { _ = link.record(.toServer, "not captured") }
    link.say(.toServer, "on")
    link.say(.toClient, "off")
    #expect(link.text(.toServer) + link.text(.toClient) == "onoff")
    #expect(link.chooser.all.first?.opening.isFromStart == false)
    #expect(link.recorder.codes.first == "tls.handshake-missing")
  }

  /// Records as large as can be, the key log of a long day, and keys that were updated: the secret
  /// that came first is found too.
  @Test(arguments: [(0, 40, 0), (100, 20, 0), (250, 4, 0), (20, 3, 1), (20, 60, 2)])
  func midstreamAmongMany(strangers: Int, lost: Int, updates: Int) {
    let link = TLSConversation(isFromStart: false)
    for number in 0..<strangers {
      for label: TLSSecrets.Label in [.clientHandshake, .clientTraffic, .serverTraffic] {
        let bytes = [UInt8(number)] + [UInt8](repeating: 1, count: 31)
        link.secrets.add(bytes, label, bytes)
      }
    }
    for _ in 0..<updates { _ = link.keyUpdate(.toClient) }
    for _ in 0..<lost { _ = link.record(.toClient, "not captured") }
    let large = String(repeating: "x", count: 16384)
    for _ in 0..<3 { link.say(.toClient, large) }
    link.finish()
    let isRead = link.text(.toClient) == large + large + large
    #expect(isRead)
    let gaps = link.chooser.all.first?.gaps.filter { $0.delivery.origin.direction == .toClient }
    #expect(gaps?.isEmpty == true)
    let isUpdated = link.recorder.findings.contains { $0.text.contains("after a KeyUpdate") }
    #expect(isUpdated == (updates > 0) && link.isAccounted)
  }

  /// What one direction tries in vain is no business of the other.
  @Test func trialsOfADirection() {
    var limits = Limits()
    limits.recordTrialBytes = 200_000
    let link = TLSConversation(limits: limits, isFromStart: false)
    for _ in 0..<5000 { _ = link.record(.toClient, "not captured") }
    for _ in 0..<20 { link.say(.toClient, "closed") }
    link.say(.toServer, "open")
    link.finish()
    #expect(link.text(.toServer) == "open" && link.text(.toClient) == "")
    #expect(link.isAccounted)
  }

  /// One changed bit closes its record and no other.
  @Test func changed() {
    let link = TLSConversation()
    link.shakeHands()
    link.say(.toServer, "one ")
    var record = link.record(.toServer, "changed")
    record[9] ^= 1
    link.send(.toServer, record)
    link.say(.toServer, "two")
    #expect(link.text(.toServer) == "one two")
    #expect(link.recorder.codes == ["tls.record-unopened", "tls.resynchronised"])
    #expect(link.isAccounted)
  }

  /// A search that finds nothing comes to an end.
  @Test func bound() {
    var limits = Limits()
    limits.resyncBytes = 2000
    let link = TLSConversation(limits: limits)
    link.shakeHands()
    link.say(.toServer, "one")
    link.gap(.toServer, 10)
    for _ in 0..<30 { link.send(.toServer, [UInt8](repeating: 0x17, count: 100)) }
    #expect(link.recorder.codes == ["tls.framing-lost"])
    #expect(link.recorder[.sealed] == 3000)
    link.finish()
    #expect(link.isAccounted)
  }
}
