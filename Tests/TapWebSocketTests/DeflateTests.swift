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
    let talk = Talk(deflate: Self.parameters(keeps: true, bits: bits))
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
    #expect(talk.codes.isEmpty && talk.toldBytes == talk.fed)
  }

  @Test func plainMessagesBetweenCompressedOnes() {
    let talk = Talk(deflate: Self.parameters(keeps: true))
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
    let talk = Talk(deflate: deflate)
    talk.send(.toServer, frame(0xC1, hello, mask: key))
    talk.send(.toClient, frame(0xC1, hello))
    talk.send(.toClient, frame(0xC1, helloAgain))
    talk.send(.toServer, frame(0xC1, helloAgain, mask: key))
    #expect(talk.passed == Array(repeating: "text Hello", count: 3))
    #expect(talk.codes == ["websocket.context-lost"])
    #expect(talk.accounted == talk.fed)
  }

  /// A hole in a compressed message: with context takeover nothing that refers to it can be known;
  /// what refers to nothing can. Without takeover the next message is whole again.
  @Test(arguments: [true, false]) func hole(keeps: Bool) {
    let talk = Talk(deflate: Self.parameters(keeps: keeps))
    talk.send(.toClient, frame(0xC1, hello))
    let broken = frame(0xC1, stored("secret text"))
    talk.send(.toClient, Array(broken[..<6]))
    talk.gap(.toClient, 4)
    talk.send(.toClient, Array(broken[10...]))
    #expect(talk.codes == ["websocket.message-incomplete"])
    #expect(talk.passed == ["text Hello"])
    talk.send(.toClient, frame(0xC1, helloAgain))
    #expect(talk.codes == ["websocket.message-incomplete", "websocket.context-lost"])
    talk.send(.toClient, frame(0xC1, hello))
    #expect(talk.passed == ["text Hello", "text Hello"])
    #expect(talk.codes.count == 2 && talk.accounted == talk.fed)
  }

  @Test func tooLargeKeepsTheContext() {
    var limits = Limits()
    limits.messageBytes = 5
    let talk = Talk(deflate: Self.parameters(keeps: true), limits: limits)
    talk.send(.toClient, frame(0xC1, stored("abcdefghijklHello")))
    talk.send(.toClient, frame(0xC1, helloAgain))
    #expect(talk.codes == ["websocket.message-too-large"])
    #expect(talk.passed == ["text Hello"])
  }

  @Test func corruptThenWhole() {
    let talk = Talk(deflate: Self.parameters(keeps: true))
    talk.send(.toClient, frame(0xC1, [0x07, 1, 2]))
    talk.send(.toClient, frame(0xC1, hello))
    #expect(talk.codes == ["websocket.inflate-failed"])
    #expect(talk.passed == ["text Hello"])
    #expect(talk.accounted == talk.fed)
  }
}
