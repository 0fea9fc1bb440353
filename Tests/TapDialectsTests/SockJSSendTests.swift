// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Messages that a client sent over HTTP and that were not answered.
@Suite("Sends of SockJS without an answer") struct SockJSSendTests {
  private static func delivery(_ direction: Direction, _ milliseconds: Int64) -> Delivery {
    let time = Instant(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000)
    return Delivery(Origin(time: time, record: 1, flow: 1, direction: direction))
  }

  private static func at(_ milliseconds: Int64) -> Instant {
    delivery(.unknown, milliseconds).origin.time
  }

  @Test(
    "who ended the connection is reported, and a client that leaves at once blames nobody",
    arguments: [
      (.cutOff(by: .toClient, at: at(1)), "the server closed the connection without an answer"),
      (.cutOff(by: .toServer, at: at(1)), nil), (.cutOff(by: .toServer, at: at(4900)), nil),
      (
        .cutOff(by: .toServer, at: at(6200)),
        "the server did not answer, and after 6.2 s the client closed the connection"
      ),
      (.cutOff(by: .unknown, at: at(7000)), "the server did not answer in 7.0 s"),
      (.unfinished, "the server did not answer in 7.0 s"), (.whole, nil), (.lost, nil),
    ] as [(HTTPBodyEnd, String?)])
  func unanswered(_ end: HTTPBodyEnd, _ reported: String?) throws {
    let run = RunContext(limits: Limits())
    let recorder = Recorder()
    let exchange = try Self.exchange(run)
    let body = Array(#"["hello"]"#.utf8)
    _ = exchange.receive(body.span.bytes, Self.delivery(.toServer, 0), recorder)
    exchange.end(.whole, Self.delivery(.toServer, 0), recorder)
    exchange.end(end, Self.delivery(.toClient, 7000), recorder)
    run.sessions.finish(recorder)
    let found = recorder.findings.filter { $0.code == .sockJSSendUnanswered }.map(\.text)
    let wanted = reported.map { "\($0): whether it took what this request sent is not known" }
    #expect(found == (wanted.map { [$0] } ?? []))
  }

  private static func exchange(_ run: RunContext) throws -> SockJSExchange {
    let connection = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
    let url = Array("http://x/echo/000/abcdefgh/xhr_send".utf8)
    let request = HTTPRequest(
      method: "POST", url: url, contentType: [], connection: connection, origin: Origin())
    let parsed = try #require(SockJSURL(url))
    return try #require(SockJSExchange(request, parsed, run))
  }

  @Test("the rest of a body that has a hole, or is too long, is no message", arguments: [3, nil])
  func rest(hole: Int?) throws {
    var limits = Limits()
    if hole == nil { limits.messageBytes = 10 }
    let run = RunContext(limits: limits)
    let recorder = Recorder()
    let exchange = try Self.exchange(run)
    let delivery = Self.delivery(.toServer, 0)
    _ = exchange.receive(Array(#"["one","#.utf8).span.bytes, delivery, recorder)
    if let hole {
      exchange.gap(hole, delivery, recorder)
    } else {
      _ = exchange.receive(Array(#""two","#.utf8).span.bytes, delivery, recorder)
    }
    _ = exchange.receive(Array(#""three"]"#.utf8).span.bytes, delivery, recorder)
    exchange.end(.whole, delivery, recorder)
    run.sessions.finish(recorder)
    #expect(recorder.codes == ["sockjs.body-incomplete"])
  }

  @Test("of too many places, the oldest is forgotten") func places() {
    var limits = Limits()
    limits.sockJSPlaces = 2
    let places = SockJSPlaces(limits: limits)
    let connection = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
    for place in [1, 2, 1, 3] as [UInt8] { places.add(connection, [place]) }
    #expect([1, 2, 3].map { places.contains(connection, [$0]) } == [false, true, true])
  }
}
