// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapNames
import TapTraffic
import Testing

@testable import TapInspector

/// What stands for credentials, wherever these are shown.
@Suite struct MaskingTests {
  private func masker(_ limits: Limits = Limits()) -> Masker {
    Masker(.standard, limits: limits)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: Unicode.UTF8.self) }

  @Test("the heads of a connection, its URL, its subprotocol, and who wrote it down")
  func opening() {
    var opening = Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: true)
    opening.url = Array("ws://u:p@h/ws?token=s3cret&v=1".utf8)
    opening.subprotocol = Array("0123456789abcdef0123456789abcdef".utf8)
    opening.provenance.writer = Array("log, Bearer s3cret".utf8)
    opening.heads = [
      "> GET /ws?token=s3cret HTTP/1.1", "> host: u:p@h", "> origin: http://u:p@h/?x=1a2b",
      "> cookie: session=1", "> sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
      "> sec-websocket-protocol: wamp.2.json,  0123456789abcdef0123456789abcdef",
      "> x-empty: ", "< HTTP/1.1 101 Switching Protocols", "client: 7FF10000, JSON",
    ].map { Array($0.utf8) }
    var masker = masker()
    var shown = opening
    masker.mask(&shown)
    #expect(text(shown.url) == "ws://<secret-1>@h/ws?token=<secret-2>&v=1")
    #expect(text(shown.subprotocol) == "<secret-3>")
    #expect(text(shown.provenance.writer) == "log, Bearer <secret-2>")
    #expect(
      shown.heads.map(text) == [
        "> GET /ws?token=<secret-2> HTTP/1.1", "> host: <secret-1>@h",
        "> origin: http://<secret-1>@h/?x=<secret-4>", "> cookie: <secret-5>",
        "> sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
        "> sec-websocket-protocol: wamp.2.json,  <secret-3>", "> x-empty: ",
        "< HTTP/1.1 101 Switching Protocols", "client: 7FF10000, JSON",
      ])
  }

  @Test("ranges move with the text, empty ones too: they lie in what is left")
  func ranges() {
    let bytes = Array(#"[48,1,{"password":"correct horse battery staple"},""]"#.utf8)
    let end = bytes.count - 2
    var message = Message("wamp", "CALL", Origin(direction: .toServer))
    message.subject = ByteRange(end, end)
    let secret = ByteRange(19, 19 + "correct horse battery staple".utf8.count)
    var masker = masker()
    let masked = masker.mask(
      message, bytes.span.bytes, [Note(.secret, "string", secret)].span)
    #expect(text(masked.bytes.bytes.copied()) == #"[48,1,{"password":"<secret-1>"},""]"#)
    #expect(masked.message.subject == ByteRange(masked.bytes.count - 2, masked.bytes.count - 2))
  }

  @Test(
    "a name of a subprotocol is none",
    arguments: [
      "wamp.2.msgpack.batched", "v12.stomp", "graphql-transport-ws", "actioncable-v1-json",
      "base64.channel.k8s.io", "com.microsoft.minecraft.wsencrypt", "ocpp2.0.1", "",
    ])
  func names(name: String) { #expect(!Opening.isToken(subprotocol: Array(name.utf8))) }

  @Test(arguments: [
    "0123456789abcdef0123456789abcdef", "123e4567-e89b-12d3-a456-426614174000",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "base64url.bearer.authorization.k8s.io.bXl0b2tlbg",
  ])
  func tokens(token: String) { #expect(Opening.isToken(subprotocol: Array(token.utf8))) }

  @Test("words know what was masked before, in whatever notation")
  func words() {
    var masker = masker()
    let first = Array(#"hunter2\u0021"#.utf8)
    #expect(masker.number(first.span.bytes) == 1)
    #expect(masker.words("found hunter2! and hunter2") == "found <secret-1> and hunter2")
    #expect(
      masker.words("password=hunter2! Bearer  abc") == "password=<secret-1> Bearer  <secret-2>")
    #expect(masker.words("token=<secret-1>") == "token=<secret-3>")
    #expect(masker.words("nothing to hide") == "nothing to hide")
  }

  @Test("what is too long to be kept is known all the same, and what is too much has one token")
  func bounds() {
    var limits = Limits()
    limits.secrets = 2
    var masker = masker(limits)
    let (long, other) = (
      [UInt8](repeating: 0x61, count: 5000), [UInt8](repeating: 0x61, count: 5001)
    )
    #expect(masker.number(long.span.bytes) == 1)
    #expect(masker.number(other.span.bytes) == 2)
    #expect(masker.number(long.span.bytes) == 1)
    let third = Array("third!".utf8)
    #expect(masker.number(third.span.bytes) == 0)
  }

  @Test("more credentials than are counted hide the message")
  func many() {
    var limits = Limits()
    limits.maskedValues = 2
    let bytes = Array(#"{"pin":1,"otp":2,"cvv":3}"#.utf8)
    var message = Message("websocket", "TEXT", Origin())
    message.traits = [.isText, .isJSON]
    var notes = ContiguousArray<Note>()
    CredentialNotes.append(
      to: &notes, message, bytes.span.bytes, CredentialSearch(.standard), limits)
    #expect(notes.last?.kind == .bulk && notes.last?.range.count == bytes.count)
    var masker = masker()
    let shown = masker.mask(message, bytes.span.bytes, notes.span)
    #expect(text(shown.bytes.bytes.copied()) == "<credentials, 25 bytes>")
  }
}
