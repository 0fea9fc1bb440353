// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Subscriptions of MQTT") struct MQTTSubscriptionsTests {
  /// `a/+ 1`: filters with the QoS that is asked for, in one packet.
  private func filters(_ list: [String]) -> (ContiguousArray<MQTTFilter>, [UInt8]) {
    var (all, bytes) = (ContiguousArray<MQTTFilter>(), [UInt8]())
    for one in list {
      let words = one.split(separator: " ")
      let start = bytes.count
      bytes += Array(words[0].utf8)
      all.append(
        MQTTFilter(
          range: ByteRange(start, bytes.count), options: words.count > 1 ? UInt8(words[1])! : 0,
          shown: ByteRange(), shownQoS: ByteRange()))
    }
    return (all, bytes)
  }

  private func ask(_ list: [String], id: UInt16, _ subscriptions: inout MQTTSubscriptions) {
    let (all, bytes) = filters(list)
    subscriptions.ask(id, for: all, bytes.span.bytes)
  }

  private func grant(
    _ codes: [UInt8], id: UInt16, _ subscriptions: inout MQTTSubscriptions, _ recorder: Recorder
  ) {
    var packet = MQTTPacket(.suback, id: id)
    packet.codes = ByteRange(0, codes.count)
    subscriptions.grant(
      packet, codes.span.bytes, mqttOrigin(.toClient), mqttContext(), recorder)
  }

  private func matches(_ topic: String, _ subscriptions: MQTTSubscriptions) -> Bool {
    let bytes = Array(topic.utf8)
    var found = ContiguousArray<Int>()
    subscriptions.find(matching: bytes.span.bytes, &found)
    return !found.isEmpty
  }

  @Test(
    "codes of SUBACK belong to the filters in their place",
    arguments: [
      ([0, 1], [String](), [true, true]),
      ([0, 0], ["note qos-downgraded"], [true, true]),
      ([128, 1], ["warning subscribe-refused"], [false, true]),
      ([0, 135], ["warning subscribe-refused"], [true, false]),
    ] as [([UInt8], [String], [Bool])])
  func granted(codes: [UInt8], found: [String], matched: [Bool]) {
    let recorder = Recorder()
    var subscriptions = MQTTSubscriptions(limits: Limits())
    ask(["a/+ 0", "b 1"], id: 7, &subscriptions)
    grant(codes, id: 7, &subscriptions, recorder)
    #expect(recorder.mqttFindings == found)
    #expect([matches("a/x", subscriptions), matches("b", subscriptions)] == matched)
  }

  @Test("what is granted is of the SUBSCRIBE that is answered") func other() {
    let recorder = Recorder()
    var subscriptions = MQTTSubscriptions(limits: Limits())
    ask(["a 0"], id: 7, &subscriptions)
    ask(["b 0"], id: 8, &subscriptions)
    grant([128], id: 8, &subscriptions, recorder)
    #expect(matches("a", subscriptions))
    #expect(!matches("b", subscriptions))
  }

  @Test("UNSUBACK ends what is granted, and what is left is reported at the end") func end() {
    let recorder = Recorder()
    var subscriptions = MQTTSubscriptions(limits: Limits())
    ask(["a 0", "b 0"], id: 7, &subscriptions)
    grant([0, 0], id: 7, &subscriptions, recorder)
    let (ended, bytes) = filters(["a"])
    subscriptions.ask(toEnd: ended, with: 8, bytes.span.bytes)
    #expect(matches("a", subscriptions))
    subscriptions.end(MQTTPacket(.unsuback, id: 9), at: .unknown)
    #expect(matches("a", subscriptions))
    subscriptions.end(MQTTPacket(.unsuback, id: 8), at: .unknown)
    #expect(!matches("a", subscriptions))
    subscriptions.reportLeft(mqttOrigin(.unknown), recorder)
    #expect(recorder.findings.map(\.text).filter { $0.hasPrefix("“b”") }.count == 1)
    #expect(recorder.mqttFindings == ["note subscription-left-open"])
  }

  @Test("an UNSUBACK that refuses ends nothing") func refused() {
    var subscriptions = MQTTSubscriptions(limits: Limits())
    ask(["a 0"], id: 7, &subscriptions)
    grant([0], id: 7, &subscriptions, Recorder())
    let (ended, bytes) = filters(["a"])
    subscriptions.ask(toEnd: ended, with: 8, bytes.span.bytes)
    var packet = MQTTPacket(.unsuback, id: 8)
    (packet.level, packet.reason) = (5, 0x87)
    subscriptions.end(packet, at: .unknown)
    #expect(matches("a", subscriptions))
  }

  @Test("a filter that is subscribed again is one") func again() {
    let recorder = Recorder()
    var subscriptions = MQTTSubscriptions(limits: Limits())
    for id in [7, 8] as [UInt16] {
      ask(["a 0"], id: id, &subscriptions)
      grant([0], id: id, &subscriptions, recorder)
    }
    #expect(subscriptions.indices.count == 1)
  }

  @Test("of equal filters the last one is left, also where others are between") func equal() {
    let recorder = Recorder()
    var subscriptions = MQTTSubscriptions(limits: Limits())
    for id in 1...3 as ClosedRange<UInt16> {
      ask(["a/# 1", "a/b 0"], id: id, &subscriptions)
      grant([1, 0], id: id, &subscriptions, recorder)
    }
    #expect(
      subscriptions.indices.map {
        String(decoding: subscriptions.filter(at: $0), as: Unicode.UTF8.self)
      }
        == ["a/#", "a/b"])
    subscriptions.reportLeft(mqttOrigin(.unknown), recorder)
    #expect(recorder.mqttFindings.count == 2)
  }

  @Test(
    "of equal filters of one SUBSCRIBE the last that is granted is left",
    arguments: [([0, 0, 0], 1), ([0, 128, 0], 1), ([0, 0, 128], 1), ([128, 128, 128], 0)]
      as [([UInt8], Int)])
  func equalOfOne(codes: [UInt8], left: Int) {
    var subscriptions = MQTTSubscriptions(limits: Limits())
    ask(["a 0", "a 0", "a 0"], id: 7, &subscriptions)
    grant(codes, id: 7, &subscriptions, Recorder())
    #expect(subscriptions.indices.count == left)
  }

  @Test(
    "UNSUBSCRIBE ends what waits for its SUBACK, in whatever order the answers come",
    arguments: [true, false])
  func pipelined(isInOrder: Bool) {
    let recorder = Recorder()
    var subscriptions = MQTTSubscriptions(limits: Limits())
    ask(["a 1", "b 1"], id: 7, &subscriptions)
    let (ended, bytes) = filters(["a"])
    subscriptions.ask(toEnd: ended, with: 8, bytes.span.bytes)
    if !isInOrder { subscriptions.end(MQTTPacket(.unsuback, id: 8), at: .unknown) }
    grant([1, 0], id: 7, &subscriptions, recorder)
    if isInOrder { subscriptions.end(MQTTPacket(.unsuback, id: 8), at: .unknown) }
    #expect(!matches("a", subscriptions) && matches("b", subscriptions))
    let topic = Array("a".utf8)
    #expect(subscriptions.lastEnded(matching: topic.span.bytes)?.filter == topic)
    subscriptions.reportLeft(mqttOrigin(.unknown), recorder)
    #expect(recorder.mqttFindings == ["note qos-downgraded", "note subscription-left-open"])
  }

  @Test(
    "what matches is found in the order of SUBSCRIBE",
    arguments: [
      ("a/b", [0, 2, 3, 4, 5]), ("a/c", [2, 4]), ("$queue/a/b", [5]), ("$queue/a", [Int]()),
    ])
  func order(topic: String, found: [Int]) {
    var subscriptions = MQTTSubscriptions(limits: Limits())
    ask(
      ["a/b", "c", "+/#", "$share/g/a/b", "a/+", "$queue/a/b"], id: 7, &subscriptions)
    let bytes = Array(topic.utf8)
    var places = ContiguousArray<Int>()
    subscriptions.find(matching: bytes.span.bytes, &places)
    #expect(Array(places) == found)
  }

  @Test("beyond the limit filters are forgotten, which is known") func bound() {
    var limits = Limits()
    limits.mqttSubscriptions = 1
    var subscriptions = MQTTSubscriptions(limits: limits)
    ask(["a 0", "b 0"], id: 7, &subscriptions)
    #expect(subscriptions.areIncomplete)
    #expect(subscriptions.indices.count == 1)
  }
}
