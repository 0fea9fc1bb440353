// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Keep alive of ten seconds.
@Suite("Keep alive of MQTT") struct MQTTKeepAliveRulesTests {
  private func rules(sentAt seconds: [Double], _ recorder: Recorder) -> MQTTKeepAliveRules {
    var rules = MQTTKeepAliveRules()
    rules.agree(on: 10)
    for second in seconds {
      rules.send(mqttOrigin(.toServer, second: second), mqttContext(), recorder)
    }
    return rules
  }

  @Test(
    "silence of the client",
    arguments: [
      ([0, 10, 20.9], []), ([0, 11.5], ["note keep-alive-exceeded"]),
      ([0, 15.5], ["note keep-alive-exceeded"]), ([0, 16.5], ["warning keep-alive-exceeded"]),
      // Once a connection.
      ([0, 30, 60], ["warning keep-alive-exceeded"]),
    ] as [([Double], [String])])
  func silence(seconds: [Double], found: [String]) {
    let recorder = Recorder()
    _ = rules(sentAt: seconds, recorder)
    #expect(recorder.mqttFindings == found)
  }

  @Test(
    "neither a packet that takes long is silence, nor a pause in it",
    arguments: [
      ([5, 12, 20, 28], 30, []), ([5, 12, 40], 60, []),
      ([20], 21, ["warning keep-alive-exceeded"]),
    ] as [([Double], Double, [String])])
  func slow(pieces: [Double], end: Double, found: [String]) {
    let recorder = Recorder()
    var rules = rules(sentAt: [0], recorder)
    for second in pieces + [end] {
      rules.hear(mqttOrigin(.toServer, second: second).time, continues: second != pieces[0])
    }
    rules.send(mqttOrigin(.toServer, second: end), mqttContext(), recorder)
    #expect(recorder.mqttFindings == found)
  }

  @Test("behind a hole, what the client sent is not known") func hole() {
    let recorder = Recorder()
    var rules = rules(sentAt: [0], recorder)
    rules.miss()
    rules.send(mqttOrigin(.toServer, second: 100), mqttContext(), recorder)
    #expect(recorder.mqttFindings == [])
  }

  @Test("no keep alive, no silence") func none() {
    let recorder = Recorder()
    var rules = rules(sentAt: [0], recorder)
    rules.agree(on: 0)
    rules.send(mqttOrigin(.toServer, second: 1000), mqttContext(), recorder)
    #expect(recorder.mqttFindings == [])
  }

  /// It closes after 1.5 times keep alive: earlier or much later it has another reason.
  @Test(
    "the server closes",
    arguments: [
      (14.9, []), (15, ["warning keep-alive-close"]), (25.5, ["warning keep-alive-close"]),
      (26.5, []),
    ] as [(Double, [String])])
  func close(second: Double, found: [String]) {
    let recorder = Recorder()
    var rules = rules(sentAt: [0], recorder)
    let isReported = rules.close(
      mqttOrigin(.toClient, second: second), will: "", mqttContext(), recorder)
    #expect(recorder.mqttFindings == found)
    #expect(isReported != found.isEmpty)
  }

  @Test(
    "PINGREQ without an answer",
    arguments: [
      ([1], nil, 5.9, []), ([1], nil, 6, ["warning ping-unanswered"]), ([1], 2, 60, []),
      // The first counts.
      ([1, 5], nil, 6, ["warning ping-unanswered"]),
    ] as [([Double], Double?, Double, [String])])
  func ping(asked: [Double], answered: Double?, end: Double, found: [String]) {
    let recorder = Recorder()
    var rules = rules(sentAt: [], recorder)
    for second in asked { rules.ask(mqttOrigin(.toServer, second: second)) }
    if answered != nil { rules.answer() }
    rules.reportUnanswered(
      at: mqttOrigin(.unknown, second: end).time, mqttContext(), recorder)
    #expect(recorder.mqttFindings == found)
  }
}
