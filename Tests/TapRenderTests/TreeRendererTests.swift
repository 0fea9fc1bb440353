// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapRender

@Suite struct TreeRendererTests {
  /// What stands below the line of `[33,11,58]`, or of another message.
  private func tree(
    _ rows: [OutlineRow], of bytes: [UInt8] = Array("[33,11,58]".utf8), isMasked: Bool = false,
    framing: Framing? = nil, traits: Message.Traits = [.isText, .isJSON], answers: UInt64 = 0,
    subject: String = "",
    _ set: (inout LineRenderer.Options) -> Void
  ) -> String {
    var options = LineRenderer.Options()
    set(&options)
    var renderer: any Renderer = TreeRenderer(options)
    var message = Message("wamp", "SUBSCRIBED", Origin(record: 7))
    message.first = link("request", 11, .answers)
    message.second = link("subscription", 58, .names)
    message.traits = traits
    var joined = Joined(index: 3)
    (joined.connection, joined.size) = (1, 10)
    (joined.answers, joined.latency) = (answers, answers > 0 ? 3_120_000 : -1)
    var detail = Detail(isMasked: isMasked)
    detail.rows = ContiguousArray(rows)
    detail.framing = framing
    let about = Array(subject.utf8)
    var text = TextBuffer(capacity: 0)
    let view = MessageView(joined, bytes.span.bytes, Span(), subject: about.span.bytes)
    renderer.detail(detail, message, view, into: &text)
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }

  private var subscribed: [OutlineRow] {
    let places = [(1, 3), (4, 6), (7, 9)]
    let titles: [StaticString] = ["SUBSCRIBED", "SUBSCRIBE.Request", "Subscription"]
    return zip(places, titles).enumerated().map { index, row in
      var made = OutlineRow(row.1, .json, ByteRange(row.0.0, row.0.1))
      (made.index, made.link) = (Int32(index), UInt8(index))
      made.meaning = index == 0 ? "the type" : "an id"
      return made
    }
  }

  @Test func elements() {
    #expect(
      tree(subscribed, answers: 2, subject: "com.topic") { $0.showsTree = true } == """
            message 3 · packet 7 · 10 bytes
            [0] SUBSCRIBED         33  the type
            [1] SUBSCRIBE.Request  11  answers message 2 after 3.12 ms
            [2] Subscription       58  com.topic · an id

        """)
    // What no element says, the first line does.
    #expect(
      tree([], answers: 2) { $0.showsTree = true }
        == "    message 3 · packet 7 · 10 bytes · answers message 2 after 3.12 ms\n")
  }

  @Test func keysStandBelowTheirElement() {
    let bytes = Array(#"[1,{"a":1,"longer":[true]}]"#.utf8)
    func key(_ start: Int, _ end: Int, _ value: (Int, Int), depth: UInt8 = 1) -> OutlineRow {
      var row = OutlineRow("", .json, ByteRange(value.0, value.1), depth: depth)
      row.key = ByteRange(start, end)
      return row
    }
    var heading = OutlineRow("Options", .heading, ByteRange())
    (heading.index, heading.meaning) = (1, "how")
    var odd = key(11, 17, (19, 25))
    (odd.remark, odd.meaning, odd.isExtension) = ("must be a string", "x", true)
    #expect(
      tree([heading, key(5, 6, (8, 9)), odd], of: bytes) { $0.showsTree = true }
        .split(separator: "\n").dropFirst()
        == [
          "    [1] Options  how", "        a       1",
          "        longer  [true]  x · an extension · ! must be a string",
        ])
  }

  @Test func octets() {
    let bytes = (0..<18).map { UInt8($0 + 0x70) }
    let dump = """
          0000  70 71 72 73 74 75 76 77  78 79 7a 7b 7c 7d 7e 7f  pqrstuvwxyz{|}~.
          0010  80 81                                             ..

      """
    #expect(tree([], of: bytes) { $0.showsOctets = true } == dump)
    #expect(
      tree([], of: bytes, isMasked: true) { $0.showsOctets = true }
        == "    bytes with tokens in place of credentials:\n" + dump)
    let withheld = tree([], of: bytes, isMasked: true, traits: .isUnclaimed) {
      $0.showsOctets = true
    }
    #expect(withheld.contains("withheld") && !withheld.contains("70 71"))
    #expect(tree([], of: []) { $0.showsOctets = true } == "")
  }

  @Test func frames() {
    let framing = Framing(
      opcode: 2, frames: 3, isCompressed: true, isMasked: true, key: 0x3D21_FA37, wireBytes: 1234,
      firstRecord: 5, Origin())
    let line = tree([], framing: framing) { ($0.showsTree, $0.showsFrames) = (true, true) }
    #expect(
      line == """
            message 3 · packet 7 · 10 bytes
            3 frames BINARY · FIN on the last · RSV1 (compressed) · masked, the last with 37fa213d\
         · 1,234 bytes on the wire · from packet 5

        """)
  }

  /// Control frames have a line only where all is shown, and then all that stands below it.
  @Test func controlFrames() {
    #expect(tree([], traits: .isControl) { $0.showsTree = true } == "")
    #expect(tree([], traits: .isControl) { ($0.showsTree, $0.showsAll) = (true, true) } != "")
  }

  @Test(
    "what is asked for of a message",
    arguments: [
      (false, false, false, [.details, .sent]),
      (true, false, false, [.details, .outline, .sent]),
      (true, true, false, [.details, .outline, .frames, .sent]),
      (false, false, true, [.details, .sent]),
    ] as [(Bool, Bool, Bool, Detail.Wishes)])
  func wishes(_ tree: Bool, _ frames: Bool, _ octets: Bool, _ wishes: Detail.Wishes) {
    var options = LineRenderer.Options()
    (options.showsTree, options.showsFrames, options.showsOctets) = (tree, frames, octets)
    #expect(TreeRenderer(options).wishes == wishes)
    #expect(LineRenderer(options).wishes == [])
  }

  /// Whatever the width, the text and the colours: no control gets through.
  @Test func hostileText() {
    var random = Seeded(17)
    for round in 0..<600 {
      // What is said to be JSON is UTF-8.
      let isJSON = round & 1 == 1
      let pieces = ["[]{}\",:\\a", "\u{1B}", "é漢", "\u{200B}", "\u{202E}", "\u{7F}"].flatMap { $0 }
      let bytes = (0..<Int.random(in: 1...90, using: &random)).flatMap { _ in
        isJSON || Bool.random(using: &random)
          ? Array(pieces.randomElement(using: &random)!.utf8)
          : [UInt8.random(in: 0...255, using: &random)]
      }
      let starts = bytes.indices.filter { !isJSON || bytes[$0] & 0xC0 != 0x80 } + [bytes.count]
      func range() -> ByteRange {
        let ends = (0..<2).map { _ in starts.randomElement(using: &random)! }
        return ByteRange(ends.min()!, ends.max()!)
      }
      let rows = (0..<4).map { index in
        let kinds: [OutlineRow.Kind] = [.heading, .json, .text, .octets]
        var row = OutlineRow(
          "", kinds.randomElement(using: &random)!, range(),
          depth: UInt8.random(in: 0...3, using: &random))
        (row.key, row.meaning) = (range(), "meaning")
        row.link = UInt8.random(in: 0...2, using: &random)
        return row
      }
      let width = Int.random(in: 40...120, using: &random)
      let traits: Message.Traits = isJSON ? .isJSON : []
      let subject = String(decoding: bytes, as: Unicode.UTF8.self)
      let text = tree(rows, of: bytes, traits: traits, subject: subject) {
        ($0.showsTree, $0.width, $0.isColored) = (true, width, round & 2 == 0)
      }
      // A combining character behind it is none of the colour.
      let colour = /\u{1B}\[[0-9;]*m/.matchingSemantics(.unicodeScalar)
      let plain = text.replacing(colour, with: "")
      for line in plain.split(separator: "\n") {
        let odd = line.unicodeScalars.contains { TapBytes.UTF8.isUnseen($0.value) }
        #expect(!odd, "\(bytes)")
      }
      #expect(text.hasSuffix("\n"))
    }
  }
}
