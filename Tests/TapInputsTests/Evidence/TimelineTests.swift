// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// Several inputs as one timeline. Inputs are played by lists of what they tell, read one entry or
/// several at a time, so that no way of cutting them changes the order.
@Suite("Timeline") struct TimelineTests {
  enum EvidenceEvent: Sendable {
    /// A packet of this time; nil has none.
    case packet(Int64?)
    case message
    case finding
    /// Text around messages, with the time of its line or none.
    case words(Int64?)
  }

  struct Case: Sendable {
    var inputs: [[EvidenceEvent]]
    /// `0@5`: a packet of input 0 of time 5; `1m` a message, `1!` a finding, `0w5` words.
    var expected: String
  }

  private static func packets(_ times: Int64?...) -> [EvidenceEvent] { times.map { .packet($0) } }

  private static let cases = [
    Case(inputs: [[], []], expected: ""),
    Case(inputs: [packets(1, 4, 5), packets(2, 3, 6)], expected: "0@1 1@2 1@3 0@4 0@5 1@6"),
    // One after the other, named the other way round.
    Case(inputs: [packets(5, 6), packets(1, 2), packets(3)], expected: "1@1 1@2 2@3 0@5 0@6"),
    // Equal times: the order of the inputs.
    Case(inputs: [packets(1, 2, 2), packets(1, 2)], expected: "0@1 1@1 0@2 0@2 1@2"),
    Case(
      inputs: [packets(2), packets(1, 2, 3), packets(2, 2)], expected: "1@1 0@2 1@2 2@2 2@2 1@3"),
    // An input's own order is kept, whatever its times.
    Case(
      inputs: [packets(1, 9, 3, 10), packets(2, 5, 9)],
      expected: "0@1 1@2 1@5 0@9 0@3 1@9 0@10"),
    // A packet without a time is of the time of the one before it.
    Case(inputs: [packets(3, nil, 5), packets(1, nil, 4)], expected: "1@1 1@? 0@3 0@? 1@4 0@5"),
    // Without any times: where it was named, and then at once.
    Case(
      inputs: [packets(1, 5), [.message, .message], packets(2, 7)],
      expected: "0@1 2@2 0@5 1m 1m 2@7"),
    Case(inputs: [[.message], packets(2), [.message]], expected: "0m 1@2 2m"),
    Case(inputs: [[.message], [.message, .message], []], expected: "0m 1m 1m"),
    // Findings stay where their input reported them; those at its beginning come with its
    // beginning.
    Case(
      inputs: [[.packet(1), .finding, .packet(6), .finding], [.finding, .packet(3), .finding]],
      expected: "0@1 0! 1! 1@3 1! 0@6 0!"),
    // An input that has nothing but findings.
    Case(inputs: [packets(1), [.finding], packets(2)], expected: "0@1 1! 2@2"),
    Case(inputs: [[.finding, .finding], packets(2)], expected: "0! 0! 1@2"),
    // Words come at the time of their line; those without one stay with what is before them, or
    // come with the first that has one.
    Case(
      inputs: [[.words(1), .packet(4), .words(nil), .words(6)], [.words(2), .words(5)]],
      expected: "0w1 1w2 0@4 0w? 1w5 0w6"),
    Case(inputs: [packets(1, 4), [.words(nil), .words(3)]], expected: "0@1 1w? 1w3 0@4"),
    Case(inputs: [[.words(nil)], packets(2)], expected: "0w? 1@2"),
  ]

  private func play(_ inputs: [[EvidenceEvent]], atOnce: Int) -> String {
    let sink = TimelineFloor()
    let timeline = Timeline(count: inputs.count, onto: sink)
    var rest = inputs.map { $0[...] }
    while let number = timeline.advance() {
      if rest[number].isEmpty { timeline.end(number) }
      for reported in rest[number].prefix(atOnce) {
        report(reported, number, timeline.sink(number), rest[number].count)
      }
      rest[number] = rest[number].dropFirst(atOnce)
      // What waits is bounded by what was read at once.
      #expect(timeline.waitingBytes(number) <= 8 * atOnce)
    }
    #expect(rest.joined().isEmpty)
    for number in inputs.indices { #expect(timeline.waitingBytes(number) == 0) }
    return sink.reported.joined(separator: " ")
  }

  private func report(
    _ reported: EvidenceEvent, _ number: Int, _ sink: any EvidenceSink, _ left: Int
  ) {
    let input = UInt16(number)
    let octets = ContiguousArray(repeating: UInt8(truncatingIfNeeded: number), count: 1 + left % 7)
    switch reported {
    case .packet(let time):
      sink.packet(
        octets.span.bytes,
        Packet(
          time: time.map { Instant(nanoseconds: $0) } ?? .unknown, number: 1,
          originalLength: UInt32(octets.count), linkType: 1, input: input))
    case .message: sink.message(octets.span.bytes, Delivery(Origin(input: input), .text))
    case .finding: sink.finding(Finding("test.finding", .note, Origin(input: input), ""))
    case .words(let time):
      let instant = time.map { Instant(nanoseconds: $0) } ?? .unknown
      sink.context(octets.span.bytes, ContextLine(Origin(time: instant, input: input)))
    }
  }

  /// Inputs that are captured tell what they have; what is old enough goes on.
  @Test func release() {
    let sink = TimelineFloor()
    let timeline = Timeline(count: 3, onto: sink)
    report(.packet(5), 0, timeline.sink(0), 1)
    report(.packet(9), 0, timeline.sink(0), 1)
    report(.finding, 1, timeline.sink(1), 1)
    report(.packet(3), 1, timeline.sink(1), 1)
    report(.packet(5), 1, timeline.sink(1), 1)
    #expect(sink.reported.isEmpty && timeline.waitingBytes(0) > 0)
    #expect(timeline.latest(0) == 9 && timeline.latest(1) == 5 && timeline.latest(2) == .min)
    timeline.release(until: 2)
    #expect(sink.reported.isEmpty)
    timeline.release(until: 5)
    #expect(sink.reported == ["1!", "1@3", "0@5", "1@5"])
    report(.packet(7), 2, timeline.sink(2), 1)
    timeline.release(until: 8)
    report(.packet(8), 1, timeline.sink(1), 1)
    timeline.release(until: .max)
    #expect(sink.reported.dropFirst(4) == ["2@7", "1@8", "0@9"])
    #expect((0..<3).allSatisfy { timeline.waitingBytes($0) == 0 })
  }

  @Test(arguments: cases.indices) func order(_ index: Int) {
    let test = Self.cases[index]
    for atOnce in 1...6 {
      #expect(play(test.inputs, atOnce: atOnce) == test.expected, "\(atOnce) at once")
    }
  }

  /// Any sorted row of packets, dealt to several inputs, comes back as it was.
  @Test(arguments: 1...20) func dealtAndMerged(_ seed: UInt64) {
    var random = Seeded(seed)
    var inputs = [[EvidenceEvent]](repeating: [], count: Int.random(in: 2...5, using: &random))
    var time: Int64 = 0
    var whole: [String] = []
    for _ in 0..<300 {
      let number = Int.random(in: 0..<inputs.count, using: &random)
      // Equal times come in the order of the inputs, so only the first may repeat one.
      time += number == 0 ? 1 : Int64.random(in: 1...3, using: &random)
      inputs[number].append(.packet(time))
      whole.append("\(number)@\(time)")
    }
    let expected = whole.joined(separator: " ")
    for atOnce in [1, 7, 100] { #expect(play(inputs, atOnce: atOnce) == expected) }
  }

  /// More findings than may wait for the first record are reported without it.
  @Test func leadingFindingsAreBounded() {
    let sink = TimelineFloor()
    let timeline = Timeline(count: 2, onto: sink)
    for _ in 0..<1000 { report(.finding, 1, timeline.sink(1), 0) }
    #expect(sink.reported.count == 1000 - 256)
  }
}

/// Writes down what comes, and checks that bytes were not mixed up.
private final class TimelineFloor: EvidenceSink {
  var reported: [String] = []

  func packet(_ bytes: RawSpan, _ packet: Packet) {
    let count = Int(packet.originalLength)
    #expect(bytes.copied() == [UInt8](repeating: UInt8(packet.input), count: count))
    reported.append("\(packet.input)@\(packet.time.isKnown ? "\(packet.time.nanoseconds)" : "?")")
  }

  func message(_ bytes: RawSpan, _ delivery: Delivery) {
    let input = delivery.origin.input
    #expect(Set(bytes.copied()) == [UInt8(input)])
    reported.append("\(input)m")
  }

  func context(_ words: RawSpan, _ line: ContextLine) {
    let origin = line.origin
    #expect(Set(words.copied()) == [UInt8(origin.input)])
    reported.append("\(origin.input)w\(origin.time.isKnown ? "\(origin.time.nanoseconds)" : "?")")
  }

  func finding(_ finding: Finding) { reported.append("\(finding.origin.input)!") }
}
