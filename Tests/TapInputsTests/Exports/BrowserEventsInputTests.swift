// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct BrowserEventsInputTests {
  /// In any of the forms that programs keep events in.
  enum Form: CaseIterable {
    case lines, list, indented, records, listOfRecords, python, pythonList, named, namedPython
  }

  private func event(_ name: String, _ parameters: String) -> String {
    #"{"method":"Network.\#(name)","params":{"requestId":"8.2",\#(parameters)}}"#
  }

  private func frame(
    _ name: String, _ data: String, at time: String = "9.5", opcode: Int = 1
  ) -> String {
    event(
      "webSocketFrame\(name)",
      #""response":{"opcode":\#(opcode),"mask":true,"payloadData":"\#(data)"},"timestamp":\#(time)"#
    )
  }

  private var handshake: [String] {
    [
      event("webSocketCreated", #""url":"ws://h/ws?token=1""#),
      event(
        "webSocketWillSendHandshakeRequest",
        #""request":{"headers":{"Upgrade":"websocket","Sec-WebSocket-Protocol":"v12.stomp"}},"#
          + #""timestamp":9.25,"wallTime":1795219328.25"#),
      event(
        "webSocketHandshakeResponseReceived",
        #""response":{"headers":{"Sec-WebSocket-Protocol":"v12.stomp"},"status":101,"#
          + #""statusText":"Switching Protocols"},"timestamp":9.375"#),
    ]
  }

  /// Of one connection, from its beginning to its end.
  private var whole: [String] {
    handshake + [
      frame("Sent", #"it's \"\u00e9\\\n 🚀"#), frame("Received", "AAEC", at: "10", opcode: 2),
      event("webSocketClosed", #""timestamp":11"#),
    ]
  }

  private let told = [
    "opened 1 webSocket ws://h/ws?token=1 ", "message of 1 toServer text it's \"é\\\n 🚀",
    "message of 1 toClient binary \u{0}\u{1}\u{2}", "closed 1 0",
  ]

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  /// As `repr` of Python writes what these are in JSON.
  private func python(_ json: String) -> String {
    var text = ""
    var rest = json[...]
    while let character = rest.popFirst() {
      if character != "\"" {
        text.append(character)
        continue
      }
      var content = ""
      while let next = rest.popFirst(), next != "\"" {
        guard next == "\\", let meant = rest.popFirst() else {
          content += next == "'" ? "\\'" : String(next)
          continue
        }
        switch meant {
        case "\"": content += "\""
        case "u":
          content += "\\x" + rest.dropFirst(2).prefix(2)
          rest = rest.dropFirst(4)
        default: content += "\\\(meant)"
        }
      }
      text += "'\(content)'"
    }
    return text.replacing(":true", with: ":True")
  }

  private func file(_ events: [String], _ form: Form) -> [UInt8] {
    let records = events.map {
      #"{"level":"INFO","message":"{\"message\":\#(escaped($0)),\"webview\":\"CC\"}","timestamp":1}"#
    }
    let named = events.map { event in
      let parts = event.dropFirst(#"{"method":""#.count).dropLast().split(
        separator: #"","params":"#, maxSplits: 1)
      return (parts[0], parts[1])
    }
    let text =
      switch form {
      case .lines: events.joined(separator: "\n") + "\n"
      case .list: "[\(events.joined(separator: ", "))]"
      case .indented:
        "[\n  " + events.map { $0.replacing(":{", with: ":\n   {") }.joined(separator: ",\n  ")
          + "\n]\n"
      case .records: records.joined(separator: "\r\n")
      case .listOfRecords: "\u{FEFF}[\(records.joined(separator: ","))]\n"
      case .python: events.map(python).joined(separator: "\n")
      case .pythonList: "[\(events.map(python).joined(separator: ", "))]\n"
      case .named: named.map { "\($0.0) \($0.1)\n" }.joined()
      case .namedPython: named.map { "\($0.0)  \(python(String($0.1)))\n" }.joined()
      }
    return Array(text.utf8)
  }

  private func lines(_ sink: SinkRecorder) -> [String] {
    sink.lines.map { $0.replacing(/\ at \d+/, with: "") }
  }

  @Test("all forms tell the same, however they are cut", arguments: Form.allCases)
  func forms(form: Form) {
    let file = file(whole, form)
    let (sink, kind) = read([file])
    #expect(kind == "browser-events")
    #expect(lines(sink) == told)
    #expect(sink.messages.map(\.delivery.origin.record) == [4, 5])
    #expect(
      sink.messages.map(\.delivery.origin.time.nanoseconds) == [
        1_795_219_328_500_000_000, 1_795_219_329_000_000_000,
      ])
    #expect(difference(forEveryCutOf: file) { read($0).sink.lines } == nil)
  }

  @Test(
    "what is something else",
    arguments: [
      #"{"jsonrpc":"2.0","method":"Network.webSocketFrameSent","params":{}}"#,
      #"{"id":1,"method":"Network.enable","params":{}}"#, #"{"method":"Network.x"}"#,
      #"{"level":"INFO","message":"hello","timestamp":1}"#, "[[1]]", "[1]",
      #"{"method":"Page.loadEventFired","params":{}}"#,
      #"{"method":"notify","params":{}}"#, #"Network.webSocketFrameSent: {"type":"x"}"#,
      #"INFO {"method":"Network.webSocketFrameSent","params":{}}"#,
    ])
  func otherKinds(text: String) {
    #expect(read([Array(text.utf8)]).kind != "browser-events")
  }

  @Test("connections are told apart by request and session, and opened again") func connections() {
    let other = frame("Sent", "b").replacing(#""requestId":"8.2""#, with: #""requestId":"8.3""#)
    let session = frame("Sent", "c").replacing(#"{"method""#, with: #"{"sessionId":"S","method""#)
    let again = event("webSocketCreated", #""url":"ws://h/2""#)
    let sink = read(
      file([frame("Sent", "a"), other, session, again, frame("Sent", "d", at: "10")], .lines))
    #expect(
      lines(sink) == [
        "opened 1 webSocket  ", "opened 2 webSocket  ", "opened 3 webSocket  ",
        "message of 1 toServer text a", "message of 2 toServer text b",
        "message of 3 toServer text c", "closed 1 0", "opened 4 webSocket ws://h/2 ",
        "message of 4 toServer text d",
      ])
  }

  @Test(
    "what times count from",
    arguments: [
      // A handshake, whenever it is sent.
      (true, #""timestamp":1.5,"wallTime":101.5"#, Int64(101_000_000_000)),
      (false, #""timestamp":1.5,"wallTime":101.5"#, 101_000_000_000),
      // When the first was fetched; or nothing.
      (true, #""timestamp":1.5"#, 7_000_000_000), (false, #""timestamp":1.5"#, 1_000_000_000),
    ])
  func times(isFetched: Bool, late: String, expected: Int64) {
    var events = [
      frame("Sent", "a", at: "1"), event("webSocketWillSendHandshakeRequest", late),
      frame("Sent", "b", at: "1.75"),
    ]
    if isFetched {
      events = events.enumerated().map { index, event in
        #"{"message":\#(event),"timestamp":\#(7000 + index * 900)}"#
      }
    }
    let times = read(file(events, .lines)).messages.map(\.delivery.origin.time.nanoseconds)
    #expect(times == [expected, expected + 750_000_000])
  }

  @Test("a machine that was started again counts anew") func restarts() {
    func handshake(_ time: String, _ wall: String) -> String {
      event("webSocketWillSendHandshakeRequest", #""timestamp":\#(time),"wallTime":\#(wall)"#)
    }
    let events = [
      handshake("5", "1005"), frame("Sent", "a", at: "6"), handshake("7", "1007.0001"),
      frame("Sent", "b", at: "8"), handshake("1", "2001"), frame("Sent", "c", at: "2"),
    ]
    #expect(
      read(file(events, .lines)).messages.map(\.delivery.origin.time.nanoseconds) == [
        1_006_000_000_000, 1_008_000_000_000, 2_002_000_000_000,
      ])
  }

  @Test(
    "what goes wrong",
    arguments: [
      ("Unexpected response code: 403", "export.upgrade-refused", "refused: 403"),
      ("net::ERR_FAILED", "export.connection-error", "error of ws://h/ws: net::ERR_FAILED"),
    ])
  func errors(words: String, code: String, text: String) {
    let error = event("webSocketFrameError", #""errorMessage":"\#(words)","timestamp":9.5"#)
    let sink = read(file(handshake.dropLast() + [error], .lines))
    #expect(sink.codes == [code] && sink.findings[0].text.hasSuffix(text))
    #expect(sink.messages.isEmpty)
    // Once it is open, nobody refuses.
    let open = read(file(handshake + [error], .lines))
    #expect(open.codes == ["export.connection-error"])
  }

  @Test(
    "messages that cannot be read",
    arguments: [
      (#""opcode":3,"payloadData":"x""#, "export.bad-message"),
      (#""opcode":2,"payloadData":"Zm9v!""#, "export.bad-message"),
      (#""opcode":1"#, "export.bad-message"),
    ])
  func troubles(response: String, code: String) {
    let bad = event("webSocketFrameSent", #""response":{\#(response)},"timestamp":9"#)
    let sink = read(file([bad, frame("Sent", "y")], .lines))
    #expect(sink.codes == [code])
    #expect(sink.messages.map(\.bytes) == [Array("y".utf8)])
  }

  @Test("what is too large is said") func sizes() {
    var limits = Limits()
    (limits.messageBytes, limits.headBytes) = (30, 300)
    let events = [frame("Sent", String(repeating: "x", count: 700)), frame("Sent", "y")]
    for form in [Form.lines, .records] {
      let (sink, _) = read([file(events, form)], limits: limits)
      #expect(sink.codes == ["export.message-too-large"])
      #expect(sink.messages.map(\.bytes) == [Array("y".utf8)])
    }
  }

  @Test("damage ends with its line") func damage() {
    let text = [
      frame("Sent", "a"), #"{"method":"Network.x","params":{]}"#,
      frame("Sent", "b"), #"{"method":"Network.x","params":{"#, frame("Sent", "c"),
      #"{"method":"Network.x"#,
    ].joined(separator: "\n")
    let sink = read(Array(text.utf8))
    #expect(sink.messages.map(\.bytes) == ["a", "b", "c"].map { Array($0.utf8) })
    #expect(sink.codes == ["export.damaged", "export.damaged"])
    #expect(sink.findings[0].text.contains("“]” stands where a key is due"))
    #expect(sink.findings[1].text.hasPrefix("2 more lines"))
    let cut = read(Array(file(whole, .list).dropLast()))
    #expect(cut.codes == ["export.truncated"] && cut.messages.count == 2)
  }

  @Test("events that a server sends") func serverSentEvents() {
    let events = [
      event(
        "requestWillBeSent",
        #""request":{"url":"http://h/sse","headers":{}},"timestamp":1,"type":"EventSource""#),
      event("eventSourceMessageReceived", #""data":"{}","eventName":"x","timestamp":2"#),
      event("loadingFinished", #""timestamp":3"#),
    ]
    #expect(
      lines(read(file(events, .lines))) == [
        "opened 1 webSocket http://h/sse ", "message of 1 toClient text {}", "closed 1 0",
      ])
  }
}
