// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapRender

/// Calls beyond those that have room.
@Suite struct TraceCallsTests {
  /// One call after the other, of which each so many were asked for.
  private func calls(_ count: UInt64, selecting step: UInt64) -> TraceCalls {
    var limits = Limits()
    limits.tracedExchanges = 16
    var calls = TraceCalls()
    var members = [TraceMember(connection: 1, session: 0)]
    members[0].server = [1]
    for index in 1...count {
      var message = Message("wamp", "CALL", Origin())
      message.origin.direction = .toServer
      message.first = Link(.opens, "request", index, space: 1)
      let view = MessageView(Joined(index: index), RawSpan(), Span(), subject: RawSpan())
      let reported = TraceMessage(
        message, view, Detail(isMasked: false), line: [], isSelected: index % step == 0)
      _ = calls.message(reported, member: 0, members, limits)
    }
    return calls
  }

  @Test func allThatHadNoRoomAreCounted() {
    let calls = calls(100, selecting: 1)
    #expect(calls.all.count == 16 && calls.unkept == 84)
    #expect(calls.all.map(\.asked.moment.index) == Array(1...16))
  }

  @Test func olderOnesThatNobodyAskedForMakeRoom() {
    let calls = calls(40, selecting: 10)
    #expect(calls.unkept == 0)
    #expect(calls.all.filter(\.isSelected).map(\.asked.moment.index) == [10, 20, 30, 40])
  }
}
