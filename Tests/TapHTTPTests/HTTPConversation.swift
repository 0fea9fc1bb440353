// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapHTTP
import TapTesting
import TapTraffic

/// A TCP connection that is fed to an `HTTPLayer`, and what came of it.
final class HTTPConversation {
  let chooser = RecordingChooser()
  let recorder = Recorder()
  private(set) var fed = 0
  private var layer: HTTPLayer
  private var offsets: [UInt64] = [0, 0]

  init(limits: Limits = Limits(), reportsHeads: Bool = false, isFromStart: Bool = true) {
    let opening = Opening(
      .stream, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
      server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: isFromStart)
    layer = HTTPLayer(opening, chooser, limits: limits, reportsHeads: reportsHeads)
  }

  func send(_ direction: Direction, _ text: String, at time: Int64 = 0) {
    send(direction, Array(text.utf8), at: time)
  }

  /// One segment.
  func send(_ direction: Direction, _ bytes: [UInt8], at time: Int64 = 0) {
    layer.receive(bytes.span.bytes, delivery(direction, time), recorder)
    offsets[Int(direction.rawValue)] += UInt64(bytes.count)
    fed += bytes.count
  }

  /// One segment in pieces.
  func send(_ direction: Direction, pieces: [[UInt8]]) {
    for (index, piece) in pieces.enumerated() {
      var part = delivery(direction, 0)
      if index > 0 { part.edges.remove(.start) }
      if index < pieces.count - 1 { part.edges.remove(.end) }
      layer.receive(piece.span.bytes, part, recorder)
      offsets[Int(direction.rawValue)] += UInt64(piece.count)
      fed += piece.count
    }
  }

  /// - Parameter hasMore: whether what comes behind it was captured before.
  func gap(_ direction: Direction, _ missing: Int?, hasMore: Bool = false) {
    var place = delivery(direction, 0)
    place.edges = hasMore ? .more : []
    layer.gap(missing, place, recorder)
    offsets[Int(direction.rawValue)] += UInt64(missing ?? 0)
  }

  func finish(_ ending: Ending = .closed, _ direction: Direction = .toServer) {
    layer.finish(ending, delivery(direction, 0), recorder)
  }

  /// Bytes that were accounted for or passed on: all that were fed, or something was lost.
  var accounted: Int { recorder[.http] + recorder[.unread] + chooser.delivered }

  /// All that must not depend on how the streams were cut.
  var reported: [String] {
    chooser.all.map { lent in
      let url = String(decoding: lent.opening.url, as: Unicode.UTF8.self)
      return "\(url) fromStart \(lent.opening.isFromStart) \(lent.bytes(.toServer)) "
        + "\(lent.bytes(.toClient)) gaps \(lent.gaps.map(\.missing)) \(lent.endings)"
    } + recorder.lines + [
      "http \(recorder[.http]) unread \(recorder[.unread]) requests \(recorder[.httpRequest])"
    ]
  }

  private func delivery(_ direction: Direction, _ time: Int64) -> Delivery {
    let origin = Origin(
      time: Instant(nanoseconds: time), record: 1, offset: offsets[Int(direction.rawValue)],
      flow: 1, direction: direction)
    return Delivery(origin, edges: [.start, .end])
  }
}

/// The request of RFC 6455 §1.2.
func upgradeRequest(_ extra: String = "", target: String = "/chat", end: String = "\r\n") -> String
{
  [
    "GET \(target) HTTP/1.1", "Host: server.example.com", "Upgrade: websocket",
    "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: wamp.2.json, superchat",
  ].map { $0 + end }.joined() + extra + end
}

/// The response of RFC 6455 §1.3.
func upgradeResponse(_ extra: String = "", end: String = "\r\n") -> String {
  [
    "HTTP/1.1 101 Switching Protocols", "upgrade: WebSocket", "Connection: Upgrade",
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
  ].map { $0 + end }.joined() + extra + end
}
