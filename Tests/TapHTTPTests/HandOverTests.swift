// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct HandOverTests {
  @Test func framesBehindBothHeads() {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest() + "early frames")
    #expect(talk.chooser.all.isEmpty, "what these are depends on the answer")
    talk.send(.toClient, upgradeResponse() + "server frames")
    talk.send(.toServer, ", more")
    #expect(talk.chooser.all[0].text(.toServer) == "early frames, more")
    #expect(talk.chooser.all[0].text(.toClient) == "server frames")
    #expect(
      talk.chooser.all[0].chunks[0].delivery.origin.offset == UInt64(upgradeRequest().utf8.count))
    #expect(talk.accounted == talk.fed)
  }

  /// Two capture points, or a reordering queue: the answer stands before its request.
  @Test func answerBeforeTheRequest() {
    let request = Array((upgradeRequest() + "\u{1}\u{2}frames").utf8)
    let found = difference(forEveryCutOf: request) { pieces in
      let talk = HTTPConversation()
      talk.send(.toClient, upgradeResponse())
      for piece in pieces { talk.send(.toServer, piece) }
      talk.finish()
      #expect(talk.accounted == talk.fed)
      return talk.chooser.all.map { $0.text(.toServer) } + ["\(talk.recorder[.http])"]
    }
    #expect(found == nil)
    let talk = HTTPConversation()
    talk.send(.toServer, "GET /ch")
    talk.send(.toClient, upgradeResponse())
    talk.send(.toServer, String(upgradeRequest().dropFirst(7)) + "frames")
    #expect(talk.chooser.all.map { $0.text(.toServer) } == ["frames"])
    #expect(talk.chooser.all[0].opening.isFromStart)
  }

  @Test func serverSideOnly() {
    let talk = HTTPConversation()
    talk.send(.toClient, upgradeResponse("Sec-WebSocket-Protocol: mqtt\r\n") + "frames")
    talk.finish()
    #expect(talk.recorder.lines == ["opened  mqtt"], "nothing to compare with, so nothing is wrong")
    #expect(talk.chooser.all[0].text(.toClient) == "frames")
    #expect(talk.accounted == talk.fed)
  }

  @Test func clientFramesWithoutARequest() {
    let talk = HTTPConversation()
    talk.send(.toClient, upgradeResponse())
    talk.send(.toServer, [0x81, 0x85, 1, 2, 3, 4])
    #expect(talk.chooser.all[0].bytes(.toServer) == [0x81, 0x85, 1, 2, 3, 4])
  }

  @Test(arguments: [Ending.closed, .reset, .endOfEvidence])
  func clientSideOnly(ending: Ending) {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest() + "frames")
    talk.send(.toServer, "more")
    #expect(talk.chooser.all.isEmpty)
    talk.finish(ending)
    #expect(talk.chooser.all.count == 1)
    #expect(!talk.chooser.all[0].opening.isFromStart)
    #expect(talk.chooser.all[0].opening.carrier == .stream)
    #expect(talk.chooser.all[0].text(.toServer) == "framesmore")
    #expect(talk.chooser.all[0].opening.url == wire("ws://server.example.com/chat"))
    #expect(talk.chooser.all[0].opening.offered.count == 2)
    #expect(talk.chooser.all[0].endings == [ending])
    #expect(talk.accounted == talk.fed)
  }

  /// Tiny pieces, and gaps, count for more than they are.
  @Test func waitingEndsBySize() {
    var limits = Limits()
    limits.undecidedBytes = 2 * ReplayBuffer.leastCost
    let large = HTTPConversation(limits: limits)
    large.send(.toServer, upgradeRequest() + "0123456789")
    large.send(.toServer, "x")
    #expect(large.chooser.all.isEmpty)
    large.send(.toServer, "y")
    #expect(large.chooser.all.map { $0.text(.toServer) } == ["0123456789xy"])
    let holes = HTTPConversation(limits: limits)
    holes.send(.toServer, upgradeRequest())
    for _ in 0..<1000 { holes.gap(.toServer, 1) }
    holes.send(.toServer, "x")
    #expect(holes.chooser.all.isEmpty)
    holes.send(.toServer, "y")
    #expect(holes.chooser.all.map { $0.gaps.map(\.missing) } == [[1000]])
  }

  /// Nothing of the server is missing, so that its answer is still to come.
  @Test func slowAnswer() {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest() + "a")
    talk.send(.toServer, "b", at: 6_000_000_000)
    talk.send(.toServer, "c", at: 60_000_000_000)
    #expect(talk.chooser.all.isEmpty)
    talk.send(.toClient, upgradeResponse() + "server", at: 61_000_000_000)
    talk.finish()
    // RFC 6455 §4.1: the client has to wait for it.
    #expect(
      talk.recorder.lines == ["opened ws://server.example.com/chat ", "error http.bad-upgrade"])
    #expect(talk.chooser.all.map { $0.text(.toServer) } == ["abc"])
    #expect(talk.chooser.all[0].text(.toClient) == "server")
    #expect(talk.accounted == talk.fed)
  }

  /// What the client says to the answer is captured before the hole ahead of the answer is given
  /// up.
  @Test(arguments: [nil, 86]) func answerBehindAGapAndFrames(missing: Int?) {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest())
    talk.send(.toServer, "client frames")
    talk.gap(.toClient, missing, hasMore: true)
    talk.send(.toClient, upgradeResponse() + "server frames")
    talk.finish()
    #expect(talk.recorder.lines == ["opened ws://server.example.com/chat "])
    #expect(talk.chooser.all.count == 1 && talk.chooser.all[0].opening.isFromStart)
    #expect(talk.chooser.all[0].gaps.isEmpty)
    #expect(talk.chooser.all[0].text(.toServer) == "client frames")
    #expect(talk.chooser.all[0].text(.toClient) == "server frames")
    #expect(talk.accounted == talk.fed)
  }

  @Test func halfCloseWhileWaiting() {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest() + "frames")
    talk.finish(.half, .toServer)
    talk.send(.toClient, upgradeResponse() + "answer")
    talk.finish(.closed)
    #expect(
      talk.chooser.all[0].lines.map { $0.split(separator: "@")[0] } == [
        "toServer", "half toServer", "toClient", "closed toServer",
      ])
  }

  /// Nothing but the end of the client is held, which is no stream of another protocol.
  @Test(arguments: [
    upgradeRequest(), "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
  ])
  func halfCloseWithoutFrames(request: String) {
    let talk = HTTPConversation()
    talk.send(.toServer, request)
    talk.finish(.half, .toServer)
    talk.finish(.closed)
    #expect(talk.chooser.all.isEmpty)
    #expect(talk.accounted == talk.fed)
  }

  @Test func gapWhereTheAnswerWas() {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest() + "early")
    talk.gap(.toServer, 7)
    talk.send(.toServer, "later")
    talk.gap(.toClient, 400)
    talk.send(.toClient, "server frames")
    talk.finish()
    #expect(talk.chooser.all.count == 1 && !talk.chooser.all[0].opening.isFromStart)
    let start = upgradeRequest().utf8.count
    #expect(
      talk.chooser.all[0].lines == [
        "toServer@\(start) early", "toServer gap 7@\(start + 5)", "toServer@\(start + 12) later",
        "toClient gap 400@0", "toClient@400 server frames", "closed toServer",
      ])
    #expect(talk.accounted == talk.fed)
  }

  /// Something was lost before the answer, which is there.
  @Test(arguments: [nil, 400]) func gapBeforeTheAnswer(missing: Int?) {
    let talk = HTTPConversation()
    talk.send(.toServer, "GET / HTTP/1.1\r\n\r\n")
    talk.send(.toServer, upgradeRequest())
    talk.gap(.toClient, missing)
    talk.send(.toClient, upgradeResponse() + "server frames")
    talk.send(.toServer, "client frames")
    talk.finish()
    #expect(talk.recorder.lines == ["opened ws://server.example.com/chat "])
    #expect(talk.chooser.all.count == 1 && talk.chooser.all[0].opening.isFromStart)
    #expect(talk.chooser.all[0].text(.toServer) == "client frames")
    #expect(talk.chooser.all[0].text(.toClient) == "server frames")
    #expect(talk.accounted == talk.fed)
  }

  /// Something else than WebSocket was agreed on, or was not (RFC 9110 §7.8).
  @Test(arguments: [true, false]) func otherUpgrade(isAccepted: Bool) {
    let talk = HTTPConversation()
    talk.send(
      .toServer,
      "POST /attach HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
    talk.send(.toServer, isAccepted ? "raw input" : upgradeRequest())
    talk.send(
      .toClient,
      isAccepted
        ? "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nraw output"
        : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno" + upgradeResponse() + "raw output")
    if !isAccepted { talk.send(.toServer, "raw input") }
    talk.finish()
    #expect(talk.recorder.codes.isEmpty)
    #expect(talk.chooser.all.map(\.opening.carrier) == [isAccepted ? .stream : .webSocket])
    #expect(talk.chooser.all[0].text(.toServer) == "raw input")
    #expect(talk.chooser.all[0].text(.toClient) == "raw output")
    #expect(talk.accounted == talk.fed)
  }

  /// The head of a request is lost in part: an upgrade may have been lost with it.
  @Test func gapInTheRequest() {
    let talk = HTTPConversation()
    talk.send(.toServer, "GET /chat HT")
    talk.gap(.toServer, 50)
    talk.send(.toServer, "-Version: 13\r\n\r\n")
    talk.send(.toClient, upgradeResponse())
    talk.send(.toServer, "frames")
    #expect(talk.chooser.all.count == 1 && !talk.chooser.all[0].opening.isFromStart)
    #expect(talk.chooser.all[0].lines.first == "toServer gap 50@12")
    #expect(talk.chooser.all[0].text(.toServer) == "-Version: 13\r\n\r\nframes")
    #expect(talk.chooser.all[0].text(.toClient) == upgradeResponse())
    #expect(talk.accounted == talk.fed)
  }

  @Test(arguments: [
    ("Content-Length: 100\r\n", "0123456789", 90, ""),
    ("Content-Length: 100\r\n", "0123456789", 80, "0123456789"),
    ("Transfer-Encoding: chunked\r\n", "14\r\n0123456789", 5, "56789\r\n0\r\n\r\n"),
  ])
  func gapInABody(field: String, before: String, missing: Int, after: String) {
    let talk = HTTPConversation()
    talk.send(.toServer, "GET / HTTP/1.1\r\n\r\n")
    talk.send(.toClient, "HTTP/1.1 200 OK\r\n\(field)\r\n\(before)")
    talk.gap(.toClient, missing)
    talk.send(.toServer, upgradeRequest())
    // In one segment: only one who still counts the body finds the head in it.
    talk.send(.toClient, after + upgradeResponse() + "frames")
    #expect(talk.recorder.lines == ["opened ws://server.example.com/chat "])
    #expect(talk.chooser.all.map { $0.text(.toClient) } == ["frames"])
    #expect(talk.accounted == talk.fed)
  }

  /// The answer to an earlier request was lost: from there on, content decides.
  @Test func gapOverAnEarlierAnswer() {
    let talk = HTTPConversation()
    talk.send(.toServer, "GET / HTTP/1.1\r\n\r\n")
    talk.gap(.toClient, 300)
    talk.send(.toClient, "the rest of a body")
    talk.send(.toServer, upgradeRequest())
    talk.send(.toClient, upgradeResponse() + "frames")
    #expect(talk.chooser.all.count == 1 && !talk.chooser.all[0].opening.isFromStart)
    #expect(talk.chooser.all[0].text(.toServer) == upgradeRequest())
    #expect(
      talk.chooser.all[0].text(.toClient) == "the rest of a body" + upgradeResponse() + "frames")
    #expect(talk.accounted == talk.fed)
  }

  @Test func gapsBehindTheUpgradePassThrough() {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest())
    talk.send(.toClient, upgradeResponse())
    talk.gap(.toServer, nil)
    talk.gap(.toClient, 3)
    talk.send(.toServer, "x")
    #expect(talk.chooser.all[0].gaps.map(\.missing) == [nil, 3])
    #expect(talk.chooser.all[0].text(.toServer) == "x")
  }
}

/// Tunnels of a proxy (RFC 9110 §9.3.6).
@Suite struct TunnelTests {
  @Test func opened() throws {
    let talk = HTTPConversation()
    talk.send(.toServer, "CONNECT router.example:443 HTTP/1.1\r\nHost: router.example:443\r\n\r\n")
    talk.send(.toServer, "early")
    talk.send(.toClient, "HTTP/1.1 200 Connection established\r\n\r\nserver")
    talk.send(.toServer, "client")
    let lent = try #require(talk.chooser.all.first)
    #expect(lent.opening.carrier == .stream && lent.opening.isFromStart)
    #expect(lent.text(.toServer) == "earlyclient")
    #expect(lent.text(.toClient) == "server")
    #expect(talk.accounted == talk.fed)
  }

  @Test func refused() {
    let talk = HTTPConversation()
    talk.send(.toServer, "CONNECT router.example:443 HTTP/1.1\r\nHost: router.example:443\r\n\r\n")
    talk.send(
      .toClient, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno")
    talk.send(.toServer, upgradeRequest())
    talk.send(.toClient, upgradeResponse())
    #expect(talk.recorder.lines == ["opened ws://server.example.com/chat "])
    #expect(talk.accounted == talk.fed)
  }
}
