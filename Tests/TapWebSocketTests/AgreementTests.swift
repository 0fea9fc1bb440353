// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

/// Senders that do not keep what was agreed on permessage-deflate (RFC 7692 §7.1), or never agreed.
@Suite struct AgreementTests {
  private static let words = "[36,5862354,71,{},[\"the same words again and again\"]]"

  /// Random letters, which no compressor finds again, and then what came before them.
  private static func apart(_ count: Int) -> String {
    var random = Seeded(7)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return words
      + String(
        decoding: (0..<count).map { _ in letters.randomElement(using: &random)! },
        as: Unicode.UTF8.self) + words
  }

  private struct Case: CustomStringConvertible {
    var description: String
    var keeps = true
    var bits: Int32 = 15
    var texts: [String]
    var source: [String] = []
  }

  private static let cases: [Case] = [
    Case(description: "with context", texts: [words, words, words]),
    Case(
      description: "context that was not agreed on", keeps: false, texts: [words, words, words],
      source: ["RFC 7692 §7.1.1.1"]),
    Case(
      description: "the same in long messages", keeps: false,
      texts: [apart(40_000), apart(100), apart(30_000), words], source: ["RFC 7692 §7.1.1.1"]),
    Case(description: "within the window", bits: 9, texts: [apart(400), apart(300)]),
    Case(
      description: "beyond the window", bits: 9, texts: [apart(600), words, apart(10)],
      source: ["RFC 7692 §7.1.2.1"]),
    Case(
      description: "neither", keeps: false, bits: 10, texts: [apart(1200), apart(20), words],
      source: ["RFC 7692 §7.1.2.1", "RFC 7692 §7.1.1.1"]),
  ]

  @Test(arguments: cases.indices) func reported(index: Int) {
    let one = Self.cases[index]
    var deflate = Opening.Deflate()
    (deflate.serverKeepsContext, deflate.serverWindowBits) = (one.keeps, one.bits)
    var deflater = Deflater()
    let wire = one.texts.map { frame(0xC1, deflater.message(Array($0.utf8))) }
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let talk = WebSocketConversation(deflate: deflate)
      for piece in pieces { talk.send(.toClient, piece) }
      #expect(talk.passed == one.texts.map { "text \($0)" }, "\(one.description)")
      #expect(talk.recorder.findings.map(\.source) == one.source, "\(one.description)")
      #expect(talk.reportedBytes == talk.fed)
      return talk.reported
    }
    let whole = reported(wire)
    #expect(reported(wire.flatMap { $0 }.map { [$0] }) == whole)
  }

  /// How a compressed message must end (RFC 7692 §7.2.1).
  @Test(arguments: [
    (hello, "text Hello", 0), ([], "text ", 1),
    (hello + [0x00, 0x00, 0xFF, 0xFF], "text Hello", 1),
    (Array(hello.dropLast()), "text Hello", 1),
  ])
  func end(payload: [UInt8], text: String, faults: Int) {
    let talk = WebSocketConversation(deflate: Opening.Deflate())
    talk.send(.toClient, frame(0xC1, payload))
    #expect(talk.passed == [text])
    #expect(talk.codes == Array(repeating: "websocket.bad-compression", count: faults))
    talk.send(.toClient, frame(0xC1, hello))
    #expect(talk.passed == [text, "text Hello"])
    #expect(talk.accounted == talk.fed)
  }

  /// RSV1, and nobody said why: the bytes tell whether they are compressed.
  @Test(arguments: [
    (0xC1, hello, "text Hello"), (0xC1, wire("[1,2]"), "text [1,2]"), (0xC1, [0xFF, 0xFE, 7], nil),
    (0xC2, [0x01, 0x02], "binary \u{1}\u{2}"),
  ])
  func notAgreed(first: Int, payload: [UInt8], text: String?) {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(first, payload))
    #expect(talk.passed == (text.map { [$0] } ?? []))
    #expect(talk.codes == ["websocket.reserved-bits"])
    talk.send(.toClient, frame(0xC1, hello) + frame(0x81, "plain"))
    #expect(talk.passed.suffix(2) == ["text Hello", "text plain"])
    #expect(talk.codes == ["websocket.reserved-bits"], "one cause, one finding")
    #expect(talk.accounted == talk.fed)
  }

  /// With a context, and in fragments.
  @Test func notAgreedButDone() {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0xC1, hello) + frame(0xC2, helloAgain))
    talk.send(.toClient, frame(0x41, [0xF2, 0x00]) + frame(0x80, [0x11, 0x00, 0x00]))
    #expect(talk.passed == ["text Hello", "binary Hello", "text Hello"])
    // What is missing is not made up.
    talk.gap(.toClient, 8)
    talk.send(.toClient, frame(0x81, "[1,2]") + frame(0xC1, helloAgain))
    #expect(talk.passed.dropFirst(3) == ["text [1,2]"])
  }
}
