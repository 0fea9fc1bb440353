// SPDX-License-Identifier: Apache-2.0
import TapSources
import Testing

/// Two threads and what goes between them.
@Suite struct HandoverTests {
  @Test("all that is given is taken, in order", .timeLimit(.minutes(10)))
  func order() throws {
    let (there, back) = (Handover<Int>(), Handover<Int>())
    let worker = try #require(
      WorkerThread {
        while let number = there.take() { back.give(number * 2) }
        back.give(-1)
      })
    var taken: [Int] = []
    for number in 0..<1000 {
      there.give(number)
      // Sometimes the one waits, sometimes the other.
      if number % 3 == 0, let next = back.take() { taken.append(next) }
    }
    while taken.count < 1000, let next = back.take() { taken.append(next) }
    #expect(taken == (0..<1000).map { $0 * 2 })
    // Who waits for what never comes is reported so.
    there.close()
    #expect(back.take() == -1)
    worker.join()
    #expect(there.take() == nil)
  }

  @Test("nothing is waited for that is not there") func ready() {
    let row = Handover<Int>()
    #expect(row.isEmpty && row.takeIfReady() == nil)
    row.give(1)
    row.give(2)
    #expect(!row.isEmpty && row.takeIfReady() == 1)
    row.close()
    #expect(row.takeIfReady() == nil)
  }

  @Test("what the thread holds is let go with it") func release() throws {
    final class ReplayBuffer: Sendable {}
    weak var weakHeld: ReplayBuffer?
    let worker: WorkerThread
    do {
      let held = ReplayBuffer()
      weakHeld = held
      worker = try #require(WorkerThread { withExtendedLifetime(held) {} })
    }
    worker.join()
    #expect(weakHeld == nil)
  }
}
