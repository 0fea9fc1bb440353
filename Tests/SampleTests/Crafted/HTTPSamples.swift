// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

extension Crafted {
  static let http = [
    Crafted("http/refused/input.pcap", refused),
    Crafted("http/accept-mismatch/input.pcap", acceptMismatch),
    Crafted("http/bad-upgrade/input.pcap", badUpgrade),
    Crafted("http/keep-alive/input.pcap", keepAlive),
    Crafted("http/big-head/input.pcap.gz", bigHead),
    Crafted("http/pipeline/input.pcap.gz", pipeline),
  ]

  private static func refused() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.request(path: "/ws?ticket=8d1f0c44e2")
    talk.send(
      .toClient,
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n"
        + "Content-Length: 13\r\n\r\nno ticket, no")
    talk.end()
    var moved = Dialogue.from(50_001)
    moved.connect()
    moved.request(path: "/ws")
    moved.send(.toClient, "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n")
    moved.end()
    // The body is longer than its length says.
    var again = Dialogue.from(50_002)
    again.connect()
    again.request()
    again.send(.toClient, "HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nnever")
    again.request()
    again.respond()
    again.join()
    again.leave()
    return Dialogue.pcap([talk, moved, again])
  }

  /// More requests than are remembered, all of them ahead of their answers, and an upgrade.
  private static func pipeline() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    let count = 1100
    let request = "GET /health HTTP/1.1\r\nHost: router.example\r\n\r\n"
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    for _ in 0..<count / 50 { talk.send(.toServer, String(repeating: request, count: 50)) }
    talk.request()
    for _ in 0..<count / 50 { talk.send(.toClient, String(repeating: answer, count: 50)) }
    talk.respond()
    talk.join()
    talk.leave()
    return CaptureBuilder.deflatedGzip(talk.pcap())
  }

  /// A handshake as somebody writes it by hand, and a server that limits what it was not asked to.
  private static func badUpgrade() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.send(
      .toServer,
      "POST /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: keep-alive\r\n"
        + "Content-Length: 0\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: abc=\r\n"
        + "Sec-WebSocket-Protocol: wamp.2.json\r\n\r\n")
    talk.respond(accept: "LefanBSsLPDGC/UC55a0y1hjAxA=")
    talk.join()
    talk.leave()
    var limited = Dialogue.from(50_001)
    limited.connect()
    limited.request(extensions: "permessage-deflate; server_max_window_bits=10")
    limited.respond(extensions: "permessage-deflate; client_max_window_bits=10")
    limited.join()
    limited.leave()
    var twice = Dialogue.from(50_002)
    twice.connect()
    twice.send(
      .toServer,
      "GET /ws#top HTTP/1.1\r\nHost: router.example:8080\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: \(twice.key)\r\nSec-WebSocket-Protocol: wamp.2.json\r\n"
        + "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=010\r\n\r\n")
    twice.respond(
      "wamp.2.json\r\nSec-WebSocket-Protocol: wamp.2.json",
      extensions: "permessage-deflate, permessage-deflate")
    twice.join()
    twice.leave()
    var refused = Dialogue.from(50_003)
    refused.connect()
    refused.send(
      .toServer,
      "GET /ws HTTP/1.1\r\nHost: router.example:8080\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Key: \(refused.key)\r\n\r\n")
    refused.send(.toClient, "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n")
    refused.end()
    return Dialogue.pcap([talk, limited, twice, refused])
  }

  private static func acceptMismatch() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.request()
    talk.respond(accept: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
    talk.join()
    talk.leave()
    var bare = Dialogue.from(50_001)
    bare.connect()
    bare.request()
    bare.respond(accept: nil)
    bare.join()
    bare.leave()
    return Dialogue.pcap([talk, bare])
  }

  /// Two requests with bodies before the upgrade on the same connection.
  private static func keepAlive() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    talk.send(.toServer, "GET /info HTTP/1.1\r\nHost: router.example:8080\r\n\r\n")
    talk.send(
      .toClient,
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "7\r\n{\"a\":1,\r\n6\r\n\"b\":2}\r\n0\r\n\r\n")
    talk.send(
      .toServer,
      "POST /login HTTP/1.1\r\nHost: router.example:8080\r\nContent-Length: 8\r\n\r\nuser=joe")
    talk.send(.toClient, "HTTP/1.1 100 Continue\r\n\r\n")
    talk.send(.toClient, "HTTP/1.1 204 No Content\r\n\r\n")
    talk.request()
    talk.respond()
    talk.join()
    talk.leave()
    return talk.pcap()
  }

  private static func bigHead() -> [UInt8] {
    var talk = Dialogue()
    talk.connect()
    let cookie = String(repeating: "session=0123456789; ", count: 3500)
    let text = "GET /ws HTTP/1.1\r\nHost: router.example:8080\r\nCookie: \(cookie)\r\n\r\n"
    let head = Array(text.utf8)
    for start in stride(from: 0, to: head.count, by: 1400) {
      talk.send(.toServer, Array(head[start..<min(start + 1400, head.count)]))
    }
    talk.send(
      .toClient, "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\n\r\n")
    talk.end()
    return CaptureBuilder.deflatedGzip(talk.pcap())
  }
}
