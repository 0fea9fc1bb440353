// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

/// Credentials in URLs, and in texts with URLs.
@Suite struct URLCredentialsTests {
  private func masked(_ text: String, _ ranges: [Range<Int>]) -> String {
    var bytes = Array(text.utf8)
    for range in ranges.reversed() { bytes.replaceSubrange(range, with: "#".utf8) }
    return String(decoding: bytes, as: Unicode.UTF8.self)
  }

  @Test(arguments: [
    ("ws://host/chat", "ws://host/chat"),
    ("ws://user:hunter2@host:80/chat?v=1", "ws://#@host:80/chat?v=1"),
    ("ws://us@er:hunter2@host", "ws://#@host"), ("//u:p@h/x", "//#@h/x"),
    ("/chat?v=1;token=s3cretsecret", "/chat?v=1;token=#"),
    ("/chat?token=s3cretsecret;v=1&room=a", "/chat?token=#;v=1&room=a"),
    ("/chat?0123456789abcdef;x", "/chat?#;x"), ("/a@b?next=ws://u:p@h", "/a@b?next=#"),
    ("/chat?", "/chat?"), ("/x;jsessionid=0A1B?v=2", "/x;jsessionid=#?v=2"),
    ("/x#access_token=abc&v=1", "/x#access_token=#&v=1"), ("/x#section-2", "/x#section-2"),
    (
      "/socket.io/?EIO=4&transport=polling&t=PXvhqNx",
      "/socket.io/?EIO=4&transport=polling&t=PXvhqNx"
    ),
    ("/s?t=1700000000000", "/s?t=1700000000000"), ("/s?t=a8f5f167f44f4964", "/s?t=#"),
    ("/s?v=eyJhbGciOiJIUzI1NiJ9", "/s?v=#"),
    ("/s?room=general-chat-room", "/s?room=general-chat-room"),
    // NiceGUI.
    ("/s?implicit_handshake=true&tab=7&old=null", "/s?implicit_handshake=true&tab=#&old=null"),
    ("/ws/eyJhbGciOiJIUzI1NiJ9.e30.x/1", "/ws/#/1"),
  ])
  func urls(url: String, shown: String) {
    #expect(masked(url, URLCredentials.ranges(in: Array(url.utf8))) == shown)
  }

  @Test(arguments: [
    (
      "cannot reach wss://u:p@h/ws?token=s3cret: refused",
      "cannot reach wss://#@h/ws?token=# refused"
    ),
    ("GET '/ws?key=s3cret' failed", "GET '/ws?key=#' failed"),
    ("(see http://h/a?v=1), really", "(see http://h/a?v=1), really"),
    ("Authorization: Bearer abc.def gone", "Authorization: Bearer # gone"),
    ("Authorization: Bearer  abc.def", "Authorization: Bearer  #"),
    ("proxy //u:p@h said no", "proxy //#@h said no"), ("timed out", "timed out"),
    ("Bearer ***", "Bearer ***"),
    ("really?", "really?"), ("", ""),
  ])
  func texts(text: String, shown: String) {
    #expect(masked(text, URLCredentials.ranges(inText: Array(text.utf8))) == shown)
  }
}
