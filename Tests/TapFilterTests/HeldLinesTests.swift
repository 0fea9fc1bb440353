// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapFilter

@Suite("Lines that wait for what decides") struct HeldLinesTests {
  private func line(_ index: UInt64, connection: UInt32) -> HeldLines.Line {
    var joined = Joined(index: index)
    joined.connection = connection
    let bytes = Array("[48,\(index)]".utf8)
    let notes: [Note] = []
    let view = MessageView(joined, bytes.span.bytes, notes.span, subject: bytes.span.bytes)
    return HeldLines.Line(Message("wamp", "CALL", Origin()), view, [])
  }

  @Test("are found by exchange and connection, in order") func order() {
    var held = HeldLines(Limits())
    for (index, root) in [(1, 1), (2, 2), (3, 1), (4, 2)] as [(UInt64, UInt64)] {
      held.add(line(index, connection: UInt32(index % 2) + 1), root: root)
    }
    #expect(held.indices(exchange: 1) == [1, 3])
    #expect(held.indices(connection: 1) == [2, 4])
    held.merge(2, into: 1)
    #expect(held.indices(exchange: 1) == [1, 2, 3, 4])
    #expect(held.remove(2, root: 1)?.joined.index == 2)
    #expect(held.remove(2, root: 1) == nil)
    #expect(held.all == [1, 3, 4])
    #expect(held.oldest() == 1)
  }

  @Test("are no more than there is room for", arguments: [true, false]) func bounds(byCount: Bool) {
    var limits = Limits()
    if byCount {
      limits.waitingLines = 3
    } else {
      limits.waitingBytes = 3 * line(1, connection: 1).cost
    }
    var held = HeldLines(limits)
    for index in 1...3 as ClosedRange<UInt64> {
      #expect(!held.isFull)
      held.add(line(index, connection: 1), root: index)
    }
    #expect(held.isFull)
    _ = held.remove(1, root: 1)
    #expect(!held.isFull)
  }
}
