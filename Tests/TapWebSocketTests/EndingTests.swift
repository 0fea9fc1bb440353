// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// What is reported of the way a connection ends.
@Suite struct EndingTests {
  private enum Event {
    case ping(Direction), pong(Direction), close(Direction), gap(Direction)
    case stray(Direction), half(Direction), text(Direction)
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
      end: 60, codes: ["websocket.close-unanswered"]),
    Case(
      description: "a PONG with other data",
      events: [(1, .ping(.toServer)), (2, .stray(.toClient))], end: 60,
      codes: ["websocket.pong-mismatch"]),
    Case(
      description: "a PONG of its own accord, and the answer",
      events: [(1, .ping(.toServer)), (2, .stray(.toClient)), (3, .pong(.toClient))], end: 60),
    Case(description: "a PONG of its own accord", events: [(2, .stray(.toClient))], end: 60),
    Case(
      description: "maybe in a gap", events: [(1, .ping(.toServer)), (2, .gap(.toClient))], end: 60),
    Case(
      description: "reset", events: [], end: 60, ending: .reset,
      codes: ["websocket.connection-reset"]),
    Case(
      description: "reset after CLOSE", events: [(1, .close(.toServer))], end: 60, ending: .reset,
      codes: ["websocket.close-unanswered"]),
    Case(description: "FIN", events: [], end: 60),
    Case(
      description: "CLOSE answered", events: [(1, .close(.toServer)), (2, .close(.toClient))],
      end: 3),
    Case(
      description: "CLOSE answered by FIN",
      events: [(1, .close(.toServer)), (1, .text(.toClient)), (2, .half(.toClient))], end: 3,
      codes: ["websocket.close-unanswered"]),
    Case(
      description: "FIN ahead of CLOSE", events: [(1, .half(.toClient)), (2, .close(.toServer))],
      end: 3),
    Case(
      description: "CLOSE just now", events: [(1, .close(.toServer))], end: 3,
      ending: .endOfEvidence),
    Case(
      description: "CLOSE long ago", events: [(1, .close(.toServer))], end: 9,
      ending: .endOfEvidence, codes: ["websocket.close-unanswered"]),
    Case(
      description: "the answer may be in a gap",
      events: [(1, .close(.toServer)), (2, .gap(.toClient)), (3, .half(.toClient))], end: 9),
    Case(
      description: "left open", events: [(1, .close(.toServer)), (2, .close(.toClient))], end: 9,
      ending: .endOfEvidence, codes: ["websocket.left-open"]),
    Case(
      description: "left to the client",
      events: [(1, .close(.toServer)), (2, .close(.toClient)), (8, .half(.toServer))], end: 9,
      codes: ["websocket.left-open"]),
    Case(
      description: "ended by the server",
      events: [(1, .close(.toServer)), (2, .close(.toClient)), (3, .half(.toClient))], end: 9),
  ]

  @Test(arguments: cases.indices) func reported(index: Int) {
    let one = Self.cases[index]
    let talk = WebSocketConversation()
    for (second, event) in one.events {
      talk.clock = second * 1_000_000_000
      switch event {
      case .ping(let side): talk.send(side, frame(0x89, "p", mask: side == .toServer ? key : nil))
      case .pong(let side): talk.send(side, frame(0x8A, "p", mask: side == .toServer ? key : nil))
      case .close(let side):
        talk.send(side, frame(0x88, wire(3, 232), mask: side == .toServer ? key : nil))
      case .stray(let side): talk.send(side, frame(0x8A, "x", mask: side == .toServer ? key : nil))
      case .text(let side): talk.send(side, frame(0x81, "t", mask: side == .toServer ? key : nil))
      case .half(let side): talk.finish(.half, side)
      case .gap(let side): talk.gap(side, 100)
      }
    }
    talk.clock = one.end * 1_000_000_000
    talk.finish(one.ending)
    let codes = talk.codes.filter { $0 != "websocket.framing-lost" }
    #expect(codes == one.codes, "\(one.description)")
  }
}
