// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@Suite struct DeflateTests {
  private static func parameters(keeps: Bool, bits: Int32 = 15) -> Opening.Deflate {
    var deflate = Opening.Deflate()
    deflate.serverKeepsContext = keeps
    deflate.clientKeepsContext = keeps
    (deflate.serverWindowBits, deflate.clientWindowBits) = (bits, bits)
    return deflate
  }

  /// RFC 7692 §7.2.3, in both directions and for each size of the window.
  @Test(arguments: Int32(8)...15) func examplesOfTheRFC(bits: Int32) {
    let talk = WebSocketConversation(deflate: Self.parameters(keeps: true, bits: bits))
    talk.send(.toClient, frame(0xC1, hello))
    talk.send(.toServer, frame(0xC1, hello, mask: key))
    talk.send(.toClient, frame(0xC1, helloAgain))
    talk.send(.toServer, frame(0xC1, helloAgain, mask: key))
    // In fragments, not compressed, with a final block, and in two blocks.
    talk.send(.toClient, frame(0x41, [0xF2, 0x48, 0xCD]) + frame(0x80, [0xC9, 0xC9, 0x07, 0x00]))
    talk.send(.toClient, frame(0xC1, stored("Hello")))
    talk.send(.toClient, frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]))
    talk.send(
      .toClient,
      frame(0xC1, [0xF2, 0x48, 0x05, 0, 0, 0, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]))
    // The final block did not end the context.
    talk.send(.toClient, frame(0xC1, helloAgain))
    #expect(talk.passed == Array(repeating: "text Hello", count: 9))
    #expect(talk.codes.isEmpty && talk.reportedBytes == talk.fed)
  }

  /// A final block ends the message, and the byte behind it that RFC 7692 §7.2.3.4 asks for is
  /// missing: neither it nor the next message is to blame.
  @Test(arguments: [true, false]) func finalBlockWithoutTheOctet(keeps: Bool) {
    let final: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    for cut in 1...final.count {
      let talk = WebSocketConversation(deflate: Self.parameters(keeps: keeps))
      for _ in 0..<2 {
        talk.send(.toClient, frame(0x41, Array(final[..<cut])))
        talk.send(.toClient, frame(0x80, Array(final[cut...])))
        talk.send(.toClient, frame(0xC1, keeps ? helloAgain : hello))
        talk.send(.toClient, frame(0xC1, final))
        talk.send(.toClient, frame(0xC1, final + [0]))
      }
      #expect(talk.passed == Array(repeating: "text Hello", count: 8))
      #expect(talk.codes.isEmpty && talk.reportedBytes == talk.fed)
    }
  }

  /// One of them is too large, or refers to what was not captured.
  @Test func finalBlockThatIsNotReported() {
    let final: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    var limits = Limits()
    limits.messageBytes = 4
    let talk = WebSocketConversation(deflate: Self.parameters(keeps: true), limits: limits)
    talk.send(.toClient, frame(0xC1, final))
    talk.send(.toClient, frame(0xC1, [0xF2, 0x00, 0x02, 0x00, 0x00]))
    #expect(talk.codes == ["websocket.message-too-large"])
  }

  @Test func plainMessagesBetweenCompressedOnes() {
    let talk = WebSocketConversation(deflate: Self.parameters(keeps: true))
    talk.send(.toClient, frame(0xC1, hello) + frame(0x81, "plain") + frame(0xC2, helloAgain))
    talk.send(.toClient, frame(0x01, "frag") + frame(0x89, "p") + frame(0x80, "ment"))
    talk.send(.toClient, frame(0x41, [0xF2, 0x00]) + frame(0x89, "q") + frame(0x80, [0x11, 0, 0]))
    #expect(
      talk.passed == [
        "text Hello", "text plain", "binary Hello", "text fragment", "text Hello",
      ])
  }

  @Test func contextsOfBothSidesAreApart() {
    var deflate = Opening.Deflate()
    deflate.clientKeepsContext = false
    let talk = WebSocketConversation(deflate: deflate)
    talk.send(.toServer, frame(0xC1, hello, mask: key))
    talk.send(.toClient, frame(0xC1, hello))
    talk.send(.toClient, frame(0xC1, helloAgain))
    talk.send(.toServer, frame(0xC1, helloAgain, mask: key))
    #expect(talk.passed == Array(repeating: "text Hello", count: 4))
    // It was agreed that no message of the client refers to another.
    #expect(talk.codes == ["websocket.bad-compression"])
    #expect(talk.accounted == talk.fed)
  }

  /// A hole in a compressed message: with context takeover what refers to it is unknown, what a
  /// message carries itself is not. Without takeover the next message must not refer to anything,
  /// and is read like one with it when it does.
  @Test(arguments: [true, false]) func hole(keeps: Bool) {
    let talk = WebSocketConversation(deflate: Self.parameters(keeps: keeps))
    talk.send(.toClient, frame(0xC1, hello))
    let broken = frame(0xC1, stored("secret text"))
    talk.send(.toClient, Array(broken[..<6]))
    talk.gap(.toClient, 4)
    talk.send(.toClient, Array(broken[10...]))
    #expect(talk.codes == ["websocket.message-incomplete"])
    #expect(talk.passed == ["text Hello"])
    talk.send(.toClient, frame(0xC1, helloAgain))
    let codes =
      ["websocket.message-incomplete", "websocket.context-lost"]
      + (keeps ? [] : ["websocket.bad-compression"])
    #expect(talk.codes == codes)
    talk.send(.toClient, frame(0xC1, hello))
    #expect(talk.passed == ["text Hello", "partialText H····", "text Hello"])
    #expect(talk.codes == codes && talk.accounted == talk.fed)
  }

  /// Messages are missed, and every byte that is reported of those behind them is the one that was
  /// sent; what they refer to is marked as unknown.
  @Test(arguments: [8, 9, 12, 15] as [Int32], 0..<12 as Range<UInt64>)
  func knownOctetsAreRight(bits: Int32, seed: UInt64) {
    var random = Seeded(seed)
    var deflater = Deflater(windowBits: max(9, bits))
    let talk = WebSocketConversation(deflate: Self.parameters(keeps: true, bits: bits))
    let words = ["{\"user\":", "com.example.", "příliš", "žluťoučký", "12345", "…", "[36,586,"]
    var sent: [[UInt8]] = []
    var isBehind = false
    for number in 0..<400 {
      var text = ""
      for _ in 0..<Int.random(in: 1...9, using: &random) {
        text += words.randomElement(using: &random)!
        if Bool.random(using: &random) {
          text += String(UInt64.random(in: 0...(1 << 40), using: &random))
        }
      }
      let wire = frame(0xC1, deflater.message(Array(text.utf8)))
      if number > 2 && number < 12 && Bool.random(using: &random) {
        // Its beginning is there, its end is not.
        talk.send(.toClient, Array(wire.prefix(3)))
        talk.gap(.toClient, wire.count - 3)
        isBehind = true
      } else {
        talk.send(.toClient, wire)
        sent.append(Array(text.utf8))
      }
    }
    #expect(talk.passed.count == sent.count)
    var unknown = 0
    for (reported, sent) in zip(talk.passed, sent) {
      if reported.hasPrefix("text ") {
        #expect(reported == "text " + String(decoding: sent, as: Unicode.UTF8.self))
      } else {
        #expect(reported.hasPrefix("partialText ") && isBehind)
        #expect(fits(Array(reported.utf8.dropFirst(12)), sent), "\(reported)")
        unknown += 1
      }
    }
    #expect(unknown > 0)
    // What has no recognition leaves nothing of the unknown in the window.
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for _ in 0..<8 where bits <= 12 {
      let text = (0..<1 << max(9, bits)).map { _ in letters.randomElement(using: &random)! }
      talk.send(.toClient, frame(0xC1, deflater.message(text)))
    }
    if bits <= 12 { #expect(talk.passed.last!.hasPrefix("text ")) }
    #expect(talk.accounted == talk.fed)
  }

  /// Whether a text says nothing but what was sent, where “·” stands for any byte.
  private func fits(_ reported: [UInt8], _ sent: [UInt8]) -> Bool {
    let dot = Array("·".utf8)
    var (at, place) = (0, 0)
    while at < reported.count && place < sent.count {
      if reported[at...].starts(with: dot) {
        (at, place) = (at + 2, place + 1)
      } else {
        if reported[at] != sent[place] { return false }
        (at, place) = (at + 1, place + 1)
      }
    }
    return at == reported.count && place == sent.count
  }

  @Test func tooLargeKeepsTheContext() {
    var limits = Limits()
    limits.messageBytes = 5
    let talk = WebSocketConversation(deflate: Self.parameters(keeps: true), limits: limits)
    talk.send(.toClient, frame(0xC1, stored("abcdefghijklHello")))
    talk.send(.toClient, frame(0xC1, helloAgain))
    #expect(talk.codes == ["websocket.message-too-large"])
    #expect(talk.passed == ["text Hello"])
  }

  @Test func corruptThenWhole() {
    let talk = WebSocketConversation(deflate: Self.parameters(keeps: true))
    talk.send(.toClient, frame(0xC1, [0x07, 1, 2]))
    talk.send(.toClient, frame(0xC1, hello))
    #expect(talk.codes == ["websocket.inflate-failed"])
    #expect(talk.passed == ["text Hello"])
    #expect(talk.accounted == talk.fed)
  }
}
