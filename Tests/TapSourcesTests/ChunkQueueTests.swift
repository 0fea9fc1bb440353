// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TapSources

/// What was captured, on its way from one thread to the other.
@Suite("Queue of chunks") struct ChunkQueueTests {
  private func put(_ queue: ChunkQueue, _ count: Int, _ octet: UInt8 = 7) -> Bool {
    [UInt8](repeating: octet, count: count).withUnsafeBytes {
      queue.append($0, seconds: 1, fraction: 2, original: UInt32(count) + 1)
    }
  }

  private func octets(_ queue: ChunkQueue) -> (octets: [UInt8], dropped: [UInt64]) {
    var all: [UInt8] = []
    var dropped: [UInt64] = []
    while case .chunk(let chunk) = queue.take() {
      all += chunk.bytes
      dropped.append(chunk.droppedBefore)
      queue.give(back: chunk)
    }
    return (all, dropped)
  }

  @Test("hands over what a savefile would hold") func layout() {
    let queue = ChunkQueue(most: 1 << 20)
    queue.begin([0xA1B2_3C4D, 0x0004_0002])
    #expect(!put(queue, 3))
    let expected: [UInt8] =
      [0x4D, 0x3C, 0xB2, 0xA1, 2, 0, 4, 0] + [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]
      + [7, 7, 7]
    #expect(octets(queue).octets == expected)
  }

  @Test("packets gather until somebody comes, and none is torn apart") func gathering() {
    let queue = ChunkQueue(most: 16 << 20)
    var full = 0
    for _ in 0..<1000 where put(queue, 1500) { full += 1 }
    // A packet larger than a chunk has one for itself.
    #expect(put(queue, 300_000))
    let (all, dropped) = octets(queue)
    #expect(all.count == 1000 * 1516 + 300_016)
    #expect(full == dropped.count - 2 && dropped.count == 7)
    #expect(dropped.allSatisfy { $0 == 0 })
    #expect(queue.counts == (1001, 0))
  }

  @Test("what finds no room is dropped, and counted where it is missing") func dropping() {
    let queue = ChunkQueue(most: 300)
    for number in 0..<5 { _ = put(queue, 84, UInt8(number)) }
    #expect(queue.counts == (3, 2))
    // Not even for a small one, until half of it has gone.
    #expect(!put(queue, 1) && queue.counts == (3, 3))
    guard case .chunk(let first) = queue.take() else { return #expect(Bool(false)) }
    #expect(first.count == 300 && first.droppedBefore == 0)
    queue.give(back: first)
    for number in 5..<7 { _ = put(queue, 84, UInt8(number)) }
    let (rest, dropped) = octets(queue)
    #expect(dropped == [3] && rest[16] == 5 && rest.count == 200)
    _ = put(queue, 84)
    #expect(octets(queue).dropped == [0], "told once")
    for _ in 0..<4 { _ = put(queue, 84) }
    let last = octets(queue)
    #expect(last.octets.count == 300 && last.dropped == [0, 1], "told when nothing follows")
  }

  @Test("whoever waits is woken once, and the end comes last") func waking() {
    let queue = ChunkQueue(most: 1 << 20)
    #expect(!queue.isAwaited())
    guard case .nothing = queue.take() else { return #expect(Bool(false)) }
    #expect(!queue.isAwaited(), "there is nothing to be woken for")
    _ = put(queue, 1)
    #expect(queue.isAwaited() && !queue.isAwaited())
    queue.end("it broke")
    guard case .chunk(let chunk) = queue.take() else { return #expect(Bool(false)) }
    queue.give(back: chunk)
    guard case .end("it broke") = queue.take() else { return #expect(Bool(false)) }
  }
}
