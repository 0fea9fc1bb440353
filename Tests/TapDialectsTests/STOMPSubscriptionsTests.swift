// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Subscriptions of STOMP") struct STOMPSubscriptionsTests {
  private typealias Subscription = STOMPSubscriptions.Subscription

  private static func subscription(_ id: String, at place: UInt64) -> Subscription {
    Subscription(id: id, destination: "/q", place: place, mode: .individual)
  }

  @Test("that deliveries were forgotten says nothing of subscriptions") func forgotten() {
    var limits = Limits()
    limits.stompDeliveries = 4
    var subscriptions = STOMPSubscriptions(limits: limits)
    _ = subscriptions.add(Self.subscription("1", at: 7), 1)
    for message in 0..<10 as Range<UInt64> {
      subscriptions.deliver(1, message)
      _ = subscriptions.settle(message, reachesAll: false)
    }
    #expect(subscriptions.hasForgottenDeliveries)
    #expect(!subscriptions.hasForgottenSubscriptions)
  }

  @Test("the first other one of a destination is found") func others() {
    var subscriptions = STOMPSubscriptions(limits: Limits())
    for (key, id) in ["a", "b", "c"].enumerated() {
      _ = subscriptions.add(Self.subscription(id, at: id == "a" ? 1 : 2), UInt64(key))
    }
    #expect(subscriptions.first(at: 2, besides: "c")?.id == "b")
    #expect(subscriptions.first(at: 2, besides: "b")?.id == "c")
    #expect(subscriptions.first(at: 1, besides: "a") == nil)
    subscriptions.close(1, at: .unknown)
    #expect(subscriptions.first(at: 2, besides: "c") == nil)
  }
}
