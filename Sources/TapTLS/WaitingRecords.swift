// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Records that cannot be decrypted yet, held until the required hello or secret comes.
struct WaitingRecords {
  private(set) var held: ReplayBuffer
  private let limits: Limits
  /// The state of knowledge at the last try.
  private var triedRevision = -1
  private(set) var isReleasing = false
  /// More was learned while they were released: they may be released once more.
  private var hasLearned = false
  private var notice = WaitNotice()

  init(_ limits: Limits) {
    (self.limits, held) = (limits, ReplayBuffer(limits.waitingRecords))
  }

  var isEmpty: Bool { held.isEmpty }

  /// Holds bytes; false when they may not wait any longer.
  mutating func hold(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    held.append(bytes, delivery)
    let mayStay = held.reserve() && held.cost <= limits.waitingRecordBytes
    return mayStay || isReleasing
  }

  mutating func hold(gap missing: Int?, _ delivery: Delivery) {
    held.append(gap: missing, delivery)
  }

  mutating func hold(half delivery: Delivery) { held.append(half: delivery) }

  /// Reports whether anything waits to be decrypted, here or in a search.
  mutating func report(isSearching: Bool, _ origin: Origin, _ listener: any Listener) {
    if isSearching || !held.isEmpty {
      notice.begin(origin, listener)
    } else {
      notice.end(listener)
    }
  }

  /// Begins another try; false if no more is known than at the last one.
  mutating func beginTry(_ revision: Int) -> Bool {
    if revision == triedRevision { return false }
    triedRevision = revision
    return true
  }

  /// Whether to release them now; if a release is in progress, it is repeated.
  mutating func beginRelease() -> Bool {
    if isReleasing {
      hasLearned = true
      return false
    }
    isReleasing = true
    return true
  }

  /// Takes all waiting records; those that still cannot be decrypted wait again.
  mutating func takeAll() -> ReplayBuffer {
    hasLearned = false
    defer { held = ReplayBuffer(limits.waitingRecords) }
    return held
  }

  /// All were released; whether to repeat that.
  mutating func mayReleaseAgain() -> Bool {
    isReleasing = hasLearned && !held.isEmpty
    return isReleasing
  }
}
