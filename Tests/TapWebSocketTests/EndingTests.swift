// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// What is told of the way a connection ends.
@Suite struct EndingTests {
  private enum Event {
    case ping(Direction), pong(Direction), close(Direction), gap(Direction)
  }

  private struct Case: CustomStringConvertible {
    var description: String
    /// With the second they come in.
    var events: [(Int64, Event)]
    var end: Int64
    var ending = Ending.closed
    var codes: [String] = []
  }

  private static let cases: [Case] = [
    Case(description: "answered", events: [(1, .ping(.toServer)), (2, .pong(.toClient))], end: 60),
    Case(
      description: "not answered", events: [(1, .ping(.toServer))], end: 60,
      codes: ["websocket.ping-unanswered"]),
    Case(
      description: "the second was not",
      events: [(1, .ping(.toClient)), (2, .pong(.toServer)), (3, .ping(.toClient))], end: 60,
      ending: .endOfEvidence, codes: ["websocket.ping-unanswered"]),
    Case(
      description: "one answer to two",
      events: [(1, .ping(.toClient)), (3, .ping(.toClient)), (3, .pong(.toServer))], end: 60),
    Case(
      description: "the answer captured first",
      events: [(1, .pong(.toClient)), (1, .ping(.toServer))], end: 60),
    Case(description: "just now", events: [(58, .ping(.toServer))], end: 60),
    Case(
      description: "a CLOSE instead", events: [(1, .ping(.toServer)), (2, .close(.toClient))],
      end: 60),
    Case(
      description: "maybe in a gap", events: [(1, .ping(.toServer)), (2, .gap(.toClient))], end: 60),
    Case(
      description: "reset", events: [], end: 60, ending: .reset,
      codes: ["websocket.connection-reset"]),
    Case(
      description: "reset after CLOSE", events: [(1, .close(.toServer))], end: 60, ending: .reset),
    Case(description: "FIN", events: [], end: 60),
  ]

  @Test(arguments: cases.indices) func told(index: Int) {
    let one = Self.cases[index]
    let talk = Talk()
    for (second, event) in one.events {
      talk.clock = second * 1_000_000_000
      switch event {
      case .ping(let side): talk.send(side, frame(0x89, "p", mask: side == .toServer ? key : nil))
      case .pong(let side): talk.send(side, frame(0x8A, "p", mask: side == .toServer ? key : nil))
      case .close(let side):
        talk.send(side, frame(0x88, wire(3, 232), mask: side == .toServer ? key : nil))
      case .gap(let side): talk.gap(side, 100)
      }
    }
    talk.clock = one.end * 1_000_000_000
    talk.finish(one.ending)
    let codes = talk.codes.filter { $0 != "websocket.framing-lost" }
    #expect(codes == one.codes, "\(one.description)")
  }
}
