// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Where it is not certain that a head comes next: the same is reported for every cut of a segment.
@Suite struct HeadSearchTests {
  private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The answer to an upgrade came ahead of its request, or of frames that nobody asked for.
  @Test(arguments: [
    ("\r\n", "\n\n\n\r\u{1}frames", "\u{1}frames"), ("\r\n\r\n", "\r\n\u{2}", "\u{2}"),
    ("", "\r\n\r\n\u{0}\r\nQUIT\n\u{21}\u{11}\u{0}\u{2}ab\u{1}frames", "\u{1}frames"),
    ("", "\r\n\u{0}frames", "\u{0}frames"),
    ("", "PROXY TCP4 10.0.0.7 10.0.0.1 5 80\r\n\u{1}frames", "\u{1}frames"),
    ("GE", "T /chat HTTP/1.1\r\n\r\n\u{1}frames", "\u{1}frames"),
  ])
  func framesOrALateRequest(before: String, client: String, frames: String) {
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let talk = HTTPConversation()
      if !before.isEmpty { talk.send(.toServer, before) }
      talk.send(.toClient, upgradeResponse())
      talk.send(.toServer, pieces: pieces)
      talk.finish()
      #expect(talk.accounted == talk.fed)
      #expect(talk.chooser.all.map { $0.text(.toServer) } == [frames])
      return talk.reported
    }
    #expect(difference(forEveryCutOf: octets(client), reported: reported) == nil)
  }

  /// Behind the beginning of a connection that was not captured, a head begins a segment.
  @Test(arguments: [
    (upgradeRequest(), 1), ("GE", 0), ("GE?", 0), ("HTTP/1", 0), ("rest of something", 0),
    ("\r\n\r\n\u{0}\r\nQUIT\n\u{21}\u{11}\u{0}\u{2}ab" + upgradeRequest(), 1),
  ])
  func beginningNotCaptured(client: String, requests: Int) {
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let talk = HTTPConversation(isFromStart: false)
      talk.send(.toServer, "rest of a body")
      talk.send(.toServer, pieces: pieces)
      talk.finish()
      #expect(talk.recorder[.httpRequest] == requests)
      #expect(talk.accounted == talk.fed)
      return talk.reported.filter { !$0.hasPrefix("http ") || requests == 0 }
    }
    #expect(difference(forEveryCutOf: octets(client), reported: reported) == nil)
  }

  /// The answer to an upgrade is behind a hole, or what is there is already of what it opens.
  @Test(arguments: [
    (upgradeResponse(), true), ("HTTP/1", false), ("HTTP/1,1 101", false), ("\u{1}\u{2}a", false),
  ])
  func answerBehindAHole(server: String, isAnswer: Bool) {
    for hole in [true, false] {
      func reported(_ pieces: [[UInt8]]) -> [String] {
        let talk = HTTPConversation()
        talk.send(.toServer, upgradeRequest())
        talk.gap(.toClient, 20)
        talk.send(.toClient, pieces: pieces)
        if hole { talk.gap(.toClient, 7) }
        talk.send(.toClient, "behind")
        talk.finish()
        #expect(talk.accounted == talk.fed)
        #expect(talk.chooser.all.map(\.opening.isFromStart) == [isAnswer])
        let text = talk.chooser.all.first?.text(.toClient)
        #expect(text == (isAnswer ? "behind" : server + "behind"))
        return talk.reported
      }
      #expect(difference(forEveryCutOf: octets(server), reported: reported) == nil)
    }
  }
}
