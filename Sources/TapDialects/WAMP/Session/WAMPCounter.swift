// SPDX-License-Identifier: Apache-2.0

/// Checks how a client numbers its requests. The specification says from 1 up by one, but some
/// clients choose ids at random. The kind of client is decided once, so that a random one does not
/// get a finding for every request.
struct WAMPCounter {
  enum Verdict: Equatable {
    case fine
    /// The first request is not 1.
    case late
    /// An established sequence skips ids.
    case gap(after: UInt64)
    /// The ids are not a sequence.
    case irregular(after: UInt64)
  }

  private var last: UInt64 = 0
  /// Steps of one so far.
  private var steps = 0
  private var gaps = 0
  private var isIrregular = false

  /// How many steps of one establish a sequence, and how many gaps disprove it.
  private static let leastSteps = 3
  private static let mostGaps = 3

  /// Counts a request if it is the next one; returns whether it is.
  @inline(__always)
  mutating func advance(to id: UInt64) -> Bool {
    guard id == last &+ 1 else { return false }
    last = id
    steps &+= 1
    return true
  }

  /// The verdict on a request that is not the next one.
  mutating func judge(_ id: UInt64) -> Verdict {
    let before = last
    last = max(last, id)
    if before == 0 { return .late }
    if isIrregular || id == before { return .fine }
    if id == 1 && before == WAMPArray.maximumID {
      last = id
      return .fine
    }
    gaps += 1
    if id > before && steps >= Self.leastSteps && gaps <= Self.mostGaps {
      return .gap(after: before)
    }
    isIrregular = true
    return .irregular(after: before)
  }

  /// Continues from this request, after some may have been missed.
  mutating func resume(at id: UInt64) { last = id }
}
