// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

@testable import TapDialects

@Suite struct SocketIOOffsetTests {
  /// 2023-11-14T22:13:20Z, when all of the first are from.
  private static let time = Instant(nanoseconds: 1_700_000_000_000_000_000)

  @Test(
    "an offset has the time of its event",
    arguments: [
      ("OlFvMW0", true), ("OlFvMW0.1", true), ("OlFvMW0.a_", true), ("1700000000000-0", true),
      ("6553f100a1b2c3d4e5f60718", true), ("OlFvMW0.", false), ("OlFvMW0 ", false),
      ("OlFvMW", false), ("PoaAq9K", false), ("Bitcoin", false), ("1234567", false),
      ("Connected", false), ("2024-01-01", false), ("507f1f77bcf86cd799439011", false),
      ("6553f100a1b2c3d4e5f6071g", false), ("1500000000000-0", false), ("1700000000000-", false),
      ("", false),
    ])
  func near(_ text: String, _ isOne: Bool) {
    #expect(SocketIOOffset.isOffset(Array(text.utf8).span.bytes, at: Self.time) == isOne)
  }

  @Test(
    "where no time is known, its form has to show it",
    arguments: [
      ("1700000000000-0", true), ("6553f100a1b2c3d4e5f60718", true), ("OlFvMW0", false),
      ("Bitcoin", false),
    ])
  func untimed(_ text: String, _ isOne: Bool) {
    #expect(SocketIOOffset.isOffset(Array(text.utf8).span.bytes, at: .unknown) == isOne)
  }
}
