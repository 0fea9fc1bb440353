// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapHTTP
import TapTesting
import TapTraffic
import Testing

@Suite struct HTTP2Tests {
  /// An HTTP/2 connection that is fed to its layer, and what came of it.
  final class Link {
    let chooser = RecordingChooser()
    let recorder = Recorder()
    private(set) var fed = 0
    private var layer: HTTP2Layer

    init(limits: Limits = Limits(), isFromStart: Bool = true) {
      let opening = Opening(
        .stream, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
        server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: isFromStart)
      layer = HTTP2Layer(
        opening, chooser, flows: FlowNumbers(above: 100), limits: limits,
        isFromStart: isFromStart)
    }

    func send(_ direction: Direction, _ bytes: [UInt8]) { send(direction, pieces: [bytes]) }

    /// One segment in pieces.
    func send(_ direction: Direction, pieces: [[UInt8]]) {
      for (index, piece) in pieces.enumerated() {
        var part = delivery(direction)
        if index > 0 { part.edges.remove(.start) }
        if index < pieces.count - 1 { part.edges.remove(.end) }
        layer.receive(piece.span.bytes, part, recorder)
        fed += piece.count
      }
    }

    func gap(_ direction: Direction, _ missing: Int?) {
      layer.gap(missing, delivery(direction), recorder)
    }

    func finish(_ ending: Ending = .closed) {
      layer.finish(ending, delivery(.unknown), recorder)
    }

    var isAccounted: Bool {
      recorder.fates.reduce(0, +) + chooser.delivered == fed
    }

    /// All that must not depend on how the streams were cut.
    var reported: [String] {
      chooser.all.map { lent in
        "\(lent.text(.toServer)) | \(lent.text(.toClient)) \(lent.endings)"
      } + recorder.lines + ["\(recorder.fates) \(recorder[.httpRequest])"]
    }

    private func delivery(_ direction: Direction) -> Delivery {
      Delivery(Origin(record: 1, flow: 1, direction: direction), edges: [.start, .end])
    }
  }

  private static let up =
    HTTP2Wire.preface + HTTP2Wire.settings
    + HTTP2Wire.headers(stream: 1, HTTP2Wire.connect("/ws"))
    + HTTP2Wire.data(stream: 1, Array("abc".utf8), padding: 5)
    + HTTP2Wire.frame(6, stream: 0, [UInt8](repeating: 0, count: 8))
    + HTTP2Wire.frame(1, flags: 0, stream: 3, HTTP2Wire.section(HTTP2Wire.connect("/two")))
    + HTTP2Wire.frame(9, flags: 4, stream: 3, [])
    + HTTP2Wire.data(stream: 3, Array("two".utf8))
    + HTTP2Wire.data(stream: 1, Array("def".utf8), endsStream: true)
  private static let down =
    HTTP2Wire.settings + HTTP2Wire.headers(stream: 1, [(":status", "103")])
    + HTTP2Wire.headers(stream: 1, HTTP2Wire.agreed)
    + HTTP2Wire.data(stream: 1, Array("xyz".utf8), padding: 0)
    + HTTP2Wire.headers(stream: 3, HTTP2Wire.agreed)
    + HTTP2Wire.data(stream: 1, [], endsStream: true)
    + HTTP2Wire.frame(3, stream: 3, [0, 0, 0, 8])

  /// More comes ahead of an answer than can wait for it: nothing of it vanishes.
  @Test(arguments: [true, false]) func answerLate(isTiny: Bool) {
    var limits = Limits()
    limits.undecidedBytes = 1000
    let link = Link(limits: limits)
    link.send(
      .toServer,
      HTTP2Wire.preface + HTTP2Wire.settings
        + HTTP2Wire.headers(stream: 1, HTTP2Wire.connect("/ws")))
    link.send(.toClient, HTTP2Wire.settings)
    let content = [UInt8](repeating: 0x61, count: isTiny ? 1 : 400)
    for _ in 0..<20 { link.send(.toServer, HTTP2Wire.data(stream: 1, content)) }
    link.send(.toClient, HTTP2Wire.headers(stream: 1, HTTP2Wire.agreed))
    link.send(.toClient, HTTP2Wire.data(stream: 1, Array("answer".utf8)))
    link.finish()
    #expect(link.recorder.codes == ["http2.answer-late"])
    #expect(link.chooser.all.count == 1 && !link.chooser.all[0].opening.isFromStart)
    #expect(link.chooser.all[0].bytes(.toServer).count == 20 * content.count)
    #expect(link.chooser.all[0].text(.toClient) == "answer")
    #expect(link.isAccounted)
  }

  /// A request behind a hole cannot be read, but its answer says what it was.
  @Test(arguments: [true, false]) func requestThatCannotBeRead(isAnswerFirst: Bool) {
    let link = Link()
    link.send(
      .toServer,
      HTTP2Wire.preface + HTTP2Wire.settings
        + HTTP2Wire.headers(stream: 1, HTTP2Wire.connect("/ws")))
    link.send(.toClient, HTTP2Wire.settings + HTTP2Wire.headers(stream: 1, HTTP2Wire.agreed))
    let answer =
      HTTP2Wire.headers(stream: 3, HTTP2Wire.agreed)
      + HTTP2Wire.data(stream: 3, Array("welcome".utf8))
    if isAnswerFirst { link.send(.toClient, answer) }
    link.gap(.toServer, 30)
    link.send(
      .toServer,
      HTTP2Wire.headers(stream: 3, HTTP2Wire.connect("/two"))
        + HTTP2Wire.data(stream: 1, Array("one".utf8)))
    if !isAnswerFirst { link.send(.toClient, answer) }
    link.send(.toServer, HTTP2Wire.data(stream: 3, Array("hello".utf8)))
    link.send(.toClient, HTTP2Wire.data(stream: 3, Array(" back".utf8)))
    link.finish()
    #expect(link.chooser.all.count == 2)
    let two = link.chooser.all[1]
    #expect(two.opening.carrier == .webSocket && two.opening.isFromStart && two.gaps.isEmpty)
    #expect(two.opening.subprotocol == Array("wamp.2.json".utf8))
    #expect(two.text(.toServer) == "hello" && two.text(.toClient) == "welcome back")
    #expect(link.recorder.codes == ["http2.headers-lost"])
    #expect(link.isAccounted)
  }

  /// The answer was in a hole: what comes behind it is judged by its form, with what was asked.
  @Test func answerThatWasLost() {
    let link = Link()
    link.send(
      .toServer,
      HTTP2Wire.preface + HTTP2Wire.settings
        + HTTP2Wire.headers(stream: 1, HTTP2Wire.connect("/ws")))
    link.send(.toClient, HTTP2Wire.settings)
    link.gap(.toClient, 40)
    link.send(.toServer, HTTP2Wire.data(stream: 1, Array("hello".utf8)))
    link.send(
      .toClient,
      HTTP2Wire.data(stream: 1, Array("wel".utf8)) + HTTP2Wire.data(stream: 1, Array("come".utf8)))
    link.finish()
    #expect(link.chooser.all.map { $0.opening.carrier } == [.stream])
    #expect(link.chooser.all[0].text(.toServer) == "hello")
    #expect(link.chooser.all[0].text(.toClient) == "welcome")
    #expect(link.chooser.all[0].opening.url == Array("ws://router.example/ws".utf8))
    #expect(link.isAccounted)
  }

  /// RFC 9113 §5.1.1: behind a hole at the beginning, a request on stream 1 is the first.
  @Test(arguments: [(1, ["ws://router.example/ws"]), (3, [])])
  func holeAtTheBeginning(number: Int, urls: [String]) {
    let stream = UInt32(number)
    let link = Link()
    link.send(.toClient, HTTP2Wire.settings)
    link.gap(.toServer, 75)
    link.send(
      .toServer,
      HTTP2Wire.settings + HTTP2Wire.headers(stream: stream, HTTP2Wire.connect("/ws"))
        + HTTP2Wire.frame(6, stream: 0, [UInt8](repeating: 0, count: 8)))
    link.send(
      .toClient,
      HTTP2Wire.headers(stream: stream, HTTP2Wire.agreed)
        + HTTP2Wire.data(stream: stream, Array("welcome".utf8)))
    link.finish()
    #expect(link.chooser.all.map { $0.text(.toClient) } == ["welcome"])
    let found = link.chooser.all.map { String(decoding: $0.opening.url, as: Unicode.UTF8.self) }
    #expect(found.filter { !$0.isEmpty } == urls)
    #expect(link.recorder.codes == (urls.isEmpty ? ["http2.headers-lost"] : []))
  }

  /// Nobody answered before it was over.
  @Test(arguments: [
    (Ending.closed, "warning http.upgrade-unanswered"),
    (.endOfEvidence, "note http.upgrade-unanswered"),
  ])
  func unanswered(ending: Ending, line: String) {
    let link = Link()
    link.send(
      .toServer,
      HTTP2Wire.preface + HTTP2Wire.settings
        + HTTP2Wire.headers(stream: 1, HTTP2Wire.connect("/ws")))
    link.send(.toClient, HTTP2Wire.settings)
    link.finish(ending)
    #expect(link.recorder.lines == [line])
  }

  @Test func everyCut() {
    func reported(_ ups: [[UInt8]], _ downs: [[UInt8]]) -> [String] {
      let link = Link()
      for piece in ups { link.send(.toServer, piece) }
      for piece in downs { link.send(.toClient, piece) }
      link.finish()
      #expect(link.isAccounted)
      return link.reported
    }
    let whole = reported([Self.up], [Self.down])
    #expect(
      whole[0]
        == "abcdef | xyz [TapTraffic.Ending.half, TapTraffic.Ending.half, TapTraffic.Ending.closed]"
    )
    #expect(whole[1] == "two |  [TapTraffic.Ending.reset]")
    #expect(whole[2] == "opened ws://router.example/ws wamp.2.json")
    #expect(difference(forEveryCutOf: Self.up) { reported($0, [Self.down]) } == nil)
    #expect(difference(forEveryCutOf: Self.down) { reported([Self.up], $0) } == nil)
  }

  static func opened(limits: Limits = Limits()) -> Link {
    let link = Link(limits: limits)
    link.send(.toServer, HTTP2Wire.preface + HTTP2Wire.settings)
    link.send(.toClient, HTTP2Wire.settings)
    link.send(.toServer, HTTP2Wire.headers(stream: 1, HTTP2Wire.connect("/ws")))
    link.send(.toClient, HTTP2Wire.headers(stream: 1, HTTP2Wire.agreed))
    return link
  }

  /// A machine with several queues may hand over an answer before its request.
  @Test func answerAheadOfItsRequest() throws {
    let link = Self.opened()
    let ahead = { (stream: UInt32) in HTTP2Wire.headers(stream: stream, HTTP2Wire.agreed) }
    link.send(.toClient, ahead(3) + HTTP2Wire.data(stream: 3, Array("early".utf8)))
    link.send(.toServer, HTTP2Wire.headers(stream: 3, HTTP2Wire.connect("/two")))
    link.send(.toClient, HTTP2Wire.data(stream: 3, Array(", later".utf8), endsStream: true))
    link.send(.toClient, HTTP2Wire.headers(stream: 5, [(":status", "403")]))
    link.send(.toServer, HTTP2Wire.headers(stream: 5, HTTP2Wire.connect("/three")))
    #expect(link.recorder.codes == ["http.upgrade-refused"])
    // Twice, and never asked for.
    for _ in 0..<2 {
      link.send(.toClient, ahead(9) + HTTP2Wire.data(stream: 9, Array("unasked".utf8)))
    }
    // What follows a hole does not follow what was kept.
    link.send(.toClient, ahead(7) + HTTP2Wire.data(stream: 7, Array("lost".utf8)))
    link.gap(.toClient, 10)
    link.send(.toServer, HTTP2Wire.headers(stream: 7, HTTP2Wire.connect("/four")))
    link.finish()
    #expect(link.chooser.all.map { $0.text(.toClient) } == ["", "early, later"])
    #expect(link.isAccounted)
  }

  /// A hole within the content of a frame costs what it swallows and nothing else.
  @Test func holeInContent() throws {
    let link = Self.opened()
    let data = HTTP2Wire.data(stream: 1, Array("0123456789".utf8))
    link.send(.toServer, Array(data.prefix(12)))
    link.gap(.toServer, 4)
    link.send(.toServer, Array(data.dropFirst(16)))
    link.send(.toServer, HTTP2Wire.headers(stream: 3, HTTP2Wire.connect("/two")))
    link.send(.toClient, HTTP2Wire.headers(stream: 3, HTTP2Wire.agreed))
    let lent = try #require(link.chooser.all.first)
    #expect(lent.lines == ["toServer@0 012", "toServer gap 4@0", "toServer@3 789"])
    #expect(link.chooser.all.count == 2)
    #expect(link.recorder.codes.isEmpty)
    #expect(link.isAccounted)
  }

  /// A hole anywhere else costs the fields of its direction, but not the conversations.
  @Test func holeInFrames() throws {
    let link = Self.opened()
    link.gap(.toServer, 50)
    link.send(.toServer, Array("the middle of something".utf8))
    link.send(.toServer, HTTP2Wire.data(stream: 1, Array("after".utf8)))
    link.send(.toServer, HTTP2Wire.headers(stream: 3, HTTP2Wire.connect("/two")))
    link.send(.toServer, HTTP2Wire.data(stream: 3, Array("unknown".utf8)))
    link.send(.toClient, HTTP2Wire.headers(stream: 3, HTTP2Wire.agreed))
    let lent = try #require(link.chooser.all.first)
    #expect(lent.text(.toServer) == "after")
    #expect(lent.gaps.count == 1)
    #expect(link.recorder.codes == ["http2.headers-lost", "http2.framing-lost"])
    // What nobody can read the fields of is reported by what it carries.
    let guess = try #require(link.chooser.all.last)
    #expect(link.chooser.all.count == 2 && guess.text(.toServer) == "unknown")
    #expect(guess.opening.isMultiplexed && !guess.opening.isFromStart)
    #expect(link.isAccounted)
  }

  /// Fields that refer to the table of those before them, in the size that the other side allows.
  @Test func table() {
    let link = Link()
    link.send(.toServer, HTTP2Wire.preface + HTTP2Wire.settings)
    link.send(.toClient, HTTP2Wire.frame(4, stream: 0, [0, 1, 0, 1, 0, 0]))
    let section = HTTP2Wire.section(HTTP2Wire.connect("/ws"), isIndexed: true)
    // A table of 65,536 bytes (RFC 7541 §6.3).
    link.send(
      .toServer, HTTP2Wire.frame(1, flags: 4, stream: 1, [0x3F, 0xE1, 0xFF, 0x03] + section))
    // All seven fields by their place in it: the last one is number 62.
    let again = (62...68).reversed().map { UInt8(0x80 | $0) }
    link.send(.toServer, HTTP2Wire.frame(1, flags: 4, stream: 3, again))
    for stream: UInt32 in [1, 3] {
      link.send(.toClient, HTTP2Wire.headers(stream: stream, HTTP2Wire.agreed))
    }
    #expect(
      link.recorder.lines
        == [String](
          repeating: "opened ws://router.example/ws wamp.2.json", count: 2))
  }

  @Test func tooManyStreams() {
    var limits = Limits()
    limits.http2Streams = 2
    let link = Self.opened(limits: limits)
    for stream: UInt32 in [3, 5, 7] {
      link.send(.toServer, HTTP2Wire.headers(stream: stream, HTTP2Wire.connect("/ws")))
    }
    #expect(link.recorder.codes == ["http2.too-many-streams"])
  }

  @Test(arguments: [
    (HTTP2Wire.frame(0, stream: 0, [1]), ["http2.bad-frame"]),
    (HTTP2Wire.frame(0, flags: 8, stream: 1, [9, 1]), ["http2.bad-frame"]),
    (HTTP2Wire.frame(8, stream: 1, [1]), ["http2.bad-frame"]),
    (HTTP2Wire.frame(9, flags: 4, stream: 1, []), ["http2.bad-frame", "http2.headers-lost"]),
    (HTTP2Wire.frame(1, flags: 4, stream: 5, [0x80]), ["http2.headers-lost"]),
    (HTTP2Wire.frame(1, flags: 12, stream: 5, [7, 0]), ["http2.bad-frame", "http2.headers-lost"]),
    (HTTP2Wire.frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0]), []),
    (HTTP2Wire.frame(99, flags: 255, stream: 5, [1, 2, 3]), []),
  ])
  func broken(frame: [UInt8], codes: [String]) throws {
    let link = Self.opened()
    link.send(.toServer, frame)
    link.send(.toServer, HTTP2Wire.data(stream: 1, Array("on".utf8)))
    #expect(link.recorder.codes == codes)
    #expect(try #require(link.chooser.all.first).text(.toServer) == "on")
    #expect(link.isAccounted)
  }

  @Test("what a CONTINUATION continues may be lost in a gap") func continuesWhatIsLost() {
    let link = Self.opened()
    link.gap(.toServer, 40)
    link.send(
      .toServer,
      HTTP2Wire.frame(9, flags: 4, stream: 3, []) + HTTP2Wire.data(stream: 1, Array("on".utf8)))
    link.finish()
    #expect(link.recorder.codes == ["http2.headers-lost"])
    #expect(link.chooser.all.first?.text(.toServer) == "on")
    #expect(link.isAccounted)
  }

  @Test func foreign() {
    let link = Link()
    link.send(.toServer, Array("PRI * HTTP/2.0\r\n\r\nXX".utf8))
    link.send(.toClient, Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
    link.finish()
    #expect(link.recorder.codes == ["http2.bad-frame", "http2.bad-frame"])
    #expect(link.isAccounted)
  }
}
