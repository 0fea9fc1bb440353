// SPDX-License-Identifier: Apache-2.0
import TapTLS
import TapTesting
import TapTraffic
import Testing

/// What is lost where keys change, or for lack of them, is reported upward: nothing is joined over
/// it.
@Suite struct LostKeyTests {
  /// The end of a message is missing together with the KeyUpdate behind it.
  @Test(arguments: [1, 2]) func keyUpdates(count: Int) {
    let link = TLSConversation()
    link.shakeHands()
    link.say(.toServer, "begins, ")
    var lost = link.record(.toServer, "and ends")
    for _ in 0..<count { lost += link.keyUpdate(.toServer) }
    link.gap(.toServer, lost.count)
    link.say(.toServer, "something else")
    let lent = link.chooser.all[0]
    #expect(
      lent.lines.map { $0.split(separator: "@")[0] } == [
        "toServer", "toServer gap ?", "toServer",
      ])
    #expect(link.text(.toServer) == "begins, something else")
    #expect(link.recorder.codes == ["tls.resynchronised"])
    #expect(link.recorder.findings[0].text.contains("KeyUpdate"))
    #expect(!link.recorder.findings[0].text.contains("of its TLS records"))
    #expect(link.isAccounted)
  }

  /// A record of the handshake is nothing that the layer above could miss.
  @Test func handshakeRecord() {
    let link = TLSConversation()
    let handshake = TLSConversation.handshake()
    link.send(.toServer, handshake.hello)
    link.send(.toClient, Array(handshake.server.prefix(200)))
    link.gap(.toClient, 100)
    link.send(.toClient, Array(handshake.server.dropFirst(300)))
    link.send(.toServer, handshake.client)
    link.say(.toClient, "answer")
    #expect(link.chooser.all.first?.lines == ["toClient@0 answer"])
    #expect(link.isAccounted)
  }

  /// In TLS 1.2 the first record of the keys is the Finished.
  @Test(arguments: [0, 1], [true, false]) func finished12(lostRecords: Int, isHole: Bool) {
    let link = TLSConversation(isKnown: false)
    let master = [UInt8](repeating: 0x11, count: 48)
    let serverRandom = [UInt8](repeating: 7, count: 32)
    link.secrets.add(master, .clientRandom, TLSConversation.random)
    var client = TLS12Endpoint(
      master, client: TLSConversation.random, server: serverRandom, isClient: true)
    link.send(
      .toServer,
      TLS13Endpoint.plain(
        22, TLS13Endpoint.clientHello(TLSConversation.random, name: "old.example", protocols: [])))
    link.send(
      .toClient, TLS13Endpoint.plain(22, TLS13Endpoint.serverHello(suite: 0xC02F, version: [3, 3])))
    link.send(.toServer, TLS13Endpoint.plain(20, [1]))
    var lost = client.seal(22, TLS13Endpoint.finished())
    for number in 0..<lostRecords { lost += client.seal(23, Array("lost \(number)".utf8)) }
    if isHole {
      link.gap(.toServer, lost.count)
    } else {
      link.send(.toServer, Array(lost.prefix(9)))
      link.gap(.toServer, lost.count - 9)
    }
    link.send(.toServer, client.seal(23, Array("comes".utf8)))
    #expect(link.text(.toServer) == "comes")
    #expect(link.chooser.all.first?.gaps.count == lostRecords)
    #expect(link.isAccounted)
  }

  /// Only one direction can be opened: the layer above is reported that it will not hear the other.
  @Test(arguments: [true, false]) func oneDirection(isWrong: Bool) {
    let link = TLSConversation(isKnown: false)
    link.learn([.clientHandshake, .serverHandshake, .clientTraffic])
    if isWrong {
      link.secrets.add([UInt8](repeating: 1, count: 32), .serverTraffic, TLSConversation.random)
    }
    link.shakeHands()
    for number in 0..<20 {
      link.say(.toServer, "request \(number)")
      link.say(.toClient, "answer \(number)")
    }
    link.finish()
    let lent = link.chooser.all[0]
    #expect(lent.gaps.map(\.delivery.origin.direction) == [.toClient])
    #expect(lent.chunks.count == 20)
    #expect(link.recorder.codes == [isWrong ? "tls.record-unopened" : "tls.key-missing"])
    #expect(link.recorder.findings[0].text.contains("the server"))
    #expect(link.isAccounted)
  }

  /// A line of the key log was read before all of it was written: it opens nothing, and its end is
  /// waited for.
  @Test func cutSecret() {
    let link = TLSConversation(isKnown: false)
    link.learn([.clientHandshake, .serverHandshake, .clientTraffic])
    link.secrets.add([UInt8](repeating: 1, count: 48), .serverTraffic, TLSConversation.random)
    link.shakeHands()
    link.say(.toClient, "one ")
    link.learn([.serverTraffic])
    link.say(.toClient, "two")
    #expect(link.text(.toClient) == "one two")
    #expect(link.recorder.codes.isEmpty && link.isAccounted)
  }

  /// However often a record is lost and found within one piece, nothing nests.
  @Test func alternation() {
    let link = TLSConversation()
    link.shakeHands()
    link.say(.toServer, "x")
    var bytes: [UInt8] = []
    for _ in 0..<3000 { bytes += link.record(.toServer, "y") + [0x17, 3, 3, 0, 0] }
    link.send(.toServer, bytes)
    link.finish()
    #expect(link.text(.toServer) == "x" + String(repeating: "y", count: 3000))
    #expect(link.isAccounted)
  }

  /// Of many secrets the last are tried, the same ones in every run.
  @Test func strangers() {
    let secrets = TLSSecrets(limits: Limits())
    for number in (0..<100).reversed() {
      secrets.add([UInt8(number)], .clientTraffic, [UInt8(number)])
      secrets.add([UInt8(number)], .clientRandom, [200, UInt8(number)])
    }
    let latest = secrets.latest(32, .clientTraffic)
    #expect(latest.map { Int($0.random[0]) } == Array(0..<32))
    let revision = secrets.revision
    secrets.add([1], .clientTraffic, [1])
    #expect(secrets.revision == revision)
    secrets.add([2], .clientTraffic, [1])
    #expect(secrets.revision == revision + 1)
  }
}
