// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapHTTP
import TapTesting
import TapTraffic
import Testing

/// Where a hole has swallowed the end of a chunk of a body that somebody reads: the next chunk, or
/// head, begins a segment, however that is cut.
@Suite struct ChunkSearchTests {
  /// Reads all bodies.
  private final class Reading: HTTPExchangeReader, Chooser {
    var content: [UInt8] = []
    /// What it holds has no fate until a body is over.
    var holds = false
    var continuesSession: Bool { false }

    private(set) var handedOver = 0

    func layer(for _: Opening) -> any Layer {
      handedOver += 1
      return NullLayer()
    }
    func reader(of _: HTTPRequest, _: any Listener) -> (any HTTPExchangeReader)? { self }
    func answered(status _: Int, contentType _: [UInt8], _: Delivery, _: any Listener) {}
    func gap(_: Int?, _: Delivery, _: any Listener) { content += Array("…".utf8) }
    func end(_ end: HTTPBodyEnd, _: Delivery, _: any Listener) {
      content += Array(end == .whole ? "|".utf8 : "!".utf8)
    }
    func receive(_ body: RawSpan, _: Delivery, _: any Listener) -> HTTPBodyUse {
      content += body.copied()
      return holds ? HTTPBodyUse(held: body.byteCount) : HTTPBodyUse()
    }
  }

  @Test(arguments: [
    ("5\r\nthere\r\n0\r\n\r\n", "|he…there|"), ("12345678\r\nthere", "|he…there!"),
    ("123456789\r\nthere", "|he…!"), ("5\rthere", "|he…!"), ("5", "|he…!"), ("5\r", "|he…!"),
    ("\r\nthere", "|he…!"), ("de", "|he…!"), ("5;x\r\nthere", "|he…!"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "|he…!"),
    ("HTTP/1", "|he…!"), ("HTTP/2", "|he…!"),
  ])
  func nextChunk(segment: String, content: String) {
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let (reading, recorder) = (Reading(), Recorder())
      let opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
      var layer = HTTPLayer(opening, reading, limits: Limits())
      var fed = 0
      func send(_ direction: Direction, _ bytes: [UInt8], _ edges: Delivery.Edges) {
        var delivery = Delivery(Origin(record: 1, flow: 1, direction: direction))
        delivery.edges = edges
        layer.receive(bytes.span.bytes, delivery, recorder)
        fed += bytes.count
      }
      send(.toServer, Array("POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n".utf8), [.start, .end])
      let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe"
      send(.toClient, Array(head.utf8), [.start, .end])
      layer.gap(9, Delivery(Origin(record: 1, flow: 1, direction: .toClient)), recorder)
      for (index, piece) in pieces.enumerated() {
        var edges: Delivery.Edges = index == 0 ? .start : []
        if index == pieces.count - 1 { edges.insert(.end) }
        send(.toClient, piece, edges)
      }
      layer.finish(.closed, Delivery(Origin(record: 1, flow: 1, direction: .toClient)), recorder)
      #expect(String(decoding: reading.content, as: Unicode.UTF8.self) == content)
      #expect(recorder.fates.reduce(0, +) == fed)
      return recorder.lines + recorder.fates.map { "\($0)" }
    }
    #expect(difference(forEveryCutOf: Array(segment.utf8), reported: reported) == nil)
  }

  /// What follows a lost head of an answer is its chunks, or the rest of a body. What follows a lost
  /// request is its body, or frames of WebSocket, which the request has asked for.
  @Test(
    arguments: [
      (.toClient, "5\r\nthere\r\n0\r\n\r\n", "|there|"), (.toClient, "there", "|!"),
      (.toClient, "\u{1}\u{2}hi", "|!"), (.toServer, "5\r\nthere", "|!"),
      (.toServer, "\u{1}\u{82}hi", "|!+"),
    ] as [(Direction, String, String)])
  func lostHead(direction: Direction, segment: String, content: String) {
    func reported(_ pieces: [[UInt8]]) -> String {
      let (reading, recorder) = (Reading(), Recorder())
      let opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
      var layer = HTTPLayer(opening, reading, limits: Limits())
      func place(_ direction: Direction, _ edges: Delivery.Edges = []) -> Delivery {
        Delivery(Origin(record: 1, flow: 1, direction: direction), edges: edges)
      }
      let request = Array("GET /a HTTP/1.1\r\n\r\n".utf8)
      layer.receive(request.span.bytes, place(.toServer, [.start, .end]), recorder)
      layer.gap(60, place(direction), recorder)
      for (index, piece) in pieces.enumerated() {
        var edges: Delivery.Edges = index == 0 ? .start : []
        if index == pieces.count - 1 { edges.insert(.end) }
        layer.receive(piece.span.bytes, place(direction, edges), recorder)
      }
      layer.finish(.closed, place(.toClient), recorder)
      let over = String(repeating: "+", count: reading.handedOver)
      return String(decoding: reading.content, as: Unicode.UTF8.self) + over
    }
    let found = difference(forEveryCutOf: Array(segment.utf8), reported: reported)
    #expect(found == nil)
    #expect(reported([Array(segment.utf8)]).replacing("…", with: "") == content)
  }

  @Test("what is held of a body is accounted for when the connection becomes something else")
  func upgradeInsideOfABody() {
    for answer in [upgradeResponse(), "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"] {
      let (reading, recorder) = (Reading(), Recorder())
      reading.holds = true
      let opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
      var layer = HTTPLayer(opening, reading, limits: Limits())
      let request = "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello"
      let talk = [(Direction.toServer, request), (.toClient, answer)]
      for (direction, text) in talk {
        let bytes = Array(text.utf8)
        let delivery = Delivery(Origin(record: 1, flow: 1, direction: direction))
        layer.receive(bytes.span.bytes, delivery, recorder)
      }
      layer.finish(.closed, Delivery(Origin(record: 1, flow: 1, direction: .toClient)), recorder)
      #expect(recorder.fates.reduce(0, +) == request.utf8.count + answer.utf8.count)
      #expect(recorder[.incomplete] == 5)
      #expect(reading.content == Array("hello!!".utf8))
    }
  }
}
