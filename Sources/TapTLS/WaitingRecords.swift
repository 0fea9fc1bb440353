// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Records that cannot be opened yet: held until the hello or the secret that they need is there.
struct WaitingRecords {
  private(set) var held: ReplayBuffer
  private let limits: Limits
  /// What was known when it was last tried.
  private var triedRevision = -1
  private(set) var isReleasing = false
  /// Something was learned while they were let go: they may go once more.
  private var hasLearned = false
  private var notice = WaitNotice()

  init(_ limits: Limits) {
    (self.limits, held) = (limits, ReplayBuffer(limits.waitingRecords))
  }

  var isEmpty: Bool { held.isEmpty }

  /// Answers whether it may go on waiting.
  mutating func hold(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    held.append(bytes, delivery)
    let mayStay = held.reserve() && held.cost <= limits.waitingRecordBytes
    return mayStay || isReleasing
  }

  mutating func hold(gap missing: Int?, _ delivery: Delivery) {
    held.append(gap: missing, delivery)
  }

  mutating func hold(half delivery: Delivery) { held.append(half: delivery) }

  /// Says whether something waits to be opened, here or in a search.
  mutating func tell(isSearching: Bool, _ origin: Origin, _ listener: any Listener) {
    if isSearching || !held.isEmpty {
      notice.begin(origin, listener)
    } else {
      notice.end(listener)
    }
  }

  /// Whether more is known than when it was last tried.
  mutating func isWorthTrying(_ revision: Int) -> Bool {
    if revision == triedRevision { return false }
    triedRevision = revision
    return true
  }

  /// Whether they are let go now; where that is being done, it is done once more.
  mutating func beginRelease() -> Bool {
    if isReleasing {
      hasLearned = true
      return false
    }
    isReleasing = true
    return true
  }

  /// Takes out what waits; what still cannot be opened will wait again.
  mutating func takeAll() -> ReplayBuffer {
    hasLearned = false
    defer { held = ReplayBuffer(limits.waitingRecords) }
    return held
  }

  /// All were let go: answers whether that is done once more.
  mutating func mayReleaseAgain() -> Bool {
    isReleasing = hasLearned && !held.isEmpty
    return isReleasing
  }
}
