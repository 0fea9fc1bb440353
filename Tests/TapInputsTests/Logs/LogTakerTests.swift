// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

@testable import TapLogs

/// What becomes of messages that were found, by themselves.
@Suite struct LogTakerTests {
  /// Writes down messages and what stands around them, in order.
  private final class Words: EvidenceSink {
    private(set) var reported: [String] = []

    func packet(_: RawSpan, _: Packet) {}
    func finding(_: Finding) {}

    func message(_ bytes: RawSpan, _: Delivery) {
      reported.append("message \(String(decoding: bytes.copied(), as: Unicode.UTF8.self))")
    }

    func context(_ words: RawSpan, _: ContextLine) {
      reported.append("context \(String(decoding: words.copied(), as: Unicode.UTF8.self))")
    }
  }

  private let sink = Words()

  /// Has all lists of a line taken, and what stands around them reported.
  private func take(_ text: String, keepsContext: Bool = false) -> LogTaker {
    var place = Place(input: 0)
    place.choice.keepsContext = keepsContext
    var taker = LogTaker(place, Limits(), ListRecogniser(), FieldLayouts(), sink)
    var finder = CandidateFinder(ListRecogniser(), Limits(), isForced: false)
    let bytes = Array(text.utf8)
    var origin = Origin()
    origin.record = 1
    let line = TapLogs.LogLine(
      bytes.span.bytes, above: bytes.span.bytes.extracting(0..<0), origin, anchors: [])
    var facts = LineFacts(of: line)
    var at = 0
    while let start = ListStart.next(line.text, from: at) {
      taker.factReader.match(line, list: start, behind: at, &facts)
      guard case .one(let found, let end) = finder.find(line, start, &facts) else { break }
      let message = line.text.extracting(found.place)
      taker.accept(message, found, line, &facts)
      facts.message.begin = end
      at = end
    }
    taker.reportContext(behind: line, &facts)
    return taker
  }

  @Test func tellsWhatStandsAroundMessagesInOrder() {
    _ = take("10:00:00 sent [35,4] then [36,5] done", keepsContext: true)
    #expect(
      sink.reported == [
        "context 10:00:00 sent", "message [35,4]", "context then", "message [36,5]",
        "context done",
      ])
  }

  @Test func passesOverWhatStandsTwiceInARecord() {
    let taker = take(#"{"message":"sent [35,4]","original":"sent [35,4]"}"#)
    #expect(sink.reported == ["message [35,4]"])
    #expect(taker.reporter.tally.hasMessages && taker.reporter.tally.used == 1)
  }

  @Test func leavesOutWhatWasNotSent() {
    _ = take("failed to send [35,4]")
    #expect(sink.reported.isEmpty)
  }
}
