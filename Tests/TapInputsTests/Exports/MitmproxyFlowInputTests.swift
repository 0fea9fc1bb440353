// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct MitmproxyFlowInputTests {
  private func lines(_ file: [UInt8]) -> [String] {
    // Offsets are another test's.
    read(file).lines.map { $0.replacing(/\ at \d+/, with: "") }
  }

  @Test func conversationsAreMerged() {
    #expect(
      lines(Exports.flow) == [
        "opened 1 webSocket wss://a.example/ws ", "opened 2 webSocket wss://a.example/other ",
        "message of 1 toServer text [1,\"réalm\",{}]", "message of 2 toServer text [1]",
        "message of 1 toClient binary \u{0}\u{1}",
        "control 8 of 1 toClient [3, 232, 98, 121, 101]", "closed 1 0",
      ])
    let sink = read(Exports.flow)
    #expect(sink.messages.map(\.delivery.origin.record) == [1, 4, 2])
    #expect(
      sink.messages.map(\.delivery.origin.time.nanoseconds) == [
        1_795_219_328_503_063_000, 1_795_219_328_600_000_000, 1_795_219_328_700_000_000,
      ])
  }

  /// Members in another order, and bytes where newer versions have text.
  @Test func otherVersions() {
    let file = Exports.dictionary([
      ("version", Exports.text("7", "#")), ("type", Exports.text("websocket", ",")),
      ("server_protocol", Exports.text("wamp.2.json", ",")),
      ("close_sender", Exports.text("client", ",")), ("close_code", Exports.text("1001", "#")),
      ("messages", Exports.list([Exports.message(1, true, "[1]", "1795219328")])),
    ])
    #expect(
      lines(file) == [
        "opened 1 webSocket  wamp.2.json", "message of 1 toServer text [1]",
        "control 8 of 1 toServer [3, 233]", "closed 1 0",
      ])
  }

  private func handshake(host: String, named name: String) -> [UInt8] {
    Exports.dictionary([
      ("id", Exports.text("h1")),
      (
        "request",
        Exports.dictionary([
          ("scheme", Exports.text("http", ",")), ("host", Exports.text(host)),
          ("port", Exports.text("8080", "#")), ("path", Exports.text("/ws", ",")),
          ("headers", Exports.fields([("HOST", name), ("Upgrade", "websocket")])),
        ])
      ),
      ("response", Exports.dictionary([("status_code", Exports.text("101", "#"))])),
      ("type", Exports.text("http")),
    ])
  }

  /// Before mitmproxy 7, the messages are in a flow behind that of the handshake.
  @Test(arguments: [
    ("a.example", "a.example:8080", "ws://a.example:8080/ws"),
    ("10.1.0.1", "b.example:8080", "ws://b.example:8080/ws"), ("::1", "c", "ws://c/ws"),
    ("a.example", "b.example", "ws://a.example:8080/ws"), ("::1", "", "ws://[::1]:8080/ws"),
  ])
  func handshakeApart(host: String, name: String, url: String) {
    let messages = Exports.dictionary([
      ("messages", Exports.list([Exports.message(1, true, "[1]", "1795219328")])),
      ("metadata", Exports.dictionary([("websocket_handshake", Exports.text("h1"))])),
      ("type", Exports.text("websocket")),
    ])
    #expect(
      lines(handshake(host: host, named: name) + messages + messages) == [
        "opened 1 webSocket \(url) ", "opened 2 webSocket  ", "message of 1 toServer text [1]",
        "message of 2 toServer text [1]",
      ])
  }

  @Test func whatTheProxyDid() {
    let sink = read(
      Exports.flow([
        Exports.message(1, true, "[1]", "1", dropped: true),
        Exports.message(1, false, "[2]", "2", injected: true),
      ]))
    #expect(sink.codes == ["flow.message-dropped", "flow.message-injected"])
    #expect(sink.findings.allSatisfy { $0.isAboutLastMessage && $0.origin.flow == 1 })
    #expect(sink.messages.count == 2)
  }

  /// A TCP flow becomes a stream.
  @Test func streams() {
    func piece(_ isFromClient: Bool, _ text: String, _ time: String) -> [UInt8] {
      Exports.list([
        Exports.text("\(isFromClient)", "!"), Exports.text(text, ","), Exports.text(time, "^"),
      ])
    }
    let file = Exports.dictionary([
      (
        "messages",
        Exports.list([
          piece(true, "GET ", "1"), piece(false, "HTTP", "2"), piece(true, "/ ", "3"),
        ])
      ), ("type", Exports.text("tcp")),
    ])
    let sink = read(file)
    #expect(sink.lines.count == 4 && sink.lines[0].hasPrefix("opened 1 stream"))
    #expect(sink.lines[1].hasPrefix("stream toServer at 0 4"))
    #expect(sink.lines[2].hasPrefix("stream toClient at 0 4"))
    #expect(sink.lines[3].hasPrefix("stream toServer at 4 2"))
  }

  @Test(arguments: [
    ([Exports.text("3", "#"), Exports.text("true", "!"), Exports.text("x", ",")], "3"),
    ([Exports.text("1", "#"), Exports.text("1", "#"), Exports.text("x", ",")], "who sent it"),
    ([Exports.text("1", "#"), Exports.text("true", "!")], "no content"),
    ([[UInt8]](), "who sent it"),
  ])
  func troubles(message: [[UInt8]], words: String) {
    let sink = read(
      Exports.flow([Exports.list(message), Exports.message(1, true, "[1]", "1")]))
    // An empty list begins no message at all.
    #expect(sink.codes == (message.isEmpty ? [] : ["export.bad-message"]))
    if let finding = sink.findings.first { #expect(finding.text.contains(words)) }
    #expect(sink.messages.count == 1)
  }

  /// The length of a flow is known: what is broken in one does not touch the next.
  @Test func damageEndsTheFlow() {
    var file = Exports.flow
    let length = String(decoding: file.prefix { $0 != 0x3A }, as: Unicode.UTF8.self)
    let second = length.utf8.count + 1 + Int(length)! + 1
    let place = file.firstRange(of: Array("8:messages;".utf8))!.lowerBound
    file[place] = 0x78
    let sink = read(file)
    #expect(sink.codes == ["export.damaged"])
    #expect(sink.findings[0].origin.offset == UInt64(place))
    #expect(sink.messages.map(\.bytes) == [Array("[1]".utf8)])
    #expect(sink.messages[0].delivery.origin.offset > UInt64(second))
  }

  /// A length that is not over where what it stands in ends.
  @Test func lengthAcrossTheEnd() {
    let file = Array("23:9:websocket;4:abcd;1234}".utf8) + Exports.flow
    let sink = read(file)
    #expect(sink.codes == ["export.damaged"])
    #expect(sink.messages.count == read(Exports.flow).messages.count)
    let whole = read(file).lines
    for pieces in everyCut(of: file) { #expect(read(pieces).sink.lines == whole) }
  }

  @Test func truncation() {
    let whole = Exports.flow
    for cut in stride(from: 40, to: whole.count, by: 11) {
      let sink = read(Array(whole[..<cut]))
      let isBetween = sink.codes.isEmpty
      #expect(isBetween || sink.codes == ["export.truncated"], "\(cut): \(sink.codes)")
      #expect(sink.messages.count <= 3)
    }
    // All messages are there, and the flow ends too early.
    #expect(read(Array(whole.dropLast())).messages.count == 3)
  }

  @Test(arguments: ["12:9:website;0:~]", "9:websocket", "12x9:websocket;", "0:~", ":", "7:7:"])
  func notAFlow(text: String) {
    #expect(read([Array(text.utf8)]).kind != "mitmproxy")
  }
}
