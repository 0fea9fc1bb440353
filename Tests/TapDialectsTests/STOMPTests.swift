// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTesting
import TapTraffic
import Testing

@Suite("STOMP") struct STOMPTests {
  struct Case: Sendable {
    var text: String
    var body: String
    var codes: [String] = []
  }

  /// What comes between the two braces of `body`.
  static func json(_ command: String, _ headers: String, _ body: String) -> String {
    #"{"command":"\#(command)","headers":[\#(headers)],"body":"\#(body)"}"#
  }

  static let frames: [Case] = [
    Case(
      text: "SEND\ndestination:/q\ncontent-length:6\n\nzpráva\0",
      body: json("SEND", #"["destination","/q"],["content-length","6"]"#, "zpráva"),
      codes: ["stomp.content-length-characters"]),
    Case(
      text: "SEND\ndestination:/q\ncontent-length:3\n\na\0b\0",
      body: json("SEND", #"["destination","/q"],["content-length","3"]"#, #"a\u0000b"#)),
    // In one pass from left to right.
    Case(
      text: "SEND\ndestination:/q\nx:a\\\\cb\n\n\0",
      body: json("SEND", #"["destination","/q"],["x","a\\cb"]"#, "")),
    Case(
      text: "SEND\r\ndestination:/q\r\nx:a\\cb\\nc\\r\r\n\r\nhi\0",
      body: json("SEND", #"["destination","/q"],["x","a:b\nc\r"]"#, "hi")),
    Case(
      text: "SEND\ndestination:/q\nx:\\t\n\n\0",
      body: json("SEND", #"["destination","/q"],["x","\\t"]"#, ""),
      codes: ["stomp.escape-undefined"]),
    Case(
      text: "CONNECT\naccept-version:1.2\nhost:/\npasscode:a:b\\c\n\n\0",
      body: json(
        "CONNECT", #"["accept-version","1.2"],["host","/"],["passcode","a:b\\c"]"#, "")),
    Case(
      text: "SEND\ndestination:/q\na:1\na:2\n\n\0",
      body: json("SEND", #"["destination","/q"],["a","1"],["a","2"]"#, ""),
      codes: ["stomp.header-repeated"]),
  ]

  @Test("frames", arguments: STOMPTests.frames) func frame(_ one: Case) throws {
    let talk = WAMPConversation(STOMPDialect(), subprotocol: "v12.stomp", isFromStart: false)
    talk.say(one.text, .toServer)
    #expect(talk.reported.count == 1)
    let reported = try #require(talk.reported.first)
    #expect(reported.text(ByteRange(0, reported.bytes.count)) == one.body)
    #expect(talk.recorder.codes.filter { $0 != "stomp.credentials-in-clear" } == one.codes)
  }

  /// Outputs write names as they are.
  @Test(
    "a name has nothing that speaks to a terminal",
    arguments: [
      ("SUB", "SUB"), ("send", "send"), ("e\rSe", "UNKNOWN"), ("\u{1B}[2J", "TEXT"),
      ("a\"b", "TEXT"), ("a\u{202E}b", "TEXT"), ("a\\b", "TEXT"), ("A B", "UNKNOWN"),
    ])
  func names(_ line: String, _ name: String) throws {
    let talk = WAMPConversation(STOMPDialect(), subprotocol: "v12.stomp", isFromStart: false)
    talk.say("\(line)\na:b\n\n\0", .toServer)
    let reported = try #require(talk.reported.first)
    #expect(reported.message.name.description == name)
    #expect(talk.recorder.codes.contains("stomp.unknown-command"))
  }

  @Test("a body of bytes") func binary() throws {
    let talk = WAMPConversation(STOMPDialect(), subprotocol: "v12.stomp", isFromStart: false)
    let head = Array("SEND\ndestination:/q\ncontent-length:3\n\n".utf8)
    talk.say(head + [0xFF, 0, 0xFE, 0], .toServer, kind: .binary)
    let reported = try #require(talk.reported.first)
    #expect(reported.text(reported.message.payload) == #"{"base64":"/wD+"}"#)
  }

  private static let stream: String =
    "\n\r\nCONNECT\naccept-version:1.2\nhost:/\n\n\0\nSUBSCRIBE\nid:0\ndestination:/q\n\n\0\n\n"
    + "SEND\ndestination:/q\ncontent-length:5\n\na\0b\0c\0SEND\ndestination:/q\nx:a\\nb\n\nhi\0\n"
    + "DISCONNECT\n\n\0"

  /// What follows a NUL begins no frame, and has line ends and a command in it.
  static let broken =
    "SEND\ndestination:/q\n\none\0\u{1}junk\nACK\ni\0\nACK\nj\0SEND\ndestination:/q\n\ntwo\0\nACK\nk"

  /// Lengths that are too long, with frames and parts of frames behind the NUL, and a right one
  /// whose body has a frame.
  static let counted =
    "SEND\ndestination:/q\ncontent-length:40\n\nx\0\nSEND\ndestination:/q\n\ny\0ACK\nid:1\n\n\0\n"
    + "NACK\nid:2\ncontent-length:14\n\na\0ACK\nid:3\n\n\0b\0"
    + "SEND\ndestination:/q\ncontent-length:999999999\n\nz\0SENDER\0ACK\nid:6\n\n\0"
    + "ACK\nid:4\ncontent-length:99\n\n\0ACK\nid:5\n\n\0ACK\nid"

  @Test("a stream gives the same however it is cut", arguments: [stream, broken, counted])
  func cuts(_ text: String) {
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let recorder = Recorder()
      let opening = Opening(
        .stream, client: .unknown, server: .unknown, isFromStart: true)
      var layer = STOMPDialect().layer(opening, RunContext(limits: Limits()))
      let delivery = Delivery(Origin(record: 1, flow: 1, direction: .toServer))
      for piece in pieces { layer.receive(piece.span.bytes, delivery, recorder) }
      layer.finish(.closed, delivery, recorder)
      #expect(recorder.fates.reduce(0, +) == pieces.reduce(0) { $0 + $1.count })
      return recorder.lines
    }
    let all = reported([Array(text.utf8)])
    #expect(all.count { $0.contains("SEND") } == (text == Self.counted ? 3 : 2))
    if text == Self.stream { #expect(all.count { $0.contains("HEARTBEAT") } == 3) }
    if let found = difference(forEveryCutOf: Array(text.utf8), reported: reported) {
      Issue.record("cut as \(found.pieces): \(found.cut), not \(found.whole)")
    }
  }

  @Test(
    "a frame whose length is passed, and wrong, is reported whatever follows it",
    arguments: [
      ("abc\0\n\n\n", 5, 0), ("abc\0SEN", 5, 3), ("abc\0SEND\nb", 5, 6),
      ("a\0b\0\n\nAC", 6, 2), ("a\0ACK\ni", 4, 5), ("abc\0\n\n\n\n", 4, 0),
    ])
  func lengthPassed(_ body: String, _ length: Int, _ rest: Int) {
    let text = "SEND\ndestination:/q\ncontent-length:\(length)\n\n\(body)"
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let recorder = Recorder()
      let opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
      var layer = STOMPDialect().layer(opening, RunContext(limits: Limits()))
      let delivery = Delivery(Origin(record: 1, flow: 1, direction: .toServer))
      for piece in pieces { layer.receive(piece.span.bytes, delivery, recorder) }
      layer.finish(.closed, delivery, recorder)
      #expect(recorder.codes.contains("stomp.content-length-wrong"))
      #expect(recorder[.incomplete] == rest)
      return recorder.lines
    }
    let all = reported([Array(text.utf8)])
    #expect(all.contains { $0.contains("SEND") })
    if let found = difference(forEveryCutOf: Array(text.utf8), reported: reported) {
      Issue.record("cut as \(found.pieces): \(found.cut), not \(found.whole)")
    }
  }

  @Test("WebSocket messages give the same frames however they are cut") func cutMessages() {
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let talk = WAMPConversation(STOMPDialect(), subprotocol: "v12.stomp")
      for piece in pieces { talk.say(piece, .toServer, kind: .binary) }
      // A line end alone in a message is a heart-beat.
      return talk.reported.filter { $0.name != "HEARTBEAT" }
        .map { $0.text(ByteRange(0, $0.bytes.count)) }
    }
    if let found = difference(forEveryCutOf: Array(Self.stream.utf8), reported: reported) {
      Issue.record("cut as \(found.pieces): \(found.cut), not \(found.whole)")
    }
  }

  static let firsts: [(text: String, answer: Bool?)] = [
    ("CONNECT\naccept-version:1.2\n\n\0", true), ("STOMP\r\nhost:/\r\n\r\n\0", true),
    ("\n\nCONNECT\nhost:/\n", true), ("SUBSCRIBE\nid:0\ndestination:/q\n\n", true),
    ("CONN", nil), ("\n", nil), ("CONNECT\nacc", nil),
    ("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n", false),
    ("SUBSCRIBE sip:bob@example.com SIP/2.0\r\nVia: x\r\n", false),
    ("CONNECT {\"verbose\":false}\r\n", false), ("INFO {}\r\n", false),
    ("GET / HTTP/1.1\r\n", false), ("SEND\nno header here\n", false),
  ]

  @Test("streams that begin as STOMP does", arguments: STOMPTests.firsts.indices)
  func recognition(_ index: Int) throws {
    var recogniser = try #require(STOMPDialect().streamRecogniser(limits: Limits()))
    let bytes = Array(Self.firsts[index].text.utf8)
    let answer = recogniser.recognise(first: bytes.span.bytes, .toServer)
    #expect(answer == Self.firsts[index].answer)
  }

  static let texts: [(text: String, grade: Recognition.Grade)] = [
    ("CONNECT\naccept-version:1.2\n\n\0", .likely), ("SEND\ndestination:/q\n\nhi\0", .likely),
    ("MESSAGE\nmessage-id:1\n", .likely), ("SEND\nx:1\n", .possible), ("SEND hello", .none),
    ("\n", .none), ("MESSAGE sip:bob@example.com SIP/2.0\r\n", .none), ("[1,\"a\",{}]", .none),
  ]

  @Test("texts", arguments: STOMPTests.texts.indices) func text(_ index: Int) {
    var recogniser = STOMPDialect().recogniser(limits: Limits(), SharedScan(limits: Limits()))
    let bytes = Array(Self.texts[index].text.utf8)
    let found = recogniser.recognise(bytes.span.bytes, .text, in: .text)
    #expect(found.grade == Self.texts[index].grade)
  }

  @Test("a frame larger than the limit is not kept") func limit() {
    var limits = Limits()
    limits.messageBytes = 64
    let talk = WAMPConversation(STOMPDialect(), subprotocol: "v12.stomp", limits: limits)
    talk.say("SEND\ndestination:/q\n\n" + String(repeating: "x", count: 100), .toServer)
    #expect(talk.recorder.codes.contains("stomp.frame-too-long"))
  }

  @Test("line ends behind a gap are heart-beats where they stand alone, or a frame was found")
  func lineEnds() {
    func reported(_ messages: [String]) -> [String] {
      let talk = WAMPConversation(STOMPDialect(), subprotocol: "v12.stomp")
      talk.say("SEND\ndestination:/q\n", .toServer)
      talk.gap(.toServer)
      for message in messages { talk.say(message, .toServer) }
      return talk.reported.map(\.name)
    }
    #expect(reported(["\n"]) == ["HEARTBEAT"])
    #expect(reported(["\r\n\n"]) == ["HEARTBEAT", "HEARTBEAT"])
    #expect(reported(["\nrest of it\0"]) == ["TEXT"])
    #expect(reported(["\n\nSEND\nabout a thing: it\0"]) == ["TEXT"])
    let frame = "SEND\ndestination:/q\n\n\0"
    #expect(reported(["\n\(frame)\n\n"]) == ["TEXT", "SEND", "HEARTBEAT"])
  }

  @Test(
    "line ends behind a gap are the same however their segment is cut",
    arguments: ["\n\n", "\r\n\n", "\n\nrest of it\0"])
  func cutLineEnds(_ segment: String) {
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let recorder = Recorder()
      let opening = Opening(.stream, client: .unknown, server: .unknown, isFromStart: true)
      var layer = STOMPDialect().layer(opening, RunContext(limits: Limits()))
      var delivery = Delivery(Origin(record: 1, flow: 1, direction: .toServer))
      layer.receive(Array("SEND\ndestination:/q\n".utf8).span.bytes, delivery, recorder)
      layer.gap(nil, delivery, recorder)
      for (index, piece) in pieces.enumerated() {
        delivery.edges = index == 0 ? .start : []
        if index == pieces.count - 1 { delivery.edges.insert(.end) }
        layer.receive(piece.span.bytes, delivery, recorder)
      }
      layer.finish(.closed, delivery, recorder)
      return recorder.lines + recorder.fates.map { "\($0)" }
    }
    if let found = difference(forEveryCutOf: Array(segment.utf8), reported: reported) {
      Issue.record("cut as \(found.pieces): \(found.cut), not \(found.whole)")
    }
  }

  @Test("what a gap could explain is not reported") func gap() {
    let talk = WAMPConversation(STOMPDialect(), subprotocol: "v12.stomp", isFromStart: false)
    for text in [
      "MESSAGE\nsubscription:0\ndestination:/q\nmessage-id:1\nack:1\n\n\0",
      "RECEIPT\nreceipt-id:7\n\n\0",
    ] { talk.say(text, .toClient) }
    for text in ["ACK\nid:9\n\n\0", "UNSUBSCRIBE\nid:4\n\n\0", "COMMIT\ntransaction:t\n\n\0"] {
      talk.say(text, .toServer)
    }
    #expect(talk.recorder.codes.isEmpty)
  }
}
