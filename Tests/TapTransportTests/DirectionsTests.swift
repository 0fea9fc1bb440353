// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// The two directions of a connection are not captured in the order in which they were sent.
@Suite struct DirectionsTests {
  struct Timed {
    var time: Int64
    var isUp: Bool
    var packet: [UInt8]
  }

  /// Questions and answers, 2 ms for each packet.
  static func talk(_ count: Int, hasEnd: Bool = true) -> [Timed] {
    var talk = Conversation()
    var packets: [Timed] = []
    func capture(_ packet: [UInt8], _ isUp: Bool) {
      packets.append(Timed(time: Int64(packets.count) * 2, isUp: isUp, packet: packet))
    }
    let handshake = talk.handshake()
    for (index, packet) in handshake.enumerated() { capture(packet, index != 1) }
    for number in 0..<count {
      capture(talk.send(.toServer, octets("question \(number)")), true)
      if number % 3 == 0 { capture(talk.acknowledge(.toClient), false) }
      capture(talk.send(.toClient, octets("answer \(number)")), false)
      if number % 2 == 0 { capture(talk.acknowledge(.toServer), true) }
    }
    if hasEnd {
      capture(talk.fin(.toServer), true)
      capture(talk.fin(.toClient), false)
      capture(talk.acknowledge(.toServer), true)
    }
    return packets
  }

  static func show(_ packets: [Timed], later: Int64) -> TransportHarness {
    var bench = TransportHarness()
    var late = packets
    for index in late.indices where !late[index].isUp { late[index].time += later }
    late.sort { $0.time < $1.time }
    var now = late[0].time
    for timed in late {
      bench.show(timed.packet, after: timed.time - now)
      now = timed.time
    }
    bench.finish()
    return bench
  }

  /// The first lines that are not the same.
  static func difference(_ seen: TransportHarness, _ sent: TransportHarness) -> String? {
    let (left, right) = (seen.lent.lines, sent.lent.lines)
    let count = max(left.count, right.count)
    for index in 0..<count {
      let (line, other) = (left.dropFirst(index).first, right.dropFirst(index).first)
      if line != other { return "\(index): \(line ?? "nothing") / \(other ?? "nothing")" }
    }
    return nil
  }

  /// One direction is captured early or late: all is reported in the order in which it was sent.
  @Test(arguments: [-100, -40, -20, -5, -3, 3, 5, 20, 40, 100])
  func apart(milliseconds: Int64) {
    let bench = Self.show(Self.talk(12), later: milliseconds)
    let sent = Self.show(Self.talk(12), later: 0)
    #expect(Self.difference(bench, sent) == nil)
    #expect(sent.recorder.codes.isEmpty)
    #expect(bench.recorder.codes == ["capture.directions-apart"])
    #expect(bench.isBalanced)
  }

  /// A packet is missing: what was sent behind it is reported behind its gap.
  @Test(arguments: [6, 8, 9, 11, 13, 16]) func hole(at index: Int) {
    var packets = Self.talk(12)
    let isEmpty = packets[index].packet.count <= 54
    packets.remove(at: index)
    let bench = Self.show(packets, later: 0)
    let sent = Self.show(Self.talk(12), later: 0)
    let texts = bench.lent.lines.filter { !$0.contains("gap") }
    #expect(texts == sent.lent.lines.filter { texts.contains($0) })
    #expect(bench.lent.gaps.count == (isEmpty ? 0 : 1))
    #expect(texts.count == sent.lent.lines.count - (isEmpty ? 0 : 1))
  }

  /// What acknowledges bytes that never come waits a moment only, and at the end not at all.
  @Test(arguments: [true, false]) func neverCome(hasMore: Bool) {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    bench.show(talk.send(.toServer, octets("one")))
    talk.advance(.toClient, 50)
    bench.show(talk.send(.toServer, octets("two")))
    bench.show(talk.send(.toServer, octets("six")))
    #expect(bench.lent.text(.toServer) == "one")
    if hasMore {
      bench.show(talk.acknowledge(.toServer), after: 40)
      bench.show(talk.acknowledge(.toServer), after: 40)
      #expect(bench.lent.text(.toServer) == "onetwosix")
    }
    bench.finish()
    let others = ["toServer@3 two", "toServer@6 six"]
    let gap = ["toClient gap 50@0"]
    #expect(
      bench.lent.lines == ["toServer@0 one"] + (hasMore ? others + gap : gap + others)
        + ["endOfEvidence unknown"])
    #expect(bench.isBalanced)
  }

  /// Of one direction nothing is there, and the capture ends before that is given up: each gap
  /// stands before what acknowledges it.
  @Test func neverComeInSteps() {
    var talk = Conversation()
    var bench = TransportHarness()
    bench.show(talk.handshake())
    for (size, text) in [(50, "one"), (20, "two"), (0, "six")] {
      if size > 0 { talk.advance(.toClient, size) }
      bench.show(talk.send(.toServer, octets(text)))
    }
    bench.finish()
    #expect(
      bench.lent.lines == [
        "toClient gap 50@0", "toServer@0 one", "toClient gap 20@50", "toServer@3 two",
        "toServer@6 six", "endOfEvidence unknown",
      ])
    #expect(bench.isBalanced)
  }

  /// Of one direction nothing is there: the other is not held up for long.
  @Test func oneDirection() {
    let packets = Self.talk(40).filter(\.isUp)
    let bench = Self.show(packets, later: 0)
    #expect(bench.lent.text(.toServer).hasSuffix("question 39"))
    #expect(!bench.recorder.codes.contains("capture.directions-apart"))
    #expect(bench.isBalanced)
  }

  /// The first packets come in any order: what comes too early is reported, and mostly nothing
  /// does.
  @Test(arguments: 0..<200) func beginning(_ seed: Int) {
    var random = Seeded(UInt64(seed + 1))
    var packets = Self.talk(6, hasEnd: false)
    let times = packets.map(\.time)
    packets[0..<8].shuffle(using: &random)
    for index in packets.indices { packets[index].time = times[index] }
    let bench = Self.show(packets, later: 0)
    let sent = Self.show(Self.talk(6, hasEnd: false), later: 0)
    #expect(bench.lent.gaps.isEmpty && bench.isBalanced)
    let isComplete = [Direction.toServer, .toClient].allSatisfy {
      bench.lent.text($0) == sent.lent.text($0)
    }
    #expect(isComplete == (bench.recorder[.incomplete] == 0))
    #expect(isComplete != bench.recorder.codes.contains("tcp.late-segment"))
  }
}
