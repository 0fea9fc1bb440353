// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic

/// Asks the dialects that run on bare TCP whether they recognise a stream.
struct StreamCandidates {
  private var candidates: [(dialect: any Dialect, recogniser: any StreamRecogniser)]

  init(_ factory: LayerFactory) {
    candidates = factory.spoken.compactMap { dialect in
      dialect.streamRecogniser(limits: factory.limits).map { (dialect, $0) }
    }
  }

  /// The dialect that a stream begins with, by everything that one side has sent so far.
  mutating func recognise(
    first: RawSpan, _ direction: Direction
  ) -> (dialect: (any Dialect)?, isUndecided: Bool) {
    var isUndecided = false
    for place in candidates.indices {
      switch candidates[place].recogniser.recognise(first: first, direction) {
      case true: return (candidates[place].dialect, false)
      case nil: isUndecided = true
      case false: continue
      }
    }
    return (nil, isUndecided)
  }

  /// The dialect that bytes from the middle of a stream show, their direction, and how many of its
  /// last bytes are its messages.
  mutating func recognise(
    midstream bytes: RawSpan, _ delivery: Delivery
  ) -> (dialect: any Dialect, direction: Direction, length: Int)? {
    for place in candidates.indices {
      if let found = candidates[place].recogniser.recognise(midstream: bytes, delivery) {
        return (candidates[place].dialect, found.direction, found.length)
      }
    }
    return nil
  }
}
