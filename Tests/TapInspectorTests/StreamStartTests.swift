// SPDX-License-Identifier: Apache-2.0
import TapCaptures
import TapEvidence
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// What a stream begins with shows what it is, however segments cut it: a method of HTTP may be the
/// beginning of something else.
@Suite struct StreamStartTests {
  @Test(arguments: [
    "CONNECT\naccept-version:1.2\nhost:a\n\n\u{0}",
    "Content-Length: 42\r\n\r\n" + #"{"jsonrpc":"2.0","method":"a","params":[]}"#,
  ])
  func cut(_ first: String) {
    func messages(_ pieces: [[UInt8]]) -> UInt64 {
      var talk = Dialogue()
      talk.connect()
      for piece in pieces { talk.send(.toServer, piece) }
      talk.end()
      let inspector = Inspector(
        LineRenderer(LineRenderer.Options()), Inspector.Options())
      let engine = Engine(inspector, limits: Limits())
      var input = PcapInput(Place(input: 0), limits: Limits())
      input.receive(talk.pcap().span.bytes, engine)
      input.finish(engine)
      engine.finish()
      return inspector.summary.messages
    }
    #expect(messages([Array(first.utf8)]) == 1)
    #expect(difference(forEveryCutOf: Array(first.utf8), reported: messages) == nil)
  }
}
