// SPDX-License-Identifier: Apache-2.0

/// How a client numbers its requests: from 1 up by one, says the specification, but some choose at
/// random. It is judged once, so that a client of the other kind is not blamed for every request.
struct WAMPCounter {
  enum Verdict: Equatable {
    case fine
    /// The first request is not 1.
    case late
    /// A sequence that had held skips ids.
    case gap(after: UInt64)
    /// The ids make no sequence.
    case irregular(after: UInt64)
  }

  private var last: UInt64 = 0
  /// Steps of one so far.
  private var steps = 0
  private var gaps = 0
  private var isIrregular = false

  /// Steps that make a sequence, and gaps that end the belief in one.
  private static let leastSteps = 3
  private static let mostGaps = 3

  /// Whether the request is the next one; if so, it is counted.
  @inline(__always)
  mutating func isNext(_ id: UInt64) -> Bool {
    guard id == last &+ 1 else { return false }
    last = id
    steps &+= 1
    return true
  }

  /// Judges a request that is not the next one.
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

  /// Goes on from a request where others may have been missed.
  mutating func resume(at id: UInt64) { last = id }
}
