// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What one session has asked for, and what became of it.
struct TraceSubscription {
  var filter: TopicFilter
  /// Its id as later messages have it; empty until that is known.
  var id: [UInt8]
  var asked: TraceMoment
  /// It counts from its answer on; otherwise from when it was asked for.
  var awaitsAnswer: Bool
  var granted: TraceMoment?
  /// The best quality of service that it was granted; nil where that is not known.
  var quality: UInt8?
  var refused: TraceMoment?
  var refusal: [UInt8] = []
  var ended: TraceMoment?

  /// What it is at a moment.
  enum State { case notYet, asked, active, refused, ended }

  func state(at index: UInt64) -> State {
    if asked.index > index { return .notYet }
    if let refused { return refused.index > index ? .asked : .refused }
    if let ended, ended.index < index { return .ended }
    guard awaitsAnswer else { return .active }
    guard let granted else { return .asked }
    return granted.index > index ? .asked : .active
  }
}
