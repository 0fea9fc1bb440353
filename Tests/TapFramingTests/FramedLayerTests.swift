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
    var said: [String] = []
    var bytes = 0

    func opened(_: Opening, _: Delivery) {}
    func message(_: Message, _ bytes: RawSpan, _: Span<Note>) {
      texts.append(String(decoding: bytes.copied(), as: Unicode.UTF8.self))
    }
    func finding(_ finding: Finding) {
      codes.append(finding.code.name)
      said.append(finding.text)
    }
    func closed(_: Closing, _: Delivery) {}
    func account(_: Fate, _ count: Int) { bytes += count }
    func count(_: Counter, _: Int) {}
  }

  private struct Reporting: Layer {
    mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
      listener.message(Message("tcp", "TEXT", delivery.origin), bytes, Span())
    }
    mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
    mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
  }

  private func layer(_ limits: Limits, isFromStart: Bool) -> FramedLayer {
    FramedLayer(
      JSONStreamFraming(limits), JSONStreamFraming(limits), carrying: Reporting(),
      isFromStart: isFromStart)
  }

  /// - Parameter gap: which piece is lost.
  private func read(
    _ pieces: [String], gap: Int? = nil, limits: Limits = Limits()
  ) -> Heard {
    read(octets: pieces.map { Array($0.utf8) }, gap: gap, limits: limits)
  }

  private func read(
    octets pieces: [[UInt8]], gap: Int? = nil, limits: Limits = Limits()
  ) -> Heard {
    let heard = Heard()
    var layer = self.layer(limits, isFromStart: true)
    let delivery = Delivery(Origin(record: 1, flow: 1, direction: .toServer))
    for (index, bytes) in pieces.enumerated() {
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
    // What stands between texts is part of none.
    ("{}\n\n\u{0}[\n", ["{}", "["]),
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
    #expect(heard.codes == ["stream.message-incomplete", "stream.resynchronised"])
  }

  /// Each stream, the hole in it, and the messages around it.
  static let holes: [(pieces: [String], messages: [String])] = [
    // Whole messages are lost.
    (
      ["{\"a\":1}\n", "{\"b\":2}\n{\"c\":3}\n", "{\"d\":4}\n{\"e\":5}\n"],
      ["{\"a\":1}", "{\"e\":5}"]
    ),
    (
      ["{\"a\":1}{\"b\":2}", "{\"c\":3}", "{\"d\":4}{\"e\":5}"],
      ["{\"a\":1}", "{\"b\":2}", "{\"e\":5}"]
    ),
    // A part of an object, whose members are objects.
    (
      ["{\"a\":1}{", "\"b\":[", "{\"c\":3},{\"d\":4}]}{ \"e\":5}{}"],
      ["{\"a\":1}", "{ \"e\":5}", "{}"]
    ),
    (["{\"a\":1}\u{0}{\"b\"", ":2}\u{0}", "{\"c\":3}\u{0}{}"], ["{\"a\":1}", "{}"]),
    // Over several lines.
    (
      ["{\n\"a\":1\n}\n", "{\n\"b\":", "{\n\"c\":3\n}\n}\n{\n\"d\":4\n}\n"],
      ["{\n\"a\":1\n}", "{\n\"d\":4\n}"]
    ),
  ]

  @Test("behind a gap, the next text is found, for every cut", arguments: holes)
  func gaps(_ pieces: [String], _ messages: [String]) {
    let end = Array(pieces[2].utf8)
    for cut in 0...end.count {
      let heard = read(
        octets: [Array(pieces[0].utf8), Array(pieces[1].utf8)]
          + [end[..<cut], end[cut...]].map(Array.init),
        gap: 1)
      #expect(heard.texts == messages, "cut at \(cut)")
      #expect(heard.codes.last == "stream.resynchronised", "cut at \(cut)")
      #expect(heard.bytes == pieces[0].utf8.count + end.count, "cut at \(cut)")
    }
  }

  /// What a segment behind a gap holds, and the messages in it.
  static let segments: [(text: String, messages: [String])] = [
    ("{\"b\":2}\n", ["{\"b\":2}"]),
    ("{\"b\":2}", ["{\"b\":2}"]),
    ("{\"b\":[{}]}{\"c\":3}", ["{\"b\":[{}]}", "{\"c\":3}"]),
    // It is cut within a list.
    ("{\"b\":2},{\"c\":3}]}{\"d\":4}", ["{\"d\":4}"]),
    ("{\"b\":2}]}{\"d\":4}", ["{\"d\":4}"]),
  ]

  @Test("a text that a segment begins with is read, for every cut", arguments: segments)
  func borders(_ text: String, _ messages: [String]) {
    let octets = Array(text.utf8)
    for first in 0...octets.count {
      for second in first...octets.count {
        let heard = Heard()
        var layer = self.layer(Limits(), isFromStart: false)
        let origin = Origin(record: 1, flow: 1, direction: .toServer)
        layer.gap(100, Delivery(origin), heard)
        for range in [0..<first, first..<second, second..<octets.count] where !range.isEmpty {
          var edges: Delivery.Edges = range.lowerBound == 0 ? .start : []
          if range.upperBound == octets.count { edges.insert(.end) }
          layer.receive(Array(octets[range]).span.bytes, Delivery(origin, edges: edges), heard)
        }
        #expect(heard.texts == messages, "cut at \(first) and \(second)")
        layer.finish(.closed, Delivery(origin), heard)
        #expect(heard.bytes == octets.count && heard.texts == messages, "\(first), \(second)")
      }
    }
  }

  @Test("a gap behind which no message is found is reported") func gapAtEnd() {
    #expect(read(["{\"a\":1}\n", "{\"b\":2}\n"], gap: 1).codes == ["stream.framing-lost"])
    let heard = read(["{\"a\":1}\n", "{\"b\":2}\n{\"c\"", ":3}"], gap: 1)
    #expect(heard.texts == ["{\"a\":1}"] && heard.codes == ["stream.framing-lost"])
  }

  @Test("what ends inside of a message is reported") func end() {
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

  @Test("a message for which there is no memory is reported to be that") func noRoom() {
    var limits = Limits()
    limits.unfinishedBytes = Allowance(20_000)
    let large = Array(("{\"a\":\"" + String(repeating: "a", count: 40_000) + "\"}").utf8)
    let head = Array("Content-Length: \(large.count)\r\n\r\n".utf8)
    let small = Array("Content-Length: 2\r\n\r\n{}".utf8)
    let heard = read(
      octets: [small + head + large.prefix(30_000), large.dropFirst(30_000) + small],
      limits: limits)
    #expect(heard.texts == ["{}", "{}"] && heard.codes == ["stream.message-too-long"])
    #expect(heard.said[0].contains("leaves no room for a message: \(head.count + large.count)"))
    #expect(heard.bytes == 2 * small.count + head.count + large.count)
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

  /// Texts behind lengths, in every form.
  static let lengths: [(octets: [UInt8], messages: [String])] = {
    let texts = ["{\"a\":1}", "[\"\u{E4}\"]", "{\"b\":{\"c\":\"}\"}}"]
    func all(_ prefix: (Int) -> [UInt8], _ suffix: String = "") -> [UInt8] {
      texts.flatMap { prefix($0.utf8.count) + Array($0.utf8) + Array(suffix.utf8) }
    }
    func big(_ count: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    return [
      all { big($0, 4) }, all { big($0, 4).reversed() }, all { big($0 + 4, 4) },
      all { big($0, 2) }, all { big($0, 2).reversed() },
      all { Array("\($0)\n".utf8) }, all({ Array("\($0):".utf8) }, ","),
      all { Array("\($0)".utf8) },
      all { Array("Content-Length: \($0)\r\n\r\n".utf8) },
      all { Array("content-type: x\r\ncontent-length:\($0)\r\n\r\n".utf8) },
    ].map { ($0, texts) }
  }()

  @Test("lengths are recognised, and every cut gives the same", arguments: lengths)
  func prefixes(_ octets: [UInt8], _ messages: [String]) {
    #expect(JSONStreamFraming.recognise(octets.span.bytes, most: 1000) == true)
    for cut in 0...octets.count {
      let heard = read(octets: [Array(octets[..<cut]), Array(octets[cut...])])
      #expect(heard.texts == messages, "cut at \(cut)")
      #expect(heard.bytes == octets.count && heard.codes.isEmpty, "cut at \(cut)")
    }
    #expect(read(octets: octets.map { [$0] }).texts == messages)
  }

  @Test("behind a gap, a length is believed that leads to two others") func lengthsAfterGap() {
    let texts = (0..<6).map { Array("{\"n\":\($0)}".utf8) }
    let frames = texts.map { [0, 0, 0, UInt8($0.count)] + $0 }
    let heard = read(
      octets: [frames[0], frames[1], Array(frames[2].dropFirst(5))] + frames[3...], gap: 1)
    #expect(heard.texts == ["{\"n\":0}", "{\"n\":3}", "{\"n\":4}", "{\"n\":5}"])
  }

  /// A hole in each place of the second message, and as much as the whole of what follows its
  /// length.
  @Test("a hole within a message loses that message alone, where its length is there")
  func lengthsAroundGap() {
    let texts = (0..<4).map { Array("{\"number\":\($0)}".utf8) }
    let frames = texts.map { [0, 0, 0, UInt8($0.count)] + $0 }
    let second = frames[1]
    for start in 5..<second.count {
      for end in start + 1...second.count {
        let heard = read(
          octets: [
            frames[0], Array(second[..<start]), Array(second[start..<end]), Array(second[end...]),
            frames[2], frames[3],
          ], gap: 2)
        #expect(heard.texts == [0, 2, 3].map { "{\"number\":\($0)}" }, "\(start)..<\(end)")
        #expect(heard.codes == ["stream.message-incomplete"])
        let lost =
          end - start == 1 ? "1 byte of a message was" : "\(end - start) bytes of a message were"
        #expect(heard.said[0].hasPrefix(lost + " not captured; "))
        #expect(heard.bytes == 4 * second.count - (end - start))
      }
    }
  }

  @Test("a length that counts characters is reported, and the next message found") func miscounted()
  {
    let text = "{\"a\":\"\u{E4}\u{F6}\"}"
    func framed(_ text: String, _ count: Int) -> String {
      "Content-Length: \(count)\r\n\r\n\(text)"
    }
    let stream = Array(
      (framed("{}", 2) + framed(text, text.count) + framed("{\"b\":[", 6) + framed("{}", 2)).utf8)
    for cut in 0...stream.count {
      let heard = read(octets: [Array(stream[..<cut]), Array(stream[cut...])])
      #expect(heard.texts == ["{}", text, "{\"b\":[", "{}"], "cut at \(cut)")
      #expect(heard.codes == ["stream.length-wrong"] && heard.bytes == stream.count)
    }
  }

  @Test("what is no message is reported, and the next one found") func noLength() {
    let head = "Content-Length: 2\r\n\r\n{}"
    let heard = read([head + "hello" + head + head + head])
    #expect(heard.texts == ["{}", "{}", "{}", "{}"])
    #expect(heard.codes == ["stream.length-wrong", "stream.resynchronised"])
  }

  @Test("a text that never ends is not read again with each segment") func endless() {
    var limits = Limits()
    limits.messageBytes = 1 << 20
    let head = "Content-Length: 2\r\n\r\n"
    let start = Array((head + "{}" + head + "{\"a\":\"").utf8)
    let segments = [[UInt8]](repeating: Array(repeating: 0x61, count: 64), count: 20_000)
    let heard = read(octets: [start] + segments, limits: limits)
    #expect(heard.texts == ["{}"])
    #expect(heard.codes == ["stream.message-too-long", "stream.framing-lost"])
  }
  @Test(
    "lengths that are none are not followed again and again", .timeLimit(.minutes(10)),
    arguments: ["9999999[", "90000[", "90000[{}"])
  func hostileLengths(_ piece: String) {
    let stream = Array(("7:{\"a\":1},XXXX" + String(repeating: piece, count: 100_000)).utf8)
    let heard = read(octets: [stream])
    #expect(heard.texts == ["{\"a\":1}"] && heard.bytes == stream.count)
    #expect(heard.codes == ["stream.length-wrong", "stream.framing-lost"])
  }
}
