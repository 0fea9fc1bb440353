// SPDX-License-Identifier: Apache-2.0
import TapEvidence

/// Merges by time what several inputs deliver as it happens: each packet or line waits a moment for
/// earlier ones of other inputs.
struct InputMerge {
  /// What has come of one of them.
  private struct Waiting {
    /// When it goes on, by the monotonic clock.
    var due: UInt64
    /// The latest time in it.
    var until: Int64
  }

  /// Bytes that may wait; more go on at once.
  private static let mostWaiting = 16 << 20

  /// Nanoseconds that it waits.
  private let patience: UInt64
  private let inputs: Range<Int>
  private var waiting: ContiguousArray<Waiting> = []

  init(patience: UInt64, of inputs: Range<Int>) {
    (self.patience, self.inputs) = (patience, inputs)
  }

  /// When the next goes on; nil when nothing waits.
  var due: UInt64? { waiting.first?.due }

  /// Notes how long what has come of an input waits.
  mutating func hold(_ number: Int, _ timeline: Timeline) {
    guard timeline.waitingBytes(number) > 0 else { return }
    let latest = timeline.latest(number)
    if let last = waiting.last, last.until >= latest { return }
    waiting.append(Waiting(due: Clock.now() + patience, until: latest))
  }

  /// Passes on what has waited long enough.
  mutating func release(_ timeline: Timeline, _ now: UInt64) {
    if inputs.reduce(0, { $0 + timeline.waitingBytes($1) }) > Self.mostWaiting {
      waiting.removeAll()
      return timeline.release(until: .max)
    }
    let due = waiting.prefix { $0.due <= now }
    guard let last = due.last else { return }
    timeline.release(until: last.until)
    waiting.removeFirst(due.count)
  }
}
