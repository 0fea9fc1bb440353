// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// One connection with two pairs of addresses, before and behind NAT.
@Suite struct TwinTests {
  /// Both sides of the translation, in the order in which a host sees them: what the client sends
  /// first where it comes from, the answers first where they do. And others: with another number,
  /// another port, or later.
  @Test(arguments: [(9000, 50_000, 0), (9001, 50_000, 0), (9000, 50_001, 0), (9000, 50_000, 1)])
  func translated(_ start: UInt32, _ port: UInt16, _ wait: Int64) {
    let isSame = start == 9000 && port == 50_000 && wait == 0
    var outside = Conversation()
    var inside = Conversation(clientPort: port, serverStart: start)
    inside.server.address = [172, 17, 0, 2]
    var bench = TransportHarness()
    func show(_ direction: Direction, _ left: [UInt8], _ right: [UInt8]) {
      bench.show(direction == .toServer ? left : right)
      bench.show(direction == .toServer ? right : left, after: wait)
    }
    let directions = [Direction.toServer, .toClient, .toServer]
    for (direction, (left, right)) in zip(directions, zip(outside.handshake(), inside.handshake()))
    {
      show(direction, left, right)
    }
    for _ in 0..<5 {
      for direction in [Direction.toServer, .toClient] {
        show(
          direction, outside.send(direction, octets("hello")),
          inside.send(direction, octets("hello")))
      }
    }
    show(.toClient, outside.rst(.toClient), inside.rst(.toClient))
    bench.finish()
    #expect(bench.chooser.all.count == (isSame ? 1 : 2))
    #expect(bench.lent.lines.count == 11 && bench.lent.lines.last == "reset toClient")
    #expect(bench.recorder.codes == (isSame ? ["capture.duplicates"] : []))
    #expect(bench.isBalanced)
  }

  /// The same numbers by chance, as of made-up captures: what the clients say is not the same.
  @Test func another() {
    var first = Conversation()
    var second = Conversation()
    second.server.address = [172, 17, 0, 2]
    var bench = TransportHarness()
    for (left, right) in zip(first.handshake(), second.handshake()) {
      bench.show(left)
      bench.show(right)
    }
    bench.show(first.send(.toServer, octets("hello")))
    bench.show(second.send(.toServer, octets("adieu")))
    bench.finish()
    #expect(bench.chooser.all.map { $0.text(.toServer) } == ["hello", "adieu"])
    #expect(bench.isBalanced)
  }
}
