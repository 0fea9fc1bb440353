// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Clients that connect again and again.
@Suite("Reconnects") struct ReconnectTests {
  private enum End {
    case reset, fin, byServer(UInt16), byClient(UInt16)
    /// The first connection is reset; all others are answered by this status, or by RST.
    case refused(String), closedPort
  }

  private struct Case: Sendable {
    var name: String
    /// Milliseconds before each connection but the first.
    var waits: [UInt64]
    var end: End
    /// Milliseconds that each connection lasts.
    var life: UInt64 = 10
    var codes: [String] = []
  }

  private static let storm = "connection.reconnect-storm"
  private static let backoff = "connection.reconnect-backoff"
  private static let often = [UInt64](repeating: 100, count: 6)

  private static let cases: [Case] = [
    Case(name: "resets", waits: often, end: .reset, codes: [storm]),
    Case(name: "no CLOSE", waits: often, end: .fin, codes: [storm]),
    Case(name: "the server's CLOSE", waits: often, end: .byServer(1008), codes: [storm]),
    Case(name: "the client gives up", waits: often, end: .byClient(1011), codes: [storm]),
    Case(name: "the client is done each time", waits: often, end: .byClient(1000)),
    Case(name: "too few", waits: Array(often.prefix(4)), end: .reset),
    Case(name: "slow", waits: [UInt64](repeating: 5000, count: 8), end: .reset),
    Case(name: "each lasted long", waits: often, end: .reset, life: 40_000),
    Case(name: "waits longer", waits: [100, 200, 400, 800, 1600], end: .reset, codes: [backoff]),
    Case(name: "503", waits: often, end: .refused("503 Unavailable"), codes: [storm]),
    Case(
      name: "401, and longer", waits: [100, 200, 400, 800], end: .refused("401 No"),
      codes: [backoff]),
    Case(name: "closed port", waits: often, end: .closedPort, codes: [storm]),
    Case(name: "closed port, slow", waits: [UInt64](repeating: 5000, count: 8), end: .closedPort),
    Case(
      name: "waits longer, about", waits: [1000, 2300, 2000, 4100, 7600], end: .fin,
      codes: [backoff]),
    Case(
      name: "many", waits: [UInt64](repeating: 50, count: 40), end: .reset,
      codes: [storm, storm, storm, storm]),
  ]

  @Test(arguments: cases.indices) func reported(index: Int) {
    let one = Self.cases[index]
    var options = LineRenderer.Options()
    (options.showsAll, options.showsNotes) = (true, true)
    let inspector = Inspector(LineRenderer(options), Inspector.Options())
    let engine = Engine(inspector, limits: Limits())
    var clock: UInt64 = 1_767_225_600_000_000_000
    var number: UInt64 = 0
    for attempt in 0...one.waits.count {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + attempt)))
      talk.clock = clock
      if attempt > 0, Self.refuse(&talk, one.end) {
        clock = show(talk, &number, engine)
        if attempt < one.waits.count { clock += one.waits[attempt] * 1_000_000 }
        continue
      }
      talk.open("chat.v1")
      talk.text(.toServer, "hello")
      talk.wait(milliseconds: one.life)
      switch one.end {
      case .refused, .closedPort: talk.capture(talk.conversation.rst(.toClient))
      case .reset: talk.capture(talk.conversation.rst(.toClient))
      case .fin: talk.end()
      case .byServer(let code):
        talk.close(.toClient, code)
        talk.close(.toServer, code)
        talk.end()
      case .byClient(let code):
        talk.close(.toServer, code)
        talk.close(.toClient, code)
        talk.end()
      }
      clock = show(talk, &number, engine)
      if attempt < one.waits.count { clock += one.waits[attempt] * 1_000_000 }
    }
    engine.finish()
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    let reported = text.split(separator: "\n").compactMap { line in
      [Self.storm, Self.backoff].first { line.contains(" \($0) ") }
    }
    #expect(reported == one.codes, "\(one.name)")
  }

  /// Shows the packets of an attempt; answers when the last of them came.
  private func show(_ talk: Dialogue, _ number: inout UInt64, _ engine: Engine) -> UInt64 {
    engine.receive(talk.packets, before: number)
    number += UInt64(talk.packets.count)
    return talk.clock
  }

  /// An attempt that leads to nothing; false where the attempts of a case lead to something.
  private static func refuse(_ talk: inout Dialogue, _ end: End) -> Bool {
    switch end {
    case .refused(let status):
      talk.connect()
      talk.request("chat.v1")
      talk.send(.toClient, "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
      talk.end()
    case .closedPort:
      talk.capture(talk.conversation.handshake()[0])
      talk.conversation.serverNext = 0
      talk.capture(talk.conversation.rst(.toClient))
    default: return false
    }
    return true
  }

  /// Closed ports where nobody has had a connection are reported once of a client and a server.
  @Test(arguments: [(50, 50, 1), (4, 50, 0), (50, 5000, 0)] as [(Int, UInt64, UInt64)])
  func otherPorts(attempts: Int, wait: UInt64, warnings: UInt64) {
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())
    let engine = Engine(inspector, limits: Limits())
    var number: UInt64 = 0
    for attempt in 0..<attempts {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + attempt)))
      talk.clock += UInt64(attempt) * wait * 1_000_000
      #expect(Self.refuse(&talk, .closedPort))
      _ = show(talk, &number, engine)
    }
    engine.finish()
    #expect(inspector.summary.warnings == warnings && inspector.summary.notes == 0)
  }

  /// SYNs that nobody answers are reported once of a client and a server.
  @Test(
    "nobody answers",
    arguments: [
      // As TCP sends them again; by several attempts; copies of one; answered at last.
      ([1000, 2000, 4000, 8000], 1, false, 1), ([1000, 2000], 2, false, 1),
      ([1000, 2000, 4000], 1, false, 0), ([0, 0, 1, 1, 300, 0], 9, false, 0),
      ([1000, 2000], 9, true, 1), ([1000], 3, true, 0),
    ] as [([UInt64], Int, Bool, UInt64)])
  func silence(waits: [UInt64], attempts: Int, isAnswered: Bool, warnings: UInt64) {
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())
    let engine = Engine(inspector, limits: Limits())
    var number: UInt64 = 0
    for attempt in 0..<attempts {
      var talk = Dialogue(Conversation(clientPort: UInt16(50_000 + attempt)))
      talk.clock += UInt64(attempt) * 60_000_000_000
      let handshake = talk.conversation.handshake()
      talk.capture(handshake[0])
      for wait in waits {
        talk.wait(milliseconds: wait)
        talk.capture(handshake[0])
      }
      if isAnswered {
        for packet in handshake.dropFirst() { talk.capture(packet) }
        // What is captured twice or late is no attempt any more.
        talk.wait(milliseconds: 5000)
        for _ in 0..<9 { talk.capture(handshake[0]) }
        talk.end()
      }
      _ = show(talk, &number, engine)
    }
    engine.finish()
    #expect(inspector.summary.warnings == warnings, "\(waits)")
  }

  /// When a server goes away, all of its clients behind one address come back, each of them once.
  @Test func herd() {
    var options = Inspector.Options()
    options.limits = Limits()
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), options)
    func origin(_ second: Int64, _ flow: UInt32) -> Delivery {
      Delivery(Origin(time: Instant(nanoseconds: second * 1_000_000_000), flow: flow))
    }
    let client = Endpoint(address: [10, 0, 0, 7], port: 50_000)
    let opening = Opening(
      .webSocket, client: client, server: Endpoint(address: [10, 0, 1, 1], port: 80),
      isFromStart: true)
    for flow in 1...20 as ClosedRange<UInt32> { inspector.opened(opening, origin(1, flow)) }
    for flow in 1...20 as ClosedRange<UInt32> {
      inspector.closed(Closing(isReset: true), origin(2, flow))
    }
    for flow in 1...20 as ClosedRange<UInt32> { inspector.opened(opening, origin(3, flow)) }
    #expect(inspector.summary.warnings == 0)
  }

  /// One more client than are watched takes the place of one, not of all.
  @Test func makesRoomForOne() {
    var options = Inspector.Options()
    options.limits.reconnectingClients = 10
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), options)
    var time: Int64 = 0
    func connect(_ client: UInt8) {
      let opening = Opening(
        .webSocket, client: Endpoint(address: [10, 0, 0, client], port: 50_000),
        server: Endpoint(address: [10, 0, 1, 1], port: 80), isFromStart: true)
      time += 1_000_000
      let origin = Delivery(Origin(time: Instant(nanoseconds: time), flow: 1))
      inspector.opened(opening, origin)
      inspector.closed(Closing(isReset: true), origin)
    }
    for _ in 0..<4 { for client in 1...10 as ClosedRange<UInt8> { connect(client) } }
    connect(11)
    #expect(inspector.summary.warnings == 0)
    // Who was heard of longest ago is forgotten, and all others are known still.
    for _ in 0..<2 { for client in 2...10 as ClosedRange<UInt8> { connect(client) } }
    #expect(inspector.summary.warnings == 9)
    inspector.finish(hasPackets: false)
    #expect(inspector.summary.evicted == 1)
  }

  /// More clients than are watched are counted.
  @Test func bound() {
    var limits = Limits()
    limits.reconnectingClients = 10
    var options = Inspector.Options()
    options.limits = limits
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), options)
    for number in 1...30 {
      let client = Endpoint(address: [10, 0, 0, UInt8(number)], port: 50_000)
      let opening = Opening(
        .webSocket, client: client, server: Endpoint(address: [10, 0, 1, 1], port: 80),
        isFromStart: true)
      let origin = Origin(time: Instant(nanoseconds: Int64(number)), flow: UInt32(number))
      inspector.opened(opening, Delivery(origin))
    }
    #expect(inspector.summary.evicted == 20)
  }
}
