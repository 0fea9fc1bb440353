// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapWebSocket

private func parsed(_ bytes: [UInt8], at start: Int = 0) -> FrameHeader? {
  FrameHeader.parse(bytes.span.bytes, at: start)
}

@Suite struct FrameTests {
  /// Every form of the length, with and without a mask; each prefix is a header that is not there.
  @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
  func lengths(count: Int) throws {
    for mask in [nil, key] {
      let bytes = [0xEE] + frame(0x82, [UInt8](repeating: 7, count: count), mask: mask)
      let size = (count < 126 ? 2 : count < 65_536 ? 4 : 10) + (mask == nil ? 0 : 4)
      let header = try #require(parsed(bytes, at: 1))
      #expect(header.length == UInt64(count) && header.size == size && !header.isPadded)
      #expect(header.isMasked == (mask != nil))
      #expect(header.key == (mask == nil ? 0 : 0x3D21_FA37))
      for end in 1..<1 + size {
        let part = Array(bytes[..<end])
        #expect(parsed(part, at: 1) == nil)
      }
      let whole = Array(bytes[..<(1 + size)])
      #expect(parsed(whole, at: 1) != nil)
    }
  }

  @Test(arguments: [
    (0, 2, true), (125, 2, true), (126, 2, false), (126, 8, true), (65_535, 8, true),
  ])
  func paddedLengths(count: Int, octets: Int, isPadded: Bool) throws {
    let bytes = frame(0x81, [UInt8](repeating: 7, count: count), lengthOctets: octets)
    let header = try #require(parsed(bytes))
    #expect(header.isPadded == isPadded && header.length == UInt64(count))
  }

  @Test func everyFirstOctet() throws {
    for first in 0...255 {
      let bytes: [UInt8] = [UInt8(first), 0]
      let header = try #require(parsed(bytes))
      #expect(header.isFinal == (first >= 128))
      #expect(header.isCompressed == (first / 64 % 2 == 1))
      #expect(header.reserved == UInt8(first / 16 % 8 * 16))
      #expect(header.opcode.rawValue == UInt8(first % 16))
      #expect(header.isControl == (first % 16 >= 8))
      #expect(header.isKnown == [0, 1, 2, 8, 9, 10].contains(first % 16))
    }
  }

  /// The examples of RFC 6455 §5.7.
  @Test func examplesOfTheRFC() {
    let talk = WebSocketConversation()
    talk.send(.toClient, wire(0x81, 0x05, "Hello"))
    talk.send(.toServer, wire(0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58))
    talk.send(.toClient, wire(0x01, 0x03, "Hel", 0x80, 0x02, "lo"))
    talk.send(.toClient, wire(0x89, 0x05, "Hello"))
    talk.send(.toServer, wire(0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58))
    #expect(talk.passed == ["text Hello", "text Hello", "text Hello"])
    #expect(talk.recorder.lines == ["toClient PING Hello", "toServer PONG Hello"])
    #expect(talk.accounted == talk.fed && talk.reportedBytes == talk.fed)
  }

  @Test(arguments: [0, 1, 125, 126, 65_535, 65_536])
  func sizes(count: Int) {
    let talk = WebSocketConversation()
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    talk.send(.toServer, frame(0x82, payload, mask: key))
    talk.send(.toClient, frame(0x82, payload))
    #expect(talk.lent.chunks.map(\.bytes) == [payload, payload])
    #expect(talk.lent.chunks.allSatisfy { $0.delivery.kind == .binary })
    #expect(talk.reportedBytes == talk.fed && talk.codes.isEmpty)
  }

  @Test func controlFramesBetweenFragments() {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0x01, "one,") + frame(0x89, "p") + frame(0x00, "two,"))
    talk.send(.toClient, frame(0x8A, "") + frame(0x00, "") + frame(0x80, "three"))
    talk.send(.toClient, frame(0x02, "x") + frame(0x80, "y"))
    #expect(talk.recorder.lines == ["toClient PING p", "toClient PONG "])
    #expect(talk.passed == ["text one,two,three", "binary xy"])
    #expect(talk.reportedBytes == talk.fed)
  }

  /// A character may be cut in half between fragments; the message decides.
  @Test func charactersAcrossFragments() {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0x01, [0xE2, 0x82]) + frame(0x80, [0xAC]))
    talk.send(.toClient, frame(0x81, [0xE2, 0x82]))
    #expect(talk.lent.chunks.map(\.delivery.kind) == [.text, .brokenText])
    #expect(talk.codes == ["websocket.invalid-utf8"])
    #expect(talk.recorder.findings.allSatisfy { $0.isAboutLastMessage })
  }

  @Test func pingsAndPongsAreLinked() {
    let talk = WebSocketConversation()
    var links: [Link] = []
    talk.recorder.onMessage = { message, _, _ in
      links.append(message.first)
      #expect(message.traits == .isControl && message.dialect.description == "websocket")
    }
    talk.send(.toClient, frame(0x89, "a"))
    talk.send(.toServer, frame(0x8A, "a", mask: key))
    talk.send(.toServer, frame(0x89, "a", mask: key))
    talk.send(.toServer, frame(0x8A, "b", mask: key))
    #expect(links.map(\.role) == [.restarts, .answers, .restarts, .answers])
    #expect(links[0].key == links[1].key && links[0].space == links[1].space)
    #expect(links[2].key != links[0].key, "both sides may send the same payload")
    #expect(links[3].key != links[1].key)
  }

  @Test func offsetsOfMessages() {
    let talk = WebSocketConversation()
    talk.send(.toClient, frame(0x81, "aa") + frame(0x81, "b"))
    talk.send(.toClient, frame(0x81, "c"))
    #expect(talk.lent.chunks.map(\.delivery.origin.offset) == [0, 4, 7])
  }
}
