// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFraming
import TapTesting
import TapTraffic
import Testing

@Suite("Messages of a stream without frames") struct FramedLayerTests {
  private final class Heard: Listener {
    var texts: [String] = []
    var codes: [String] = []
    var bytes = 0

    func opened(_: Opening, _: Delivery) {}
    func message(_: Message, _ bytes: RawSpan, _: Span<Note>) {
      texts.append(String(decoding: bytes.copied(), as: Unicode.UTF8.self))
    }
    func finding(_ finding: Finding) { codes.append(finding.code.name) }
    func closed(_: Closing, _: Delivery) {}
    func account(_: Fate, _ count: Int) { bytes += count }
    func count(_: Thing, _: Int) {}
  }

  private struct Telling: Layer {
    mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
      listener.message(Message("tcp", "TEXT", delivery.origin), bytes, Span())
    }
    mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
    mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
  }

  /// - Parameter gap: which piece is lost.
  private func read(
    _ pieces: [String], gap: Int? = nil, limits: Limits = Limits()
  ) -> Heard {
    let heard = Heard()
    var layer = FramedLayer(
      JSONTextFraming(), carrying: Telling(), limits: limits, isFromStart: true)
    let delivery = Delivery(Origin(record: 1, flow: 1, direction: .toServer))
    for (index, piece) in pieces.enumerated() {
      let bytes = Array(piece.utf8)
      if index == gap {
        layer.gap(bytes.count, delivery, heard)
      } else {
        layer.receive(bytes.span.bytes, delivery, heard)
      }
    }
    layer.finish(.closed, delivery, heard)
    return heard
  }

  static let streams: [(text: String, messages: [String])] = [
    ("{\"a\":1}\n{\"b\":\"}\"}\n", ["{\"a\":1}", "{\"b\":\"}\"}"]),
    ("{\"a\":1}\r\n\r\n{\"b\":2}\r\n", ["{\"a\":1}", "{\"b\":2}"]),
    ("{\"a\":{}}{\"b\":[\"\\\"{\"]} [1]", ["{\"a\":{}}", "{\"b\":[\"\\\"{\"]}", "[1]"]),
    ("{\n \"a\": 1\n}\n{\n}\n", ["{\n \"a\": 1\n}", "{\n}"]),
    ("{\"a\":1}\u{0}{\"b\":2}\u{0}", ["{\"a\":1}", "{\"b\":2}"]),
    ("\u{1E}{\"a\":1}\n\u{1E}{\"b\":2}\n", ["{\"a\":1}", "{\"b\":2}"]),
    // A text that is broken ends with its line.
    ("{\"a\":1}\n{\"b\":[\n{\"c\":3}\n", ["{\"a\":1}", "{\"b\":[", "{\"c\":3}"]),
    // The last line needs no end.
    ("{\"a\":1}\n{\"b\":2}", ["{\"a\":1}", "{\"b\":2}"]),
  ]

  @Test("every cut gives the same", arguments: streams)
  func cuts(_ text: String, _ messages: [String]) {
    let octets = Array(text.utf8)
    for cut in 0...octets.count {
      let heard = read(
        [octets[..<cut], octets[cut...]].map { String(decoding: $0, as: Unicode.UTF8.self) })
      #expect(heard.texts == messages, "cut at \(cut)")
      #expect(heard.bytes == octets.count && heard.codes.isEmpty, "cut at \(cut)")
    }
    #expect(read(octets.map { String(decoding: [$0], as: Unicode.UTF8.self) }).texts == messages)
  }

  @Test("behind a gap, the next line is read") func gap() {
    let heard = read(["{\"a\":1}\n{\"b\"", ":2}\n{\"c\"", ":3}\n{\"d\":4}\n"], gap: 1)
    #expect(heard.texts == ["{\"a\":1}", "{\"d\":4}"])
    #expect(heard.codes == ["stream.message-incomplete"])
  }

  @Test("what ends inside of a message is told") func end() {
    let heard = read(["{\"a\":1}\n{\"b\":"])
    #expect(heard.texts == ["{\"a\":1}"] && heard.codes == ["stream.message-incomplete"])
  }

  @Test("a message larger than the limit is given up, and the next is found") func tooLong() {
    var limits = Limits()
    limits.messageBytes = 16
    let heard = read(
      ["{\"a\":1}\n{\"b\":\"0123456789", "0123456789\"}\n{\"c\":3}\n"], limits: limits)
    #expect(heard.texts == ["{\"a\":1}", "{\"c\":3}"])
    #expect(heard.codes == ["stream.message-too-long"])
  }

  @Test("a stream of JSON is known by its first text") func recognition() {
    func look(_ text: String) -> Bool? {
      let octets = Array(text.utf8)
      return JSONTextFraming.recognise(octets.span.bytes)
    }
    #expect(look("{\"a\":1}") == true && look(" {}\n") == true)
    #expect(look("{\"a\":") == nil && look("") == nil && look("{") == nil)
    #expect(look("{a}") == false && look("GET /") == false && look("[1]") == false)
  }
}
