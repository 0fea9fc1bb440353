// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapHTTP

/// No credential of a handshake is told.
@Suite struct RedactionTests {
  @Test(arguments: [
    ("ws://host/chat", "ws://host/chat"),
    ("ws://user:hunter2@host:80/chat?v=1", "ws://***@host:80/chat?v=1"),
    ("ws://us@er:hunter2@host", "ws://***@host"),
    ("/chat?v=1;token=s3cretsecret", "/chat?v=1;token=***"),
    ("/chat?token=s3cretsecret;v=1&room=a", "/chat?token=***;v=1&room=a"),
    ("/chat?0123456789abcdef;x", "/chat?***;x"),
    ("/a@b?next=ws://u:p@h", "/a@b?next=***"),
    ("/chat?", "/chat?"),
  ])
  func urls(url: String, shown: String) {
    #expect(ShownURL.url(Array(url.utf8)) == Array(shown.utf8))
  }

  @Test(arguments: [
    ("cannot reach wss://u:p@h/ws?token=s3cret: refused", "cannot reach wss://***@h/ws?token=***"),
    ("GET '/ws?key=s3cret' failed", "GET '/ws?key=***' failed"),
    ("(see http://h/a?v=1), really", "(see http://h/a?v=1), really"),
    ("Authorization: Bearer abc.def gone", "Authorization: Bearer *** gone"),
    ("timed out", "timed out"), ("really?", "really?"),
  ])
  func texts(text: String, shown: String) { #expect(ShownURL.text(text).hasPrefix(shown)) }

  @Test(arguments: [
    "wamp.2.msgpack.batched", "v12.stomp", "graphql-transport-ws", "actioncable-v1-json",
    "base64.channel.k8s.io", "com.microsoft.minecraft.wsencrypt", "ocpp2.0.1", "",
  ])
  func names(name: String) {
    #expect(Opening.shown(subprotocol: Array(name.utf8)) == Array(name.utf8))
  }

  @Test(arguments: [
    "0123456789abcdef0123456789abcdef", "123e4567-e89b-12d3-a456-426614174000",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "base64url.bearer.authorization.k8s.io.bXl0b2tlbg",
  ])
  func tokens(token: String) {
    #expect(Opening.shown(subprotocol: Array(token.utf8)) == Array("***".utf8))
    let talk = Talk(tellsHeads: true)
    talk.send(.toServer, upgradeRequest("Sec-WebSocket-Protocol: \(token)\r\n"))
    talk.send(.toClient, upgradeResponse("Sec-WebSocket-Protocol: \(token)\r\n"))
    let opening = talk.chooser.all[0].opening
    #expect(opening.subprotocol == Array(token.utf8), "a dialect may know it")
    #expect(talk.recorder.lines == ["opened ws://server.example.com/chat ***"])
    let heads = opening.heads.map { String(decoding: $0, as: Unicode.UTF8.self) }
    #expect(!heads.contains { $0.contains(token) })
  }

  /// A request to a proxy names all of the URL (RFC 9112 §3.2.2).
  @Test func absoluteForm() {
    let talk = Talk(tellsHeads: true)
    talk.send(.toServer, upgradeRequest(target: "http://user:hunter2@chat.example/ws"))
    talk.send(.toClient, upgradeResponse())
    #expect(talk.recorder.lines == ["opened ws://***@chat.example/ws "])
    let heads = talk.chooser.all[0].opening.heads
    #expect(heads[0] == Array("> GET http://***@chat.example/ws HTTP/1.1".utf8))
  }
}
