// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct UpgradeTests {
  @Test func acceptsTheExampleOfTheRFC() throws {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest())
    talk.send(.toClient, upgradeResponse("Sec-WebSocket-Protocol: wamp.2.json\r\n"))
    talk.send(.toServer, "client frames")
    talk.send(.toClient, "server frames")
    talk.finish()
    let lent = try #require(talk.chooser.all.first)
    #expect(talk.chooser.all.count == 1)
    #expect(lent.opening.carrier == .webSocket && lent.opening.isFromStart)
    #expect(lent.opening.url == wire("ws://server.example.com/chat"))
    #expect(lent.opening.subprotocol == wire("wamp.2.json"))
    #expect(lent.opening.offered == [wire("wamp.2.json"), wire("superchat")])
    #expect(lent.opening.extensions.isEmpty && lent.opening.deflate == nil)
    #expect(lent.text(.toServer) == "client frames" && lent.text(.toClient) == "server frames")
    #expect(lent.endings.count == 1)
    #expect(talk.recorder.lines == ["opened ws://server.example.com/chat wamp.2.json"])
    // Offsets go on counting from the beginning of the stream.
    #expect(
      lent.chunks.map(\.delivery.origin.offset)
        == [
          UInt64(upgradeRequest().utf8.count),
          UInt64(upgradeResponse("Sec-WebSocket-Protocol: wamp.2.json\r\n").utf8.count),
        ])
    #expect(talk.accounted == talk.fed)
  }

  @Test(arguments: [
    ("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n", [] as [String]),
    ("Sec-WebSocket-Accept:s3pPLMBiTxaQ9kYGzzhZRbK+xOo= \t\r\n", []),
    ("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOO=\r\n", ["http.accept-mismatch"]),
    ("", ["http.accept-mismatch"]),
    (
      "SEC-WEBSOCKET-ACCEPT: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: superchat\r\n",
      []
    ),
    (
      "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: mqtt\r\n",
      ["websocket.subprotocol-not-offered"]
    ),
  ])
  func acceptAndSubprotocol(fields: String, codes: [String]) {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest())
    let head = "HTTP/1.1 101 x\r\nUpgrade: h2c, websocket\r\nConnection: x, upgrade\r\n"
    talk.send(.toClient, head + fields + "\r\n")
    #expect(talk.recorder.codes == codes)
    #expect(talk.chooser.all.count == 1, "it is decoded all the same")
  }

  /// RFC 7692 §7.1: what the server settled, with the bits of the server and of the client.
  @Test(arguments: [
    ("permessage-deflate", true, true, 15, 15, 0),
    ("permessage-deflate; server_no_context_takeover", false, true, 15, 15, 0),
    ("permessage-deflate;client_no_context_takeover", true, false, 15, 15, 0),
    ("permessage-deflate; server_max_window_bits=8", true, true, 8, 15, 0),
    ("Permessage-Deflate; Client_Max_Window_Bits=\"10\"", true, true, 15, 10, 0),
    (
      "permessage-deflate; client_no_context_takeover; server_no_context_takeover; "
        + "server_max_window_bits = 9 ; client_max_window_bits=12", false, false, 9, 12, 0
    ),
    ("permessage-deflate; server_max_window_bits=7", true, true, 15, 15, 1),
    ("permessage-deflate; server_max_window_bits=16", true, true, 15, 15, 1),
    ("permessage-deflate; client_max_window_bits", true, true, 15, 15, 1),
    ("permessage-deflate; level=9; x", true, true, 15, 15, 2),
    ("permessage-deflate; server_max_window_bits=08", true, true, 15, 15, 1),
    ("permessage-deflate; server_max_window_bits=+9", true, true, 15, 15, 1),
    ("permessage-deflate; server_max_window_bits", true, true, 15, 15, 1),
    ("permessage-deflate; server_no_context_takeover=1", true, true, 15, 15, 1),
    ("permessage-deflate; client_no_context_takeover=\"\"", true, false, 15, 15, 0),
    (
      "permessage-deflate; server_max_window_bits=9; server_max_window_bits=8", true, true, 9, 15, 1
    ),
    ("permessage-deflate, permessage-deflate", true, true, 15, 15, 1),
    ("permessage-deflate\r\nSec-WebSocket-Extensions: permessage-deflate", true, true, 15, 15, 2),
  ])
  func deflate(
    header: String, serverKeeps: Bool, clientKeeps: Bool, serverBits: Int32, clientBits: Int32,
    bad: Int
  ) throws {
    let talk = HTTPConversation()
    talk.send(
      .toServer,
      upgradeRequest(
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"))
    talk.send(.toClient, upgradeResponse("Sec-WebSocket-Extensions: \(header)\r\n"))
    let opening = try #require(talk.chooser.all.first).opening
    let deflate = try #require(opening.deflate)
    #expect(opening.extensions == [wire("permessage-deflate")])
    #expect(deflate.serverKeepsContext == serverKeeps && deflate.clientKeepsContext == clientKeeps)
    #expect(deflate.serverWindowBits == serverBits && deflate.clientWindowBits == clientBits)
    #expect(talk.recorder.codes.count == bad)
    #expect(talk.recorder.findings.allSatisfy { $0.severity == .error && !$0.source.isEmpty })
  }

  /// RFC 7692 §7.1.2.2: a server may limit the client's window only if the client said it can.
  @Test(arguments: [
    ("permessage-deflate", 1), ("permessage-deflate; server_max_window_bits=9", 1),
    ("permessage-deflate; client_max_window_bits", 0),
    ("permessage-deflate, permessage-deflate; Client_max_window_bits=12", 0),
  ])
  func limitedWindow(offer: String, faults: Int) {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest("Sec-WebSocket-Extensions: \(offer)\r\n"))
    talk.send(
      .toClient,
      upgradeResponse(
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=9\r\n"))
    #expect(talk.recorder.codes == Array(repeating: "websocket.bad-extension", count: faults))
  }

  /// RFC 7692 §7.1: the answer has to fit one of the offers.
  @Test(arguments: [
    ("server_no_context_takeover", "", "without server_no_context_takeover"),
    ("server_no_context_takeover", "; server_no_context_takeover", nil),
    ("server_max_window_bits=10", "", "without server_max_window_bits"),
    ("server_max_window_bits=10", "; server_max_window_bits=12", "asked for 10"),
    ("server_max_window_bits=10", "; server_max_window_bits=9", nil),
    ("server_max_window_bits=10, permessage-deflate", "", nil),
    ("client_no_context_takeover", "", nil),
    ("client_no_context_takeover; foo, permessage-deflate", "; client_no_context_takeover", nil),
  ])
  func misfit(offer: String, answer: String, words: String?) {
    let talk = HTTPConversation()
    talk.send(
      .toServer,
      upgradeRequest("Sec-WebSocket-Extensions: permessage-deflate; \(offer)\r\n"))
    talk.send(
      .toClient,
      upgradeResponse("Sec-WebSocket-Extensions: permessage-deflate\(answer)\r\n"))
    let findings = talk.recorder.findings.filter { !$0.text.hasPrefix("what the client") }
    #expect(findings.count == (words == nil ? 0 : 1))
    if let words { #expect(talk.recorder.findings.first?.text.contains(words) == true) }
  }

  /// RFC 7692 §7.1: an offer with something unknown or wrong in it must be declined.
  @Test(arguments: [
    "foo", "client_max_window_bits=7", "server_max_window_bits",
    "client_no_context_takeover; client_no_context_takeover",
  ])
  func badOffer(parameters: String) {
    let talk = HTTPConversation()
    talk.send(
      .toServer,
      upgradeRequest("Sec-WebSocket-Extensions: permessage-deflate; \(parameters)\r\n"))
    talk.send(.toClient, upgradeResponse("Sec-WebSocket-Extensions: permessage-deflate\r\n"))
    #expect(talk.recorder.findings.count == 2)
    #expect(talk.recorder.findings.first?.text.hasPrefix("what the client offers: ") == true)
    #expect(talk.recorder.findings.last?.text.contains("has to decline") == true)
    let declined = HTTPConversation()
    declined.send(
      .toServer,
      upgradeRequest("Sec-WebSocket-Extensions: permessage-deflate; \(parameters)\r\n"))
    declined.send(.toClient, upgradeResponse())
    #expect(declined.recorder.findings.count == 1)
  }

  /// Each rule of RFC 6455 for the two heads, and where it stands.
  @Test(arguments: [
    ("GET", "PUT", "its method is not GET", "§4.1"),
    ("/chat HTTP/1.1", "/chat HTTP/1.0", "its version is HTTP/1.0", "§4.1"),
    ("/chat HTTP", "/chat#top HTTP", "what it asks for has a fragment", "§3"),
    ("Host: server.example.com", "X: y", "it has no Host", "§4.1"),
    ("Connection: Upgrade", "Connection: close", "its Connection lacks Upgrade", "§4.1"),
    ("Sec-WebSocket-Version: 13", "X: y", "it has no Sec-WebSocket-Version", "§4.1"),
    ("Version: 13", "Version: 8", "its Sec-WebSocket-Version is 8, not 13", "§4.1"),
    (
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13",
      "it has Sec-WebSocket-Version twice", "§11.3.5"
    ),
    (
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "it has Sec-WebSocket-Key twice", "§11.3.1"
    ),
    ("superchat", "wamp.2.json", "it offers a subprotocol twice", "§4.1"),
    (
      "superchat", "super chat",
      "it offers a subprotocol whose name has characters that are not allowed", "§4.1"
    ),
  ])
  func requestRules(old: String, new: String, fault: String, section: String) {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest().replacing(old, with: new))
    talk.send(.toClient, upgradeResponse())
    let finding = talk.recorder.findings.first
    #expect(finding?.text == "the request for WebSocket breaks the rules: \(fault)")
    #expect(finding?.source == "RFC 6455 \(section)" && talk.recorder.findings.count == 1)
  }

  @Test(arguments: [
    ("HTTP/1.1 101", "HTTP/1.0 101", "its version is HTTP/1.0", "§4.2.2"),
    ("upgrade: WebSocket", "X: y", "it has no Upgrade to websocket", "§4.2.2"),
    ("Connection: Upgrade", "X: y", "its Connection lacks Upgrade", "§4.2.2"),
    (
      "Connection: Upgrade", "Connection: Upgrade\r\nSec-WebSocket-Accept: x",
      "it has Sec-WebSocket-Accept twice", "§11.3.3"
    ),
    (
      "Connection: Upgrade",
      "Connection: Upgrade\r\nSec-WebSocket-Protocol: superchat\r\nSec-WebSocket-Protocol: a",
      "it has Sec-WebSocket-Protocol twice", "§11.3.4"
    ),
  ])
  func responseRules(old: String, new: String, fault: String, section: String) {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest())
    talk.send(.toClient, upgradeResponse().replacing(old, with: new))
    #expect(talk.chooser.all.first?.opening.carrier == .webSocket)
    let finding = talk.recorder.findings.first
    #expect(finding?.text == "the response to the upgrade breaks the rules: \(fault)")
    #expect(finding?.source == "RFC 6455 \(section)")
  }

  /// RFC 6455 §4.1: what a request must have.
  @Test(arguments: [
    ("Upgrade: websocket\r\nConnection: Upgrade", "its method"),
    ("Upgrade: websocket\r\nConnection: keep-alive", "its Connection lacks Upgrade"),
    ("Upgrade: websocket\r\nSec-WebSocket-Version: 8", "its Sec-WebSocket-Version is 8, not 13"),
    ("Upgrade: websocket\r\nSec-WebSocket-Key: AAAA", "its Sec-WebSocket-Key is not 16 bytes"),
  ])
  func badRequests(fields: String, fault: String) {
    let talk = HTTPConversation()
    talk.send(.toServer, "PUT /x HTTP/1.1\r\n\(fields)\r\n\r\n")
    talk.send(.toClient, upgradeResponse())
    #expect(talk.recorder.codes.first == "http.bad-upgrade")
    #expect(talk.recorder.findings.first?.text.contains(fault) == true)
  }

  @Test func extensionsThatWereNotOfferedOrAreUnknown() {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest("Sec-WebSocket-Extensions: foo\r\n"))
    talk.send(
      .toClient, upgradeResponse("Sec-WebSocket-Extensions: permessage-deflate, foo\r\n"))
    #expect(
      talk.recorder.findings.map(\.text) == [
        "the server uses the extension permessage-deflate, which the client did not offer",
        "the extension foo is not known here: frames may not be read correctly",
      ])
    #expect(talk.chooser.all.first?.opening.extensions.count == 2)
  }

  @Test("credentials of a URL are passed on to who masks them") func urls() {
    let (target, url) = ("/ws?token=s3cret", Array("ws://server.example.com/ws?token=s3cret".utf8))
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest(target: target))
    talk.send(.toClient, upgradeResponse())
    #expect(talk.chooser.all[0].opening.url == url)
    // The same where the answer was lost.
    let lost = HTTPConversation()
    lost.send(.toServer, upgradeRequest(target: target))
    lost.gap(.toClient, 10)
    lost.send(.toClient, [0x81, 0])
    #expect(lost.chooser.all[0].opening.url == url)
  }

  @Test func everyCutOfBothHeads() {
    let up = Array(upgradeRequest("X: y\r\n").utf8)
    let down = Array((upgradeResponse("Sec-WebSocket-Protocol: superchat\r\n") + "behind it").utf8)
    func reported(_ ups: [[UInt8]], _ downs: [[UInt8]]) -> [String] {
      let talk = HTTPConversation()
      for piece in ups { talk.send(.toServer, piece) }
      for piece in downs { talk.send(.toClient, piece) }
      talk.send(.toServer, "frames")
      talk.finish()
      #expect(talk.accounted == talk.fed)
      return talk.reported
    }
    #expect(difference(forEveryCutOf: up) { reported($0, [down]) } == nil)
    #expect(difference(forEveryCutOf: down) { reported([up], $0) } == nil)
  }
}
