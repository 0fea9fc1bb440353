// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic
import Testing

/// What ids mean behind lost messages.
@Suite("Gaps in JSON-RPC") struct JSONRPCGapTests {
  private func ask(_ id: Int, _ talk: WAMPConversation) -> Message? {
    talk.say(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#, .toServer)?.message
  }

  private func answer(_ id: Int, _ talk: WAMPConversation) -> Message? {
    talk.say(#"{"jsonrpc":"2.0","id":\#(id),"result":0}"#, .toClient)?.message
  }

  @Test("an id that is used each time may be that of a lost request") func sameID() {
    let talk = WAMPConversation(JSONRPCDialect())
    #expect(ask(1, talk)?.first.role == .opens)
    #expect(answer(1, talk)?.first.role == .answers)
    #expect(ask(1, talk)?.traits.contains(.beginsAnew) == false)
    talk.gap(.toClient)
    talk.gap(.toServer)
    #expect(answer(1, talk)?.first.role == .shows)
    #expect(ask(1, talk)?.traits.contains(.beginsAnew) == true)
    #expect(answer(1, talk)?.first.role == .answers)
    talk.finish(.closed)
    #expect(talk.recorder.codes == [])
  }

  @Test("no request was lost, so that the answer is that to the last") func answersLost() {
    let talk = WAMPConversation(JSONRPCDialect())
    _ = (ask(1, talk), answer(1, talk), ask(1, talk))
    talk.gap(.toClient)
    #expect(answer(1, talk)?.first.role == .answers)
  }

  @Test("ids that count are joined over a gap") func counted() {
    let talk = WAMPConversation(JSONRPCDialect())
    for id in 1...20 { _ = (ask(id, talk), id < 20 ? answer(id, talk) : nil) }
    talk.gap(.toClient)
    talk.gap(.toServer)
    #expect(answer(20, talk)?.first.role == .answers)
  }
}
