// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What became of one publication for one session.
struct TraceVerdict {
  enum Outcome {
    case received, missed
    /// What decides it was not captured.
    case unknown

    var name: StaticString {
      switch self {
      case .received: "received"
      case .missed: "notReceived"
      case .unknown: "notKnown"
      }
    }
  }

  /// Number of the session.
  var member: Int
  var outcome: Outcome
  /// One word, for machines: `unsubscribed`.
  var cause: StaticString
  /// The same for people; may quote the wire.
  var text: String
  /// What it refers to; nil for nothing.
  var moment: TraceMoment?
  /// Nil unless it was received.
  var delivery: TracePublication.Delivery?
  /// Of several verdicts on one session, that of the highest rank counts.
  var rank = 0
}
