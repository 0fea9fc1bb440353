// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// What stands around messages, for who asked for it.
@Suite struct LogContextTests {
  private static func read(_ pieces: [[UInt8]], _ text: String, keepsContext: Bool) -> WordFloor {
    let sink = WordFloor()
    var choice = InputChoice()
    choice.keepsContext = keepsContext
    var input = TestLog.input(text, choice: choice) { WordTexts() }
    for piece in pieces { input.receive(piece.span.bytes, sink) }
    input.finish(sink)
    return sink
  }

  @Test(arguments: TestLog.samples) func changesNoMessage(text: String) {
    let all = [Array(text.utf8)]
    let with = Self.read(all, text, keepsContext: true)
    let without = Self.read(all, text, keepsContext: false)
    #expect(with.messages.sorted() == without.messages.sorted())
    #expect(without.words.isEmpty)
    let times = zip(with.words, with.words.dropFirst()).filter { $0.offset > $1.offset }
    #expect(times.count * 20 <= with.words.count + 19, "most words come in the order of the log")
  }

  @Test(arguments: TestLog.samples) func cuts(text: String) {
    let outcome = difference(forEveryCutOf: Array(text.utf8)) { (pieces) -> [String] in
      Self.read(pieces, text, keepsContext: true).reported
    }
    #expect(outcome == nil)
  }

  /// Lines, and what is reported of them: words as they stand there, `*` for a message.
  @Test(
    arguments: [
      (["no message"], ["no message"]),
      (["a [48,1,{},\"com.x\"] b"], ["a", "*", "b"]),
      (["a [48,1,{},\"com.x\"] b [50,1,{}] c"], ["a", "*", "b", "*", "c"]),
      (["f([48,1,{},\"com.x\"]);"], ["f(", "*"]),
      (["{\"m\":[48,1,{},\"com.x\"],\"n\":1}"], ["{\"m\":", "*", ",\"n\":1}"]),
      // What may be a list of numbers stays as it stands there.
      (["at [33,1,5] now", "end"], ["at [33,1,5] now", "end"]),
      (
        ["at [33,1,5] now", "sent [48,1,{},\"com.x\"]", "end"],
        ["at [33,1,5] now", "sent", "*", "end"]
      ),
      // Once it is known to be a message, it is shown as that alone.
      (
        ["at [33,1,5] now", "between", "at [48,1,{},\"com.x\"]", "end"],
        ["at", "*", "now", "between", "at", "*", "end"]
      ),
      (
        ["at [33,1,5] and [34,1,5]", "at [35,2,6]", "at [48,1,{},\"com.x\"]"],
        ["at", "*", "and [34,1,5]", "at", "*", "at", "*"]
      ),
      (
        ["  {", "    a: 1", "  }", "sent [48,1,{},\"com.x\"]"],
        ["  {", "    a: 1", "  }", "sent", "*"]
      ),
      (
        ["sent [", "  48, 1,", "  {}, \"com.x\"", "] in 2 ms", "end"],
        ["sent", "*", "in 2 ms", "end"]
      ),
      // Lines that wait for others that say whether their numbers are times.
      (
        [
          "1795217706 sent [48,1,{},\"com.x\"] a", "between",
          "1795217707 sent [48,2,{},\"com.x\"] b",
          "end",
        ],
        ["1795217706 sent", "*", "a", "between", "1795217707 sent", "*", "b", "end"]
      ),
      // Those of which it is not known yet which layer tells their messages.
      (
        Array(
          repeating: "TX Frame to x : opcode = 1, payload = b'[48,1,{},\"com.x\"]'", count: 5),
        ["TX Frame to", "*", "TX Frame to", "*", "TX Frame to", "*"]
          + ["TX Frame to", "*", "TX Frame to", "*"]
      ),
    ] as [([String], [String])])
  func words(lines: [String], expected: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    #expect(Self.read([Array(text.utf8)], text, keepsContext: true).order == expected)
  }

  /// Words have the time of their line, where it has one.
  @Test func times() {
    let text = """
      1970-01-01T00:00:01Z a
      1970-01-01T00:00:02Z sent [48,1,{},"com.x"] b
      c

      """
    let sink = Self.read([Array(text.utf8)], text, keepsContext: true)
    let times = sink.words.map { $0.time.isKnown ? $0.time.nanoseconds / 1_000_000_000 : -1 }
    #expect(times == [1, 2, 2, -1])
  }
}

/// A sink for which every list with a code above 30 is a message, for certain if it has more than
/// numbers.
private final class WordFloor: EvidenceSink {
  private(set) var reported: [String] = []
  private(set) var order: [String] = []
  private(set) var messages: [String] = []
  private(set) var words: [Origin] = []

  func packet(_: RawSpan, _: Packet) {}

  func message(_ bytes: RawSpan, _ delivery: Delivery) {
    let text = String(decoding: bytes.copied(), as: Unicode.UTF8.self)
    messages.append("\(delivery.origin.record) \(delivery.origin.direction) \(text)")
    reported.append(messages[messages.count - 1])
    order.append("*")
  }

  func context(_ bytes: RawSpan, _ line: ContextLine) {
    let origin = line.origin
    let text = String(decoding: bytes.copied(), as: Unicode.UTF8.self)
    words.append(origin)
    reported.append("\(origin.record) \(origin.time.nanoseconds): \(text)")
    order.append(text)
  }

  func finding(_: Finding) {}
}

/// Lists of numbers alone may be messages, others are.
private final class WordTexts: TextRecogniser {
  private let likely = ListRecogniser()

  func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    var recognition = likely.recognise(text, kind)
    let isOfNumbers = text.copied().allSatisfy {
      $0 &- 0x30 < 10 || [0x20, 0x2C, 0x5B, 0x5D].contains($0)
    }
    if recognition.grade == .likely && isOfNumbers { recognition.grade = .possible }
    return recognition
  }
}
