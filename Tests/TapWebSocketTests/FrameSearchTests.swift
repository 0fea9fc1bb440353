// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import TapWebSocket
import Testing

@Suite struct FrameSearchTests {
  private func falseAccept(
    _ bytes: [UInt8], masked: Bool?, compressed: Bool, segment: Int = 1448
  ) -> Int? {
    var search = FrameSearch()
    var at = 0
    while at < bytes.count {
      let end = min(at + segment, bytes.count)
      let part = Array(bytes[at..<end])
      let origin = Origin(record: 1, offset: UInt64(at), flow: 1, direction: .toClient)
      search.append(part.span.bytes, Delivery(origin, edges: [.start, .end]))
      at = end
    }
    guard
      case .found(let at, _) = search.firstFrame(
        masked: masked, compressed: compressed, isEnd: true)
    else { return nil }
    return at
  }

  /// 1 MiB of random bytes, in segments whose borders are evidence too.
  @Test(arguments: 0..<16 as Range<UInt64>) func randomBytes(seed: UInt64) {
    var random = Seeded(seed &+ 500)
    var bytes: [UInt8] = []
    while bytes.count < 1 << 16 {
      withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
    }
    let masked: [Bool?] = [true, false, nil]
    let found = falseAccept(bytes, masked: masked[Int(seed % 3)], compressed: seed % 2 == 0)
    #expect(found == nil)
  }

  /// Text without any frames: what lies behind a gap in a very long message.
  @Test(arguments: [
    "abcdefghijklmnopqrstuvwxyz ,.", "{}[]\",:0123456789", "äöüßéè ", "日本語の文字列",
    "Привет, мир", "🙂😀👍 ", "ÀÁÂÈÉÊ ab",
  ])
  func randomText(alphabet: String) {
    var random = Seeded(77)
    var accepted = 0
    for _ in 0..<12 {
      var text = ""
      for _ in 0..<4000 { text.append(alphabet.randomElement(using: &random)!) }
      for masked in [true, false] {
        if falseAccept(Array(text.utf8), masked: masked, compressed: false) != nil { accepted += 1 }
      }
    }
    #expect(accepted == 0, "of 24")
  }

  /// Streams of other protocols, each piece in a segment of its own: of none is believed that it is
  /// WebSocket at all.
  @Test(
    arguments: [
      [[0xC0, 0x00]], [[0xC0, 0x00], [0xD0, 0x00]], [[0x82, 0x01, 0x33]], [[0x80, 0x00]],
      [[0x00, 0x05, 1, 2, 3, 4, 5], [0x00, 0x03, 1, 2, 3], [0x00, 0x04, 1, 2, 3, 4]],
      [[UInt8]](repeating: Array("日本語テキスト".utf8), count: 30),
      // Rows of a table, as in object files, and masked ones; audio around silence.
      [[UInt8](repeating: 1, count: 7) + Self.rows([0x82, 22] + Array(1...22), 60)],
      [[UInt8](repeating: 1, count: 7) + Self.rows([0x89, 0x86] + Array(1...10), 60)],
      [Self.rows([0x81, 0x80, 0x80, 0x81, 0x80, 0x7F, 0x81, 0x80, 0x81, 0x81, 0x80], 60)],
    ] as [[[UInt8]]])
  func foreign(segments: [[UInt8]]) {
    var search = FrameSearch()
    for (number, bytes) in segments.enumerated() {
      let origin = Origin(record: UInt64(number) + 1, flow: 1, direction: .toClient)
      search.append(bytes.span.bytes, Delivery(origin, edges: [.start, .end]))
    }
    let answer = search.firstFrame(
      masked: nil, compressed: true, isEnd: true, enough: FrameSearch.enoughForStreams)
    guard case .undecided = answer else {
      Issue.record("\(answer)")
      return
    }
  }

  private static func rows(_ row: [UInt8], _ count: Int) -> [UInt8] {
    [[UInt8]](repeating: row, count: count).flatMap { $0 }
  }

  @Test("two frames that fill their segments, or JSON in one, are enough for a stream")
  func streams() {
    for segments in [
      [[0x82, 0x02, 1, 2], [0x82, 0x03, 1, 2, 3]], [[0x81, 0x06] + Array("[50,1]".utf8)],
      // STOMP ends with NUL.
      [frame(0x81, "BEGIN\n\n\0"), frame(0x81, "ABORT\nid:1\n\n\0\r\n")],
    ] as [[[UInt8]]] {
      var search = FrameSearch()
      for bytes in segments {
        let origin = Origin(record: 1, flow: 1, direction: .toClient)
        search.append(bytes.span.bytes, Delivery(origin, edges: [.start, .end]))
      }
      let answer = search.firstFrame(
        masked: nil, compressed: true, isEnd: true, enough: FrameSearch.enoughForStreams)
      #expect(answer == .found(at: 0, isMasked: false))
    }
  }

  @Test func findsWhatIsThere() {
    for mask in [nil, key] {
      for before in [0, 1, 7, 100] {
        let garbage = [UInt8](repeating: 0x20, count: before)
        let bytes =
          garbage + frame(0x81, "[36,1,2,{}]", mask: mask) + frame(0x81, "[36,1,3,{}]", mask: mask)
        #expect(falseAccept(bytes, masked: mask != nil, compressed: false) == before)
        #expect(falseAccept(bytes, masked: nil, compressed: false) == before)
        #expect(falseAccept(bytes, masked: mask == nil, compressed: false) == nil)
      }
    }
  }

  /// Socket.IO's texts begin with digits; what is compressed or binary shows nothing of itself.
  @Test("very long messages at the beginning of a segment", arguments: [0x81, 0x82, 0xC1])
  func veryLong(first: Int) {
    let text = "43/chat,1[\"" + String(repeating: "x", count: 70_000) + "\"]"
    for mask in [nil, key] {
      let bytes = frame(first, text, mask: mask)
      let found = falseAccept(bytes, masked: mask != nil, compressed: true)
      #expect(found == 0)
    }
  }

  /// It never answers before it must, and then as it would have for the whole.
  @Test func answersTheSameByteByByte() {
    let bytes = wire("rest of it\"]") + frame(0x81, "[1,2]") + frame(0x89, "") + frame(0x81, "[3]")
    var search = FrameSearch()
    var answers: [FrameSearch.Answer] = []
    for byte in bytes {
      let one = [byte]
      search.append(one.span.bytes, Delivery(Origin(), edges: []))
      let answer = search.firstFrame(masked: false, compressed: false, isEnd: false)
      if case .found = answer { answers.append(answer) }
    }
    #expect(answers.first == .found(at: 12, isMasked: false))
    #expect(Set(answers.map { "\($0)" }).count == 1)
  }
}
