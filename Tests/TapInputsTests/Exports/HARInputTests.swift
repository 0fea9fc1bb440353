// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct HARInputTests {
  private func lines(_ sink: SinkRecorder) -> [String] {
    sink.lines.map { $0.replacing(/\ at \d+/, with: "") }
  }

  @Test func conversationsAreMerged() {
    let sink = read(Exports.har)
    #expect(
      lines(sink) == [
        "opened 1 webSocket ws://a.example:8080/ws ",
        "opened 2 webSocket ws://a.example:8080/other ",
        "message of 1 toServer text [1,\"r\\u00e9alm\",{}]",
        "message of 2 toServer text 🚀",
        "message of 1 toClient binary \u{0}\u{1}\u{2}\u{3}",
      ])
    #expect(sink.messages.map(\.delivery.origin.record) == [1, 3, 2])
    #expect(
      sink.messages.map(\.delivery.origin.time.nanoseconds) == [
        1_795_219_328_503_063_000, 1_795_219_328_600_000_000, 1_795_219_329_500_000_000,
      ])
    // The clock of a conversation has the digits that any of its times has.
    #expect(sink.messages.map(\.delivery.origin.precision) == [6, 1, 6])
  }

  /// Members in any order, and messages before the handshake.
  @Test func orderOfMembers() {
    let entry =
      #"{"_webSocketMessages":[{"data":"[1]","opcode":1,"time":1795219328,"type":"send"}],"#
      + #""response":{"headers":[],"status":101},"request":{"url":"https://b/ws"}}"#
    let sink = read(Array(#"{"log":{"entries":[\#(entry)],"version":"1.2"}}"#.utf8))
    #expect(
      sink.lines == [
        "opened 1 webSocket wss://b/ws ", "message of 1 toServer text at 42 [1]",
      ])
    #expect(sink.messages[0].delivery.origin.precision == 0)
  }

  @Test(arguments: [
    // Seconds, milliseconds and microseconds; digits that a double would not keep.
    ("1795219328.503063123", Int64(1_795_219_328_503_063_123), UInt8(9)),
    ("1795219328503.0625", 1_795_219_328_503_062_500, 7),
    ("1795219328503063", 1_795_219_328_503_063_000, 6),
    ("0.5", 500_000_000, 1), ("-1.5", -1_500_000_000, 1), ("1e9", 1_000_000_000_000_000_000, 0),
    ("1795219328.50306312345678", 1_795_219_328_503_063_123, 9),
    (#""2026-11-21T00:02:08.503Z""#, 1_795_219_328_503_000_000, 3),
  ])
  func times(text: String, nanoseconds: Int64, digits: UInt8) {
    let message = #"{"type":"send","time":\#(text),"opcode":1,"data":""}"#
    let origin = read(Exports.har(Exports.entry(message))).messages[0].delivery.origin
    #expect(origin.time.nanoseconds == nanoseconds && origin.precision == digits)
  }

  @Test(arguments: ["\"yesterday\"", "null", "{}", "true", "1795219328000000000000000"])
  func noTime(text: String) {
    let message = #"{"type":"send","time":\#(text),"opcode":1,"data":""}"#
    let sink = read(Exports.har(Exports.entry(message)))
    #expect(sink.messages.count == 1 && sink.findings.isEmpty)
    #expect(sink.messages.first?.delivery.origin.time.isKnown == false)
  }

  /// What is reported of one message instead of itself.
  @Test(arguments: [
    (#"{"time":1,"opcode":1,"data":"x"}"#, "export.bad-message"),
    (#"{"type":"both","time":1,"opcode":1,"data":"x"}"#, "export.bad-message"),
    (#"{"type":"send","time":1,"opcode":3,"data":"x"}"#, "export.bad-message"),
    (#"{"type":"send","time":1,"opcode":-1,"data":"x"}"#, "export.bad-message"),
    (#"{"type":"send","time":1,"opcode":2,"data":"Zm9v!"}"#, "export.bad-message"),
    (#"{"type":"send","time":1,"opcode":1}"#, "export.bad-message"),
    (#"{"type":"send","time":1,"opcode":1,"data":{"x":1}}"#, "export.bad-message"),
    (#"{"type":"error","time":1,"opcode":-1,"data":"refused"}"#, "export.connection-error"),
  ])
  func troubles(message: String, code: String) {
    let sink = read(
      Exports.har(Exports.entry(message + #",{"type":"send","time":2,"opcode":1,"data":"y"}"#)))
    #expect(sink.codes == [code])
    #expect(sink.messages.map(\.bytes) == [Array("y".utf8)])
    #expect(sink.findings[0].origin.record == 1 && sink.findings[0].origin.offset > 0)
  }

  @Test("texts that recorders wrote")
  func errorText() {
    let text = "cannot reach wss://u:p@h/ws?token=s3cret"
    let message = #"{"type":"error","time":1,"opcode":-1,"data":"\#(text)"}"#
    let sink = read(Exports.har(Exports.entry(message)))
    #expect(
      sink.findings[0].text
        == "the program that recorded ws://a.example:8080/ws reports an error: cannot reach"
        + " wss://u:p@h/ws?token=s3cret")
  }

  @Test func controlFrames() {
    let sink = read(
      Exports.har(
        Exports.entry(
          #"{"type":"send","time":1,"opcode":9,"data":"AAE="},"#
            + #"{"type":"receive","time":2,"opcode":10,"data":"not base64"},"#
            + #"{"type":"receive","time":3,"opcode":8,"data":"A+g="}"#,
          more: #","_webSocketClose":{"code":1000,"reason":"","timestamp":4}"#)))
    #expect(
      Array(sink.lines.dropFirst()) == [
        "control 9 of 1 toServer [0, 1]",
        "control 10 of 1 toClient \(Array("not base64".utf8))",
        "control 8 of 1 toClient [3, 232]", "closed 1 1000",
      ])
  }

  @Test func connectionsWithoutMessages() {
    let entry = #"{"request":{"url":"ws://a/"},"response":{"status":101}}"#
    let sink = read(Exports.har(entry, entry))
    #expect(sink.codes == ["har.messages-missing"])
    #expect(sink.findings[0].text.contains("2 WebSocket connections"))
    #expect(sink.findings[0].text.hasSuffix("does not record them"))
    // Safari does not say what was answered.
    let silent = read(
      Exports.har(entry.replacing("101", with: "0"), entry.replacing("ws://", with: "http://")))
    #expect(silent.findings.map(\.text).map { $0.contains("2 WebSocket connections") } == [true])
    #expect(silent.findings[0].text.hasSuffix("or nobody answered"))
  }

  @Test func damageAndTruncation() {
    let whole = Exports.har
    for cut in stride(from: 60, to: whole.count, by: 7) {
      let sink = read(Array(whole[..<cut]))
      #expect(sink.codes == ["export.truncated"])
      #expect(sink.findings.first?.origin.offset == UInt64(cut))
    }
    let damaged = Array(
      String(decoding: whole, as: Unicode.UTF8.self).replacing("101", with: "1:1").utf8)
    let sink = read(damaged)
    #expect(sink.codes == ["export.damaged"])
    #expect(damaged[Int(sink.findings[0].origin.offset)] == 0x3A)
  }

  /// More than is held: the rest goes on by itself, and nothing gets lost.
  @Test func moreThanIsHeld() {
    var limits = Limits()
    limits.exportBytes = 400
    let messages = (0..<20).map {
      #"{"type":"send","time":\#(10 + $0),"opcode":1,"data":"\#($0)"}"#
    }.joined(separator: ",")
    let file = Exports.har(Exports.entry(messages), Exports.entry(messages, path: "/other"))
    for pieces in [[file], file.map { [$0] }] {
      let sink = read(pieces, limits: limits).sink
      #expect(sink.codes == ["export.order"])
      #expect(sink.messages.count == 40)
      for flow in [1, 2] as [UInt32] {
        let texts = sink.messages.filter { $0.delivery.origin.flow == flow }.map(\.bytes)
        #expect(texts == (0..<20).map { Array("\($0)".utf8) })
      }
      #expect(sink.lines.filter { $0.hasPrefix("opened") }.count == 2)
    }
  }

  @Test func messagesThatAreTooLarge() {
    var limits = Limits()
    limits.messageBytes = 6
    let sink = read(
      [
        Exports.har(
          Exports.entry(
            #"{"type":"send","time":1,"opcode":1,"data":"1234567"},"#
              + #"{"type":"send","time":2,"opcode":2,"data":"AAECAwQFBgc="},"#
              + #"{"type":"send","time":3,"opcode":2,"data":"AAECAwQF"},"#
              + #"{"type":"send","time":4,"opcode":1,"data":"\u0031\u003234\n\""}"#))
      ], limits: limits
    ).sink
    #expect(sink.codes == ["export.message-too-large", "export.message-too-large"])
    #expect(sink.messages.map(\.bytes) == [[0, 1, 2, 3, 4, 5], Array("1234\n\"".utf8)])
  }

  @Test(arguments: [
    #"{"log":"[33,1,5]"}"#, #"{"log":{"level":"info"},"message":"x"}"#, #"{"entries":[]}"#,
    #"{"log":{"entries""#, #"[{"log":{"entries":[]}}]"#,
  ])
  func notHAR(text: String) { #expect(read([Array(text.utf8)]).kind != "har") }
}
