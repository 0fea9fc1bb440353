// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapHTTP
import TapTesting
import TapTraffic
import Testing

@Suite struct HeadTests {
  static let proxy2: [UInt8] = wire(
    "\r\n\r\n\0\r\nQUIT\n", 0x21, 0x11, 0x00, 0x0C, 10, 0, 0, 7, 10, 0, 0, 1, 0x0A, 0x0A, 0x1F, 0x90
  )

  /// What may stand before the request line.
  @Test(arguments: [
    wire(""), wire("\r\n"), wire("\n"), wire("\r\n\r\n"), wire("\r\n\r\n\r\n"), wire("\n\r\n"),
    wire("PROXY TCP4 10.0.0.7 10.0.0.1 56324 443\r\n"), wire("PROXY UNKNOWN\r\n"), proxy2,
    proxy2 + wire("\r\n"),
  ])
  func before(prefix: [UInt8]) {
    let request = prefix + Array(upgradeRequest().utf8)
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let talk = HTTPConversation()
      for piece in pieces { talk.send(.toServer, piece) }
      talk.send(.toClient, upgradeResponse())
      talk.send(.toServer, "frames")
      #expect(talk.accounted == talk.fed)
      return talk.reported
    }
    let whole = reported([request])
    #expect(
      whole.last == "http \(request.count + upgradeResponse().utf8.count) unread 0 requests 1")
    #expect(whole.dropFirst().first == "opened ws://server.example.com/chat ")
    let found = difference(forEveryCutOf: request, reported: reported)
    #expect(found == nil, "\(String(describing: found))")
  }

  @Test func lineFeedsAlone() {
    let talk = HTTPConversation()
    talk.send(.toServer, upgradeRequest(end: "\n"))
    talk.send(.toClient, upgradeResponse("Sec-WebSocket-Protocol: superchat\n", end: "\n") + "x")
    #expect(talk.recorder.lines == ["opened ws://server.example.com/chat superchat"])
    #expect(talk.chooser.all[0].text(.toClient) == "x")
  }

  @Test func tooLarge() {
    var limits = Limits()
    limits.headBytes = 300
    let fits = HTTPConversation(limits: limits)
    let rest = 300 - upgradeRequest().utf8.count
    fits.send(.toServer, upgradeRequest(String(repeating: "y", count: rest - 2) + "\r\n"))
    #expect(fits.recorder.codes.isEmpty && fits.recorder[.httpRequest] == 1)
    let talk = HTTPConversation(limits: limits)
    talk.send(.toServer, "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 1000))
    #expect(talk.recorder.codes == ["http.bad-head"])
    #expect(talk.recorder[.http] == 301 && talk.recorder[.unread] == talk.fed - 301)
    // A head that begins a segment is read again.
    talk.send(.toServer, "no head")
    talk.send(.toServer, upgradeRequest())
    talk.send(.toClient, upgradeResponse())
    #expect(talk.recorder.lines.last == "opened ws://server.example.com/chat ")
    #expect(talk.accounted == talk.fed)
  }

  @Test(arguments: [
    ("GET / HTTP/1.1", true as Bool?), ("HTTP/1.1 200", true), ("PROXY TCP4", true), ("GE", nil),
    ("", nil), ("\r\n\r\n\0\r\nQUIT\n", true), ("\r\n\r\n", nil), ("GETX", false),
    ("HTTP/2", false),
    ("\u{16}\u{3}", false), ("get / ", false), ("POST", nil), ("[1,", false),
    ("OPTIONS ", nil), ("OPTIONS * HTTP/1.1", true), ("OPTIONS http://a/ HTTP/1.1", true),
    ("OPTIONS rtsp://a/ RTSP/1.0", false), ("OPTIONS sip:a SIP/2.0", false),
  ])
  func recognises(text: String, expected: Bool?) {
    let bytes = Array(text.utf8)
    let found = HTTPStart.recognise(bytes.span.bytes)
    #expect(found == expected)
  }

  @Test func garbageIsAccountedFor() {
    var random = Seeded(12)
    for _ in 0..<300 {
      let talk = HTTPConversation()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let direction: Direction = Bool.random(using: &random) ? .toServer : .toClient
        var bytes = Array(
          [upgradeRequest(), upgradeResponse()].randomElement(using: &random)!.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0 { talk.gap(direction, 9) }
        talk.send(direction, bytes)
      }
      talk.finish(.endOfEvidence)
      #expect(talk.accounted == talk.fed)
    }
  }
}
