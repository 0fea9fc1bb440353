// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Connections that stay closed, and secrets that come when no more could wait for them.
@Suite struct LateKeyTests {
  private static func small() -> Limits {
    var limits = Limits()
    limits.waitingRecordBytes = 2000
    return limits
  }

  /// What has gone by stays closed; what comes behind the secret is read, however records are cut.
  @Test(arguments: [1, 7, 100, 5000]) func comesLate(cut: Int) {
    let link = TLSConversation(limits: Self.small(), isKnown: false)
    link.shakeHands()
    for number in 0..<100 {
      link.say(.toServer, "request \(number) that nobody can read yet")
      link.say(.toClient, "answer \(number)")
    }
    #expect(link.recorder.codes == ["tls.key-missing"])
    link.secrets.refresh = { link.learn() }
    for direction in [Direction.toServer, .toClient] {
      let records = link.record(direction, "first") + link.record(direction, "second")
      for start in stride(from: 0, to: records.count, by: cut) {
        link.send(direction, Array(records[start..<min(start + cut, records.count)]))
      }
    }
    link.finish()
    // The record within which the secret was noticed may be over for the most part.
    for direction in [Direction.toServer, .toClient] {
      #expect(["firstsecond", "second"].contains(link.text(direction)))
    }
    #expect(
      link.recorder.codes.filter { $0 != "tls.resynchronised" }
        == ["tls.key-missing", "tls.key-late", "tls.key-late"])
    #expect(link.recorder.codes.count { $0 == "tls.resynchronised" } == 2)
    #expect(link.isAccounted)
  }

  /// The keys have changed before the secret came.
  @Test(arguments: [1, 2, 3], [0, 1, 60]) func behindKeyUpdates(count: Int, others: Int) {
    let link = TLSConversation(limits: Self.small(), isKnown: false)
    link.shakeHands()
    for number in 0..<100 { link.say(.toServer, "request \(number) that nobody can read yet") }
    // As long as a KeyUpdate.
    link.say(.toServer, "12345")
    for number in 0..<count {
      link.send(.toServer, link.keyUpdate(.toServer))
      link.say(.toServer, "between \(number)")
    }
    for number in 0..<others { link.say(.toServer, "behind \(number)") }
    link.learn()
    link.say(.toServer, "first ")
    link.say(.toServer, "second ")
    link.send(.toServer, link.keyUpdate(.toServer))
    link.say(.toServer, "third")
    link.finish()
    #expect(link.text(.toServer).hasSuffix("second third"))
    #expect(link.isAccounted)
  }

  /// Within what may wait, a KeyUpdate is held like everything else.
  @Test func keyUpdateWaits() {
    let link = TLSConversation(isKnown: false)
    link.shakeHands()
    for number in 0..<3 {
      link.say(.toServer, "\(number) ")
      link.send(.toServer, link.keyUpdate(.toServer))
    }
    link.learn()
    link.say(.toServer, "end")
    #expect(link.text(.toServer) == "0 1 2 end")
    #expect(link.recorder.codes.isEmpty && link.isAccounted)
  }

  /// Nobody knows the number of the next record behind a hole, but may still find it.
  @Test func behindHole() {
    let link = TLSConversation(limits: Self.small(), isKnown: false)
    link.shakeHands()
    for number in 0..<100 { link.say(.toServer, "request \(number) that nobody can read yet") }
    link.gap(.toServer, 1000)
    link.learn()
    link.say(.toServer, "behind the hole")
    link.finish()
    #expect(link.text(.toServer) == "behind the hole")
    #expect(link.isAccounted)
  }

  /// One line for each connection says all that is known of it, and the first how to get a key log.
  @Test func whatStaysClosed() throws {
    let link = TLSConversation(isKnown: false, hasSource: false)
    link.shakeHands()
    link.finish()
    let finding = try #require(link.recorder.findings.first)
    #expect(link.recorder.codes == ["tls.no-secrets"])
    let security = try #require(finding.sealed).security
    #expect(security.version == "TLS 1.3" && security.cipherSuite == "TLS_AES_128_GCM_SHA256")
    #expect(security.serverName == Array("wamp.example".utf8))
    #expect(finding.text.contains("SSLKEYLOGFILE") && finding.text.contains("--tls-keylog"))
    #expect(link.secrets.hasAdvised)
  }

  /// An input that may bring secrets is waited for, but not in silence.
  @Test func mayStillCome() {
    let link = TLSConversation(isKnown: false, hasSource: false)
    link.secrets.expect()
    link.shakeHands()
    link.say(.toServer, "waits")
    #expect(link.recorder.codes == [])
    link.finish()
    #expect(link.recorder.codes == ["tls.no-secrets"])
    #expect(link.isAccounted)
  }
}
