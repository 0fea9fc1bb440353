// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic

/// Polling sessions of which something is missing.
extension Crafted {
  private static let path = "/socket.io/?EIO=4&transport=polling"

  private static func ask(
    _ talk: inout Dialogue, _ target: String, _ body: String? = nil, host: String = "chat.example"
  ) {
    var head = "\(body == nil ? "GET" : "POST") \(target) HTTP/1.1\r\nHost: \(host)\r\n"
    if let body { head += "Content-Length: \(body.utf8.count)\r\n" }
    talk.send(.toServer, head + "\r\n" + (body ?? ""))
  }

  private static func head(_ length: Int, _ more: String = "") -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(length)\r\n\(more)\r\n"
  }

  private static func answer(_ talk: inout Dialogue, _ body: String) {
    talk.send(.toClient, head(body.utf8.count) + body)
  }

  /// A streaming response with a hole in a frame, and one that ends inside of a frame.
  static func sockJSLoss() -> [UInt8] {
    let path = "/echo/000/abcdefg5/xhr"
    func head(_ talk: inout Dialogue) {
      talk.send(
        .toClient, "HTTP/1.1 200 OK\r\nContent-Type: application/javascript\r\n\r\n")
    }
    var talk = Dialogue.from(50_000)
    talk.connect()
    talk.send(.toServer, "POST \(path)_streaming HTTP/1.1\r\nHost: chat.example\r\n\r\n")
    head(&talk)
    talk.send(.toClient, String(repeating: "h", count: 2048) + "\no\n")
    talk.send(.toClient, "a[\"one\"]\na[\"t")
    talk.send(.toClient, "wo\"]\na[\"thr")
    talk.drop()
    talk.send(.toClient, "ee\"]\na[\"four\"]\n")
    talk.send(.toClient, "a[\"fi")
    talk.end()
    return talk.pcap()
  }

  /// Holes in bodies with a length and in chunks, a hole that swallows an answer, and a body of
  /// revision 3 with a wrong length.
  static func engineIOPollingLoss() -> [UInt8] {
    var talk = Dialogue.from(50_000)
    talk.connect()
    ask(&talk, path)
    answer(
      &talk,
      #"0{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":[],"pingInterval":25000,"pingTimeout":20000}"#)
    let session = path + "&sid=lv_VI97HAXpY6yYWAAAC"
    ask(&talk, session, "40")
    answer(&talk, "ok")
    ask(&talk, session)
    let parts = [
      "40{\"sid\":\"w\"}\u{1E}42[\"a", "b\"]\u{1E}42[\"c\"]\u{1E}42[", "\"d\"]\u{1E}42[\"e\"]",
    ]
    talk.send(.toClient, head(parts.joined().utf8.count) + parts[0])
    talk.send(.toClient, parts[1])
    talk.drop()
    talk.send(.toClient, parts[2])
    // In chunks: the next of them is found again.
    ask(&talk, session)
    talk.send(
      .toClient, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    talk.send(.toClient, "8\r\n42[\"f\"]\u{1E}\r\n")
    talk.send(.toClient, "8\r\n42[\"g\"]\u{1E}\r\n")
    talk.drop()
    talk.send(.toClient, "8\r\n42[\"h\"]\u{1E}\r\n")
    talk.send(.toClient, "7\r\n42[\"i\"]\r\n0\r\n\r\n")
    // A whole answer is lost.
    ask(&talk, session)
    answer(&talk, "42[\"j\"]")
    talk.drop()
    ask(&talk, session)
    answer(&talk, "42[\"k\"]")
    ask(&talk, session, "41\u{1E}1")
    answer(&talk, "ok")
    // Revision 3, whose lengths do not fit.
    var old = Dialogue.from(50_001)
    old.clock = talk.clock
    old.connect()
    let three = "/socket.io/?EIO=3&transport=polling"
    ask(&old, three)
    answer(
      &old,
      #"77:0{"sid":"AbCdEfGhIjKl","upgrades":[],"pingInterval":25000,"pingTimeout":5000}2:40"#
    )
    ask(&old, three + "&sid=AbCdEfGhIjKl", "9:42[\"a\"]")
    answer(&old, "ok")
    return Dialogue.pcap([talk, old])
  }

  /// A session that tries a WebSocket which ends early, moves to the next, and opens a third.
  static func engineIOUpgrades() -> [UInt8] {
    var talk = Dialogue.from(50_000)
    talk.connect()
    // As `open` names it.
    let host = "router.example:8080"
    ask(&talk, path, host: host)
    answer(
      &talk,
      #"0{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":["websocket"],"pingInterval":25000,"#
        + #""pingTimeout":20000}"#)
    let session = path + "&sid=lv_VI97HAXpY6yYWAAAC"
    ask(&talk, session, "40", host: host)
    answer(&talk, "ok")
    func webSocket(_ port: UInt16, _ body: (inout Dialogue) -> Void) -> Dialogue {
      var other = Dialogue.from(port)
      other.open(
        nil, path: "/socket.io/?EIO=4&transport=websocket&sid=lv_VI97HAXpY6yYWAAAC")
      other.text(.toServer, "2probe")
      other.text(.toClient, "3probe")
      body(&other)
      return other
    }
    let cut = webSocket(50_001) { $0.close() }
    ask(&talk, session, host: host)
    answer(&talk, #"40{"sid":"w"}"#)
    let moved = webSocket(50_002) {
      $0.text(.toServer, "5")
      $0.text(.toClient, #"42["a"]"#)
    }
    let second = webSocket(50_003) { $0.close() }
    var late = Dialogue.from(50_004)
    late.connect()
    ask(&late, session, #"42["late"]"#, host: host)
    answer(&late, "ok")
    return Dialogue.pcap([talk, cut, moved, second, late])
  }
}
