// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapCaptures
import TapEvidence
import TapInspector
import TapTesting
import TapTraffic
import Testing

@Suite("Missed beginnings") struct MissedBeginningsTests {
  private func areLikely(_ change: (inout Dialogue) -> Void) -> Bool {
    var talk = Dialogue()
    change(&talk)
    let missed = MissedBeginnings(limits: Limits())
    var input = PcapInput(Place(input: 0), limits: Limits())
    input.receive(talk.pcap().span.bytes, missed)
    input.finish(missed)
    missed.finish()
    return missed.areLikely
  }

  @Test("of a connection that is there from its SYN on, none") func whole() {
    #expect(
      !areLikely {
        $0.open()
        $0.text(.toServer, "hello")
        $0.close()
      })
    // A request that waits for its answer when the capture ends.
    #expect(
      !areLikely {
        $0.connect()
        $0.send(.toServer, "GET / HTTP/1.1\r\n\r\n")
      })
  }

  @Test("of a connection without its SYN") func midway() {
    #expect(
      areLikely {
        $0.open()
        $0.dropAll()
        $0.text(.toServer, "hello")
        $0.text(.toClient, "hello")
      })
  }

  @Test("of a connection that lacks a segment") func gap() {
    #expect(
      areLikely {
        $0.open()
        $0.text(.toServer, "hello")
        $0.drop()
        $0.text(.toServer, "hello")
        $0.text(.toClient, "hello")
        $0.close()
      })
  }

  @Test("of a connection that ends without a word of the other side") func oneSide() {
    #expect(
      areLikely {
        $0.connect()
        $0.send(.toServer, "hello")
        $0.capture($0.conversation.fin(.toServer))
      })
  }
}
