// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Clients of an MQTT server") struct MQTTBrokerTests {
  /// The end of a connection may be read behind the CONNECT of the next one.
  @Test(arguments: [(7, true), (3, false)])
  func takesOver(end: Double, isTaken: Bool) throws {
    let broker = MQTTBroker(limits: Limits())
    let server = Endpoint(address: [10, 0, 0, 1], port: 1883)
    let (one, other) = (mqttOrigin(.toServer, second: 1), mqttOrigin(.toServer, second: 5))
    let first = broker.enter([0x6A], at: server, one, Recorder())
    let second = broker.enter([0x6A], at: server, other, Recorder())
    let (before, after) = (try #require(first), try #require(second))
    before.leave(at: mqttOrigin(.toServer, second: end).time)
    #expect((before.takenBy != nil) == isTaken)
    #expect(after.takeovers == (isTaken ? 1 : 0))
  }
}
