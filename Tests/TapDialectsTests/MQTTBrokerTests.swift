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
    let taker = before.leave(at: mqttOrigin(.toServer, second: end).time)
    #expect((taker != nil) == isTaken)
    #expect(after.takeovers == (isTaken ? 1 : 0))
  }

  @Test("who is refused, or comes when the client has left, takes nothing over") func refused()
    throws
  {
    let broker = MQTTBroker(limits: Limits())
    let server = Endpoint(address: [10, 0, 0, 1], port: 1883)
    let enter = { (second: Double) in
      broker.enter([0x6A], at: server, mqttOrigin(.toServer, second: second), Recorder())
    }
    let first = try #require(enter(1))
    broker.refuse(try #require(enter(2)))
    #expect(first.takeovers == 0)
    let third = try #require(enter(3))
    #expect(third.takeovers == 1)
    #expect(first.leave(at: mqttOrigin(.toServer, second: 4).time)?.time == third.began.time)
    third.close()
    _ = try #require(enter(5))
    #expect(third.leave(at: mqttOrigin(.toServer, second: 6).time) == nil)
  }

  @Test("who is refused when another one has come took nothing from the first, which that one did")
  func refusedLate() throws {
    let broker = MQTTBroker(limits: Limits())
    let server = Endpoint(address: [10, 0, 0, 1], port: 1883)
    let enter = { (second: Double) in
      broker.enter([0x6A], at: server, mqttOrigin(.toServer, second: second), Recorder())
    }
    let (first, second) = (try #require(enter(1)), try #require(enter(2)))
    let third = try #require(enter(3))
    broker.refuse(second)
    let end = mqttOrigin(.toServer, second: 4).time
    #expect(second.leave(at: end) == nil)
    #expect(first.leave(at: end)?.time == third.began.time)
    #expect(third.takeovers == 1)
  }

  @Test("clients that take turns are not kept by the first, whose end was not captured")
  func turns() throws {
    let broker = MQTTBroker(limits: Limits())
    let server = Endpoint(address: [10, 0, 0, 1], port: 1883)
    let enter = { (second: Double) in
      broker.enter([0x6A], at: server, mqttOrigin(.toServer, second: second), Recorder())
    }
    let first = try #require(enter(1))
    var second = enter(2)
    weak let third = enter(3)
    _ = second?.leave(at: mqttOrigin(.toServer, second: 3).time)
    second = enter(4)
    #expect(first.isOpen && second != nil && third == nil)
  }
}
