// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct KeepAliveTests {
  /// More requests than are remembered: the upgrade behind them is, and its answer fits it.
  @Test(arguments: [2, 3, 9]) func pipeline(count: Int) {
    var limits = Limits()
    limits.pipelinedRequests = 3
    let talk = HTTPConversation(limits: limits)
    for _ in 0..<count { talk.send(.toServer, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n") }
    talk.send(.toServer, upgradeRequest())
    for _ in 0..<count { talk.send(.toClient, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
    talk.send(.toClient, upgradeResponse() + "frames")
    #expect(talk.recorder.codes == (count > 3 ? ["http.too-many-requests"] : []))
    #expect(talk.chooser.all.map { $0.text(.toClient) } == ["frames"])
    // Once more, where the upgrade is refused: its answer is reported, and not that of another.
    let refused = HTTPConversation(limits: limits)
    for _ in 0..<count { refused.send(.toServer, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n") }
    refused.send(.toServer, upgradeRequest())
    for _ in 0..<count {
      refused.send(.toClient, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    refused.send(.toClient, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    #expect(refused.recorder.findings.last?.text.hasSuffix("refused: 403 Forbidden") == true)
    #expect(refused.accounted == refused.fed)
  }

  /// Whatever went before on the connection, the upgrade behind it is found, in every cut.
  @Test(arguments: [
    ("GET", "", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHello"),
    ("GET", "", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ("POST", "HTTP/1.1 is text here", "HTTP/1.1 204 No Content\r\n\r\n"),
    ("GET", "", "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n"),
    ("HEAD", "", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"),
    (
      "PUT", "12", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx"
    ),
    (
      "GET", "",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
        + "5\r\nHello\r\nA;ext=\"1\"\r\nHTTP/1.1 1\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n"
    ),
    (
      "GET", "",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n1a\r\n\(KeepAliveTests.alphabet)\r\n00\r\n\r\n"
    ),
    ("GET", "", "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"),
    (
      "GET", "",
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1"
    ),
  ])
  func before(method: String, body: String, answer: String) {
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    let first = Array("\(method) /x HTTP/1.1\r\nHost: h\r\n\(length)\r\n\(body)".utf8)
    func reported(_ ups: [[UInt8]], _ downs: [[UInt8]]) -> [String] {
      let talk = HTTPConversation()
      for _ in 0..<2 {
        for piece in ups { talk.send(.toServer, piece) }
        for piece in downs { talk.send(.toClient, piece) }
      }
      #expect(talk.chooser.all.isEmpty && talk.recorder.lines.isEmpty)
      #expect(talk.recorder[.httpRequest] == 2)
      talk.send(.toServer, upgradeRequest())
      talk.send(.toClient, upgradeResponse() + "frames")
      #expect(talk.recorder.lines == ["opened ws://server.example.com/chat "])
      #expect(talk.accounted == talk.fed)
      return talk.reported
    }
    #expect(reported([first], [Array(answer.utf8)]).count == 3)
    #expect(difference(forEveryCutOf: first) { reported($0, [Array(answer.utf8)]) } == nil)
    #expect(difference(forEveryCutOf: Array(answer.utf8)) { reported([first], $0) } == nil)
  }

  /// A body that is longer than was said: what is too much belongs to no head.
  @Test(arguments: [
    ("!", "1 byte stands"), ("one two ", "8 bytes stand"),
    ("\r\nno head at all\r\n\r\n", "where an HTTP head should be"),
  ])
  func bodyThatIsTooLong(surplus: String, words: String) {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest(target: "/first"))
    talk.send(.toClient, "HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\nno!" + surplus)
    talk.send(.toServer, upgradeRequest())
    talk.send(.toClient, upgradeResponse() + "frames")
    #expect(talk.recorder.codes == ["http.upgrade-refused", "http.bad-head"])
    #expect(talk.recorder.findings.last?.text.hasPrefix(words) == true)
    #expect(talk.chooser.all.map { $0.text(.toClient) } == ["frames"])
    #expect(talk.accounted == talk.fed)
  }

  static let alphabet = "abcdefghijklmnopqrstuvwxyz"

  @Test(arguments: [
    ("403 Forbidden", "Content-Length: 3\r\n", "no!"),
    ("404 Not Found", "Content-Length: 0\r\n", ""),
    ("426 Upgrade Required", "Transfer-Encoding: chunked\r\n", "2\r\nno\r\n0\r\n\r\n"),
    ("101 Wrong", "Upgrade: h2c\r\nContent-Length: 0\r\n", ""),
  ])
  func refusedThenAccepted(status: String, fields: String, body: String) throws {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest(target: "/first"))
    talk.send(.toClient, "HTTP/1.1 \(status)\r\n\(fields)\r\n\(body)")
    // RFC 6455 §4.4: a server that wants another version says which.
    #expect(
      talk.recorder.codes
        == ["http.upgrade-refused"] + (status.hasPrefix("426") ? ["http.bad-upgrade"] : []))
    let finding = try #require(talk.recorder.findings.first)
    #expect(
      finding.text.hasSuffix(
        "asked ws://server.example.com/first for WebSocket and was refused: \(status)"))
    #expect(talk.chooser.all.isEmpty)
    talk.send(.toServer, upgradeRequest(target: "/second"))
    talk.send(.toClient, upgradeResponse())
    talk.send(.toServer, "frames")
    #expect(talk.chooser.all.map(\.opening.url) == [wire("ws://server.example.com/second")])
    #expect(talk.chooser.all[0].text(.toServer) == "frames")
    #expect(talk.accounted == talk.fed)
  }

  /// The client may not wait for the answer before it asks again.
  @Test func secondUpgradeWhileTheFirstIsOpen() {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest(target: "/first") + upgradeRequest(target: "/second"))
    talk.send(.toClient, "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n" + upgradeResponse())
    talk.send(.toServer, "frames")
    #expect(talk.chooser.all.map(\.opening.url) == [wire("ws://server.example.com/second")])
    #expect(talk.chooser.all.first?.text(.toServer) == "frames")
    #expect(talk.accounted == talk.fed)
  }

  @Test func plainHTTPOnly() {
    let talk = HTTPConversation()
    for _ in 0..<3 {
      talk.send(.toServer, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      talk.send(.toClient, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    talk.finish()
    #expect(talk.recorder.lines.isEmpty && talk.chooser.all.isEmpty)
    #expect(talk.recorder[.http] == talk.fed && talk.recorder[.httpRequest] == 3)
  }

  @Test func bodyUntilTheConnectionCloses() {
    let talk = HTTPConversation()
    talk.send(.toServer, "GET / HTTP/1.1\r\n\r\n")
    talk.send(.toClient, "HTTP/1.1 200 OK\r\n\r\n" + upgradeResponse())
    #expect(talk.chooser.all.isEmpty && talk.recorder[.http] == talk.fed)
  }
}
