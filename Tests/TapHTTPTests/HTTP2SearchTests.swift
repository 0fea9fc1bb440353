// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// Where frames of HTTP/2 begin behind a hole, or in mid-course.
@Suite struct HTTP2SearchTests {
  private typealias Link = HTTP2Tests.Link

  private static func data(_ text: String, stream: UInt32 = 1) -> [UInt8] {
    HTTP2Wire.data(stream: stream, Array(text.utf8))
  }

  /// What is lent to the conversation, behind a hole, for every cut of the last segment of two.
  @Test(arguments: [
    // Two frames follow each other, in one segment or over two.
    (data("one") + data("two"), data("three"), "onetwothree", 0),
    (data("one"), data("two"), "onetwo", 0),
    (data("one"), Array(data("two").prefix(11)), "onetw", 0),
    // The end of a header, and a frame behind it, look like a frame.
    (
      [0, 0, 3] + HTTP2Wire.frame(1, flags: 0, stream: 4, []), data("one") + data("two"), "onetwo",
      12
    ),
    ([0, 0, 3] + HTTP2Wire.frame(1, flags: 0, stream: 4, []), [9], "", 13),
    // Nearly all zero.
    (data("") + data(""), Array("what is no frame".utf8), "", 34),
    // One frame at the very end, of the stream that is known or another.
    (Array("rest".utf8), data("one"), "one", 4),
    (Array("rest".utf8), data("one", stream: 5), "", 16),
    // A frame that goes over more than one segment.
    (
      Array(data("one and more").prefix(14)), Array(data("one and more").dropFirst(14)),
      "one and more", 0
    ),
  ])
  func behindAHole(first: [UInt8], last: [UInt8], lent: String, skipped: Int) {
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let link = HTTP2Tests.opened()
      link.gap(.toServer, 50)
      link.send(.toServer, first)
      link.send(.toServer, pieces: pieces)
      link.finish()
      #expect(link.chooser.all.map { $0.text(.toServer) } == [lent])
      #expect(link.recorder[.skipped] == skipped)
      #expect(link.recorder.codes.contains("http2.framing-lost") == (skipped > 0))
      #expect(link.isAccounted)
      return link.reported
    }
    #expect(difference(forEveryCutOf: last, reported: reported) == nil)
  }

  /// A second hole ends the search: nothing goes on over it.
  @Test func twoHoles() {
    let link = HTTP2Tests.opened()
    link.gap(.toServer, 50)
    link.send(.toServer, Self.data("one"))
    link.gap(.toServer, 5)
    link.send(.toServer, Self.data("two") + Self.data("three"))
    link.finish()
    #expect(link.chooser.all.map { $0.text(.toServer) } == ["twothree"])
    #expect(link.recorder[.skipped] == 12 && link.isAccounted)
  }

  /// A stream with an even number is opened by the server, which asks nobody for WebSocket.
  @Test(arguments: [(4, []), (5, ["onetwo"])] as [(UInt32, [String])])
  func unknownStream(stream: UInt32, lent: [String]) {
    let link = HTTP2Tests.opened()
    link.gap(.toServer, 50)
    link.send(.toServer, Self.data("one", stream: stream) + Self.data("two", stream: stream))
    link.finish()
    #expect(link.chooser.all.dropFirst().map { $0.text(.toServer) } == lent)
    #expect(link.isAccounted)
  }

  /// What nobody could tell apart is held within a bound.
  @Test func bound() {
    var limits = Limits()
    limits.undecidedBytes = 1000
    let link = HTTP2Tests.opened(limits: limits)
    link.gap(.toServer, 50)
    for _ in 0..<20 { link.send(.toServer, Array(Self.data("a frame").prefix(8))) }
    #expect(link.recorder[.skipped] > 0)
    let large = HTTP2Wire.data(stream: 1, [UInt8](repeating: 7, count: 5000))
    link.send(.toServer, large)
    link.send(.toServer, Self.data("one") + Self.data("two"))
    link.finish()
    #expect(link.chooser.all.map { $0.text(.toServer) } == ["onetwo"])
    #expect(link.isAccounted)
  }

  /// In mid-course, what one side has on an old stream says nothing of the streams of the other.
  @Test func oldAndNewStreams() {
    let link = Link(isFromStart: false)
    link.send(.toServer, Self.data("old") + Self.data("old"))
    link.send(.toClient, Self.data("new", stream: 9001))
    link.finish()
    #expect(link.chooser.all.map { $0.text(.toClient) } == ["", "new"])
    #expect(link.isAccounted)
  }

  /// In mid-course one frame is enough that ends where its segment does.
  @Test(arguments: [
    (data("one"), "one"), (data("one") + data("two"), "onetwo"), (data(""), ""),
    (HTTP2Wire.settings + data("one"), "one"), (Array("something".utf8), ""),
  ])
  func midstream(segment: [UInt8], lent: String) {
    func reported(_ pieces: [[UInt8]]) -> [String] {
      let link = Link(isFromStart: false)
      link.send(.toServer, pieces: pieces)
      #expect(link.chooser.all.map { $0.text(.toServer) }.joined() == lent)
      link.finish()
      #expect(link.isAccounted)
      return link.reported
    }
    #expect(difference(forEveryCutOf: segment, reported: reported) == nil)
  }
}
