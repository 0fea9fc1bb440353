// SPDX-License-Identifier: Apache-2.0
import TapTLS
import TapTesting
import TapTraffic
import Testing

@Suite struct TLSLayerTests {
  @Test func everyCut() throws {
    let handshake = TLSConversation.handshake()
    let speaker = TLSConversation()
    let up =
      handshake.client + speaker.record(.toServer, "GET") + speaker.record(.toServer, "")
      + speaker.keyUpdate(.toServer) + speaker.record(.toServer, "more")
    let down =
      handshake.server + speaker.record(.toClient, "answer")
      + speaker.seal(.toClient, 22, TLS13Endpoint.message(4, [1, 2, 3]))
      + speaker.seal(.toClient, 23, Array("padded".utf8), padding: 40)
      + speaker.seal(.toClient, 21, [1, 0])
    func reported(_ hello: [[UInt8]], _ downs: [[UInt8]], _ ups: [[UInt8]]) -> [String] {
      let link = TLSConversation()
      for piece in hello { link.send(.toServer, piece) }
      for piece in downs { link.send(.toClient, piece) }
      for piece in ups { link.send(.toServer, piece) }
      link.finish()
      #expect(link.isAccounted)
      return link.chooser.all.flatMap(\.lines) + link.recorder.lines + ["\(link.recorder.fates)"]
    }
    let whole = reported([handshake.hello], [down], [up])
    #expect(
      whole.prefix(5) == [
        "toClient@0 answer", "toClient@6 padded", "toServer@0 GET", "toServer@3 more",
        "closed unknown",
      ])
    #expect(whole.count == 6)
    #expect(
      difference(forEveryCutOf: handshake.hello) { reported($0, [down], [up]) } == nil)
    #expect(difference(forEveryCutOf: down) { reported([handshake.hello], $0, [up]) } == nil)
    #expect(difference(forEveryCutOf: up) { reported([handshake.hello], [down], $0) } == nil)
  }

  @Test func security() throws {
    let link = TLSConversation()
    link.shakeHands()
    link.say(.toServer, "x")
    let security = try #require(link.chooser.all.first?.opening.security)
    #expect(security.version == "TLS 1.3")
    #expect(security.cipherSuite == "TLS_AES_128_GCM_SHA256")
    #expect(security.serverName == Array("wamp.example".utf8))
    #expect(security.applicationProtocol == Array("http/1.1".utf8))
    #expect(link.recorder[.streamDecrypted] == 1)
  }

  /// What comes before its secret waits for it.
  @Test(arguments: [true, false]) func lateSecrets(comesInTime: Bool) {
    let link = TLSConversation(isKnown: false)
    link.shakeHands()
    link.say(.toServer, "one ")
    link.say(.toClient, "two ")
    #expect(link.chooser.all.isEmpty)
    if comesInTime {
      link.learn()
      link.say(.toServer, "three")
    }
    if !comesInTime {
      // Only when nothing more comes, the log is looked at once more.
      link.secrets.refresh = { link.learn() }
      link.finish()
    }
    #expect(link.text(.toServer) == (comesInTime ? "one three" : "one "))
    #expect(link.text(.toClient) == "two ")
    #expect(link.recorder.codes == [])
    #expect(link.isAccounted)
  }

  /// Some write down the secrets of the traffic only.
  @Test func trafficSecretsOnly() {
    let link = TLSConversation(isKnown: false)
    link.learn([.clientTraffic, .serverTraffic])
    link.shakeHands()
    link.say(.toServer, "one")
    link.say(.toClient, "two")
    #expect(link.text(.toServer) + link.text(.toClient) == "onetwo")
    #expect(link.recorder.codes == [])
    #expect(link.isAccounted)
  }

  @Test func noSecrets() {
    let link = TLSConversation(isKnown: false, hasSource: false)
    link.shakeHands()
    link.say(.toServer, "secret")
    link.finish()
    #expect(link.recorder.codes == ["tls.no-secrets"])
    #expect(link.recorder.findings[0].text.contains("TLS 1.3 to wamp.example"))
    #expect(link.recorder.findings[0].text.contains("h2, http/1.1"))
    #expect(link.isAccounted)
  }

  @Test(arguments: [true, false]) func keyMissing(hasRoom: Bool) {
    var limits = Limits()
    if !hasRoom { limits.waitingRecordBytes = 500 }
    let link = TLSConversation(limits: limits, isKnown: false)
    link.shakeHands()
    for _ in 0..<20 { link.say(.toServer, "a text that nobody can read") }
    #expect(link.recorder.codes == (hasRoom ? [] : ["tls.key-missing"]))
    link.finish()
    #expect(link.recorder.codes == ["tls.key-missing"])
    #expect(link.chooser.all.isEmpty)
    #expect(link.recorder[.sealed] > 500)
    #expect(link.isAccounted)
  }

  /// All connections together may not hold more than so much.
  @Test func allowance() {
    var limits = Limits()
    limits.waitingRecords = Allowance(20 << 10)
    let text = String(repeating: "waits", count: 500)
    let links = (0..<3).map { _ in TLSConversation(limits: limits, isKnown: false) }
    for link in links {
      link.shakeHands()
      link.say(.toServer, text)
    }
    #expect(links.map(\.recorder.codes) == [[], ["tls.key-missing"], ["tls.key-missing"]])
    links[0].learn()
    links[0].say(.toServer, "!")
    #expect(links[0].text(.toServer) == text + "!")
    // What was held is free again.
    let next = TLSConversation(limits: limits, isKnown: false)
    next.shakeHands()
    #expect(next.recorder.codes == [])
  }

  @Test func wrongSecret() {
    let link = TLSConversation(isKnown: false)
    for label in TLSSecrets.Label.allCases {
      link.secrets.add([UInt8](repeating: 1, count: 32), label, TLSConversation.random)
    }
    link.shakeHands()
    for _ in 0..<20 { link.say(.toServer, "closed") }
    link.finish()
    #expect(Set(link.recorder.codes) == ["tls.record-unopened"])
    #expect(link.recorder.codes.count == 1)
    #expect(link.chooser.all.isEmpty)
    #expect(link.isAccounted)
  }

  @Test(arguments: [
    (TLS13Endpoint.serverHello(version: [3, 2]), "tls.unsupported", "TLS 1.1"),
    (TLS13Endpoint.serverHello(suite: 0x1306), "tls.unsupported", "0x1306"),
    (TLS13Endpoint.serverHello(suite: 0xC02F), "tls.unsupported", "no cipher suite of TLS 1.3"),
  ])
  func unsupported(hello: [UInt8], code: String, words: String) {
    let link = TLSConversation()
    link.send(.toServer, TLSConversation.handshake().hello)
    link.send(.toClient, TLS13Endpoint.plain(22, hello))
    link.say(.toServer, "closed")
    link.finish()
    #expect(link.recorder.codes == [code])
    #expect(link.recorder.findings[0].text.contains(words))
    #expect(link.isAccounted)
  }

  @Test func alerts() {
    let link = TLSConversation()
    link.shakeHands()
    link.send(.toClient, link.seal(.toClient, 21, [2, 48]))
    link.send(.toServer, link.seal(.toServer, 21, [1, 0]))
    #expect(link.recorder.codes == ["tls.alert"])
    #expect(link.recorder.findings[0].text.contains("the server sent the TLS alert unknown_ca"))
  }
}
