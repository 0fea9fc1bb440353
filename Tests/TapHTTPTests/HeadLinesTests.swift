// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

/// The heads that opened a connection, for those who ask for them: no credential is in them.
@Suite struct HeadLinesTests {
  private let token = String(repeating: "t", count: 41)

  private func heads(reportsHeads: Bool) -> [String] {
    let talk = HTTPConversation(reportsHeads: reportsHeads)
    talk.send(
      .toServer,
      """
      GET /chat?token=secret1&room=7 HTTP/1.1\r
      Host: server.example.com\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Cookie: session=secret2\r
      Authorization: Bearer secret3\r
      X-Api-Key: secret4\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Protocol: wamp.2.json,  \(token)\r
      \r

      """)
    talk.send(
      .toClient, upgradeResponse("Sec-WebSocket-Protocol: wamp.2.json\r\nSet-Cookie: a=secret5\r\n")
    )
    return talk.chooser.all.first?.opening.heads.map {
      String(decoding: $0, as: Unicode.UTF8.self)
    } ?? []
  }

  @Test func requestAndResponse() {
    #expect(
      heads(reportsHeads: true) == [
        "> GET /chat?token=secret1&room=7 HTTP/1.1", "> host: server.example.com",
        "> upgrade: websocket", "> connection: Upgrade", "> cookie: session=secret2",
        "> authorization: Bearer secret3",
        "> x-api-key: secret4", "> sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
        "> sec-websocket-protocol: wamp.2.json,  \(token)", "< HTTP/1.1 101 Switching Protocols",
        "< upgrade: WebSocket", "< connection: Upgrade",
        "< sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "< sec-websocket-protocol: wamp.2.json", "< set-cookie: a=secret5",
      ])
  }

  @Test func onlyWhereTheyWereAskedFor() { #expect(heads(reportsHeads: false) == []) }
}
