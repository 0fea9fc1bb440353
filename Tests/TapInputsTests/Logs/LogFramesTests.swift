// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Frames and bytes that loggers print.
@Suite struct LogFramesTests {
  private static let subscribed = "93 21 01 ce 00 59 73 92"

  private func reported(_ text: String) -> [String] {
    let sink = OctetSink()
    TestLog.read(text, onto: sink) { OctetRecogniser() }
    return sink.reported
  }

  @Test(
    "a frame is reported as what it carries",
    arguments: [
      (
        "RX Frame from tcp4:h:1 : fin = True, rsv = 0, opcode = 2, mask = -, length = 2,"
          + " payload = 9321", ["1 toClient binary 9321"]
      ),
      // Bytes that stand in the quotes of a literal.
      (
        "TX Frame to tcp4:h:1 : fin = True, rsv = 0, opcode = 2, mask = b'01020304', length = 2,"
          + " payload = b'9321'", ["1 toServer binary 9321"]
      ),
      // RSV1: compressed, and so the business of a stream.
      (
        "TX Frame to tcp4:h:1 : fin = True, rsv = 4, opcode = 1, mask = b'01020304', length = 1,"
          + " payload = b'\\xff'", ["1 toServer stream c18101020304fe"]
      ),
      (
        "RX Frame from tcp4:h:1 : fin = True, rsv = 4, opcode = 1, mask = -, length = 1,"
          + " payload = b'a'", ["1 toClient stream c10161"]
      ),
      ("< BINARY \(subscribed) [8 bytes]", ["1 toClient binary 932101ce00597392"]),
      ("> BINARY 93 21 [2 bytes]", ["1 toServer binary 9321"]),
      ("++Rcv decoded: fin=1 opcode=2 data=b'\\x93!'", ["1 toClient binary 9321"]),
      ("0.5: binary: b'\\x93!'", ["1 toClient binary 9321"]),
      ("a.b sent b'\\x93!' ok", ["1 toServer binary 9321"]),
      ("a.b sent b'\\xA3!' ok", []),
      ("WampSharp: Trying to parse binary message: kyE=", ["1 toClient binary 9321"]),
      ("WampSharp: Trying to parse binary message: 93-21", ["1 toClient binary 9321"]),
      ("RX Octets from tcp4:h:1 : octets = 810161", ["1 toClient stream 810161"]),
      ("TX Octets to tcp4:h:1 : sync = False, octets = b'810161'", ["1 toServer stream 810161"]),
      ("READ 3 \"\\x81\\x01a\"", ["1 toClient stream 810161"]),
      // Above the layer of WebSocket it is no frame.
      ("READ 3 \"\\x93!\"", []),
      ("WRITE 4 \"GET \"", ["1 toServer stream 47455420"]),
    ])
  func frame(line: String, expected: [String]) { #expect(reported(line) == expected) }

  @Test("pieces are one message, control frames need a conversation, what is cut is withheld")
  func conversations() {
    #expect(reported("> PING '' [0 bytes]\n> CLOSE 1000 (OK) [2 bytes]\n") == [])
    let lines = [
      "< BINARY 93 21 [2 bytes, continued]", "< CONT 01 [binary, 1 byte]",
      "< CLOSE 1001 (going away) bye [5 bytes]", "< PING 'ab' [text, 2 bytes]",
      "< BINARY 93 21 ... 44 [99 bytes]",
    ]
    #expect(
      reported(lines.joined(separator: "\n")) == [
        "1 toClient binary 932101", "1 toClient control 8 03e9627965",
        "1 toClient control 9 6162",
        "1 toClient withheld 99 bytes, of which the log has 2",
      ])
  }

  @Test(
    "of octets that are cut, those are reported that are certain",
    arguments: [
      ("93 21 01 ce 00 59 ... 44", "932101ce0059", ""), ("93 21 00 00 44", "9321", ""),
      ("93 21 00 01 44", "9321000144", ""), ("93 21 00 00 00 44", "932100000044", ""),
      ("93 21 [2 bytes, continued]\n< CONT 01 ... 44", "932101", ""),
      ("93 ... 44 [99 bytes, continued]\n< CONT 01 02", "93", "2"),
    ])
  func cut(octets: String, certain: String, more: String) {
    let lines = "< BINARY 93 21 [2 bytes]\n< BINARY \(octets) [99 bytes]"
    let sink = OctetSink()
    TestLog.read(lines, onto: sink) { OctetRecogniser() }
    #expect(sink.certain == [certain])
    let length = more.isEmpty ? octets.contains("CONT") ? 101 : 99 : 198
    #expect(
      sink.reported.last
        == "1 toClient withheld \(length) bytes, of which the log has \(certain.count / 2)")
  }

  @Test("handshakes tell the subprotocol, and with it what is cut from the first message on")
  func handshake() {
    func first(_ lines: [String]) -> [String] {
      let sink = OctetSink()
      let text = (lines + ["> BINARY 93 01 ... 44 [99 bytes]"]).joined(separator: "\n")
      TestLog.read(text, onto: sink) { OctetRecogniser() }
      return sink.subprotocols
    }
    let (sent, received) = ("> Sec-WebSocket-Protocol: ", "< Sec-WebSocket-Protocol: ")
    #expect(first([sent + "a, b", received + "b"]) == ["b"])
    #expect(first([received + "a, b", sent + "b"]) == ["b"])
    // Nobody says that it was chosen.
    #expect(first([sent + "b"]) == [])
    #expect(first(["websockets.client " + received + "b"]) == [])
    #expect(first([sent + "a", received + "a", sent + "b"]) == [])
    #expect(first([sent + "a", received + "a", sent + "b", received + "b"]) == ["b"])
  }

  @Test(
    "octets on lines below are a message",
    arguments: [
      (
        [
          "0000000000 93 21 01 44 44 44 44 44 44 44 44 44 44 44 44 44   .!.DDDDDDDDDDDDD",
          "0000000010 45                                                E",
        ],
        "toServer binary 93210144444444444444444444444444" + "45"
      ),
      (["0000000000 93 21                                           .!"], "toServer binary 9321"),
      (["\\x93!\\\\\\t"], "toServer binary 93215c09"),
      // Which byte broke the line is not said.
      (["\\x93!", "a"], ""),
      (["0000000000 93 21                                           .!", "0000000010 93"], ""),
      // No protocol has it, but its mark says that it was sent.
      (["\\x94!"], "toServer binary 9421"),
    ] as [([String], String)])
  func block(rows: [String], expected: String) {
    let mark = "1.2.3.4:5 -> WebSocket binary message -> 1.2.3.4:6/ws"
    let lines = [mark, ""] + rows.map { "    " + $0 }
    for end in [["", "x"], [""], [], ["x"], ["", mark]] {
      #expect(
        reported((lines + end).joined(separator: "\n"))
          == (expected.isEmpty ? [] : ["1 " + expected]))
    }
  }

  @Test("a head that names more bytes than there can be is of no frame") func hugeFrame() {
    let huge = #"send: b'\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff[33]'"#
    let small = #"send: b'\x81\x0f[32,1,{},"a.b"]'"#
    #expect(reported("\(huge)\n\(small)") == [#"1 toServer text [32,1,{},"a.b"]"#])
  }

  @Test("a dump that is cut off, and what is none") func cutBlock() {
    let mark = "1.2.3.4:5 <- WebSocket binary message <- 1.2.3.4:6/ws"
    let row = "    0000000000 93 21 01 44 44 44 44 44 44 44 44 44 44 44 44 44   .!.DDDDDDDDDDDDD"
    let first = ["\(mark)", "", "    \\x93!", "", mark, "", row, "    (cut off)"]
    #expect(
      reported(first.joined(separator: "\n")) == [
        "1 toClient binary 9321",
        "1 toClient withheld more than 16 bytes, of which the log has no more",
      ])
    #expect(reported([mark, "x", "    \\x93!"].joined(separator: "\n")) == [])
    #expect(
      reported([mark, "< BINARY 93 21 [2 bytes]"].joined(separator: "\n"))
        == ["1 toClient binary 9321"])
  }

  @Test("what several layers print is reported once, by the uppermost")
  func layers() {
    let octets = "RX Octets from tcp4:h:1 : octets = 8202"
    let frame =
      "RX Frame from tcp4:h:1 : fin = True, rsv = 0, opcode = 2, mask = -, length = 2,"
      + " payload = 93"
    let message = "RX WAMP message: <autobahn.wamp.message.Event object>"
    for count in [1, 3, 9] {
      var lines: [String] = []
      for index in 0..<count { lines += [octets + "932\(index)", frame + "2\(index)"] }
      let expected = (0..<count).map { "1 toClient binary 932\($0)" }
      #expect(reported(lines.joined(separator: "\n")) == expected)
    }
    #expect(
      reported([octets + "9321", frame + "21", message].joined(separator: "\n"))
        == ["1 toClient abridged [36,\"…\"]"])
  }

  @Test("a request begins another stream; what a peer sends is of one")
  func streams() {
    let lines = [
      "WRITE 4 \"GET \"", "READ 3 \"\\x81\\x01a\"", "WRITE 4 \"GET \"", "READ 3 \"\\x81\\x01b\"",
    ]
    #expect(
      reported(lines.joined(separator: "\n")) == [
        "1 toServer stream 47455420", "1 toClient stream 810161", "2 toServer stream 47455420",
        "2 toClient stream 810162",
      ])
  }
}

/// A sink for which bytes that begin as a list of three or two are a message, and every text that
/// begins with a code.
final class OctetSink: EvidenceSink {
  private(set) var reported: [String] = []

  private func report(_ what: String, _ bytes: RawSpan, _ delivery: Delivery, isText: Bool = false)
  {
    let text =
      isText
      ? String(decoding: bytes.copied(), as: Unicode.UTF8.self)
      : digits(bytes)
    reported.append("\(delivery.origin.flow) \(delivery.origin.direction) \(what) \(text)")
  }

  /// Of messages that were cut, the bytes that are there.
  private(set) var certain: [String] = []
  private(set) var subprotocols: [String] = []

  func packet(_: RawSpan, _: Packet) {}
  func finding(_: Finding) {}

  func opened(_ opening: Opening, _: Delivery) {
    subprotocols.append(String(decoding: opening.subprotocol, as: Unicode.UTF8.self))
  }

  func message(_ bytes: RawSpan, _ delivery: Delivery) {
    let count = Int(delivery.certainBytes)
    if count > 0 { certain.append(digits(bytes.extracting(0..<count))) }
    let rest = bytes.dropping(count)
    report("\(delivery.kind)", rest, delivery, isText: delivery.kind != .binary)
  }

  private func digits(_ bytes: RawSpan) -> String {
    bytes.copied().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  func stream(_ bytes: RawSpan, _ delivery: Delivery) { report("stream", bytes, delivery) }

  func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {
    report("control \(opcode.rawValue)", payload, delivery)
  }
}

/// Knows messages by their first byte.
final class OctetRecogniser: TextRecogniser {
  let printedMessages = PrintedMessages([.init("Event", 36, ["subscription", "publication", "*"])])

  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    if kind != .binary { return text.starts(with: "[3") ? Recognition(.likely) : .none }
    return text.byteCount > 1 && text.byte(at: 0) == 0x93 ? Recognition(.likely) : .none
  }
}
