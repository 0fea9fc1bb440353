// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapFilter

@Suite("Messages of which pieces were not captured") struct UncertaintyTests {
  private func truth(_ text: String, of message: Message, _ body: String) throws -> Truth {
    var words = FilterReaderTests.words
    words.messages += ["TEXT", "CLOSE"].map { Vocabulary.Message(name: $0, title: "WebSocket") }
    let run = FilterRun(
      try Filter(text, words), inputs: [], showsPossible: false, limits: Limits(), zone: { _ in 0 })
    var message = message
    message.origin.direction = .toClient
    message.payload = ByteRange(0, body.utf8.count)
    let bytes = Array(body.utf8)
    let notes: [Note] = []
    let view = MessageView(Joined(index: 1), bytes.span.bytes, notes.span, subject: RawSpan())
    var matcher = run.matcher()
    return matcher.message(message, view, [])
  }

  @Test(
    "may be any message if no dialect could read it",
    arguments: [
      ("EVENT", .unknown), ("not EVENT", .unknown), ("name != EVENT", .unknown),
      ("name == TEXT", .yes), ("protocol == wamp", .unknown), ("protocol == websocket", .yes),
      ("failed", .unknown), ("not failed", .unknown), ("error ^= wamp.", .unknown),
      ("subject == com.chat", .unknown), ("request == 7", .unknown), ("names == chat", .unknown),
      ("latency > 1s", .unknown), ("answers > 3", .unknown),
      (#"payload contains "36""#, .yes), (#"payload contains "zebra""#, .unknown),
      ("direction == toClient", .yes), ("direction == toServer", .no),
      ("EVENT and direction == toServer", .no), ("EVENT or direction == toClient", .yes),
      ("index == 1", .yes), ("index == 2", .no),
    ] as [(String, Truth)]) func unread(filter: String, expected: Truth) throws
  {
    for missing in [[.isPartial], [.hidesText], [.isPartial, .hidesText]] as [Message.Traits] {
      var message = Message("websocket", "TEXT", Origin())
      message.traits = [.isText, .isUnclaimed, missing]
      #expect(try truth(filter, of: message, "[36,···") == expected)
    }
  }

  @Test(
    "are what they are if they were read, and hide only what is missing",
    arguments: [
      ("PUBLISH", .yes), ("EVENT", .no), ("failed", .no), ("protocol == wamp", .yes),
      ("request == 7", .yes), ("request == 8", .no), ("subject == com.chat", .unknown),
      ("latency > 1s", .no), ("names == chat", .unknown),
    ] as [(String, Truth)]) func partial(filter: String, expected: Truth) throws
  {
    var message = Message("wamp", "PUBLISH", Origin())
    message.traits = [.isText, .isPartial]
    message.first = Link(.opens, "request", 7, space: 1)
    #expect(try truth(filter, of: message, "[16,7,{},···") == expected)
  }

  @Test(
    "are not those that no dialect claims, but that are whole",
    arguments: ["EVENT", "failed", "subject == com.chat", "request == 7", "latency > 1s"])
  func whole(filter: String) throws {
    var message = Message("websocket", "TEXT", Origin())
    message.traits = [.isText, .isUnclaimed]
    #expect(try truth(filter, of: message, "hello") == .no)
  }
}
