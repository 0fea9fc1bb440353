// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What one session has published, and who got it.
struct TracePublication {
  /// One session getting it.
  struct Delivery {
    /// Number of the session.
    var member: Int
    var moment: TraceMoment
    /// As the dialect calls it: `EVENT`.
    var name: String
    /// The id of the subscription; empty where there is none.
    var subscription: [UInt8]
    /// What all deliveries of one publication share; nil without.
    var shared: UInt64?
    /// It was joined to this publication by topic and payload, not by an id.
    var isInferred: Bool
    var isRetained: Bool
  }

  /// The line of the message.
  var line: [UInt8]
  /// Number of the session that published it.
  var publisher: Int
  var sent: TraceMoment
  var dialect: String
  var name: String
  var topic: [UInt8]
  /// A digest of its payload.
  var payload: UInt64
  var distribution: Distribution
  var awaitsAnswer: Bool
  /// The line of the answer, which may be a refusal.
  var answerLine: [UInt8] = []
  var answered: TraceMoment?
  var isRefused = false
  /// Why; empty where that is not said.
  var refusal: [UInt8] = []
  /// The id that the deliveries have, too; nil where that is not known.
  var id: UInt64?
  var deliveries: [Delivery] = []
  var isSelected: Bool
}
