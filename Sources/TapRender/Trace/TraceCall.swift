// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// One request and what was said about it, on both legs where a router passes it on.
struct TraceCall {
  /// One message of it.
  struct Leg {
    var line: [UInt8]
    var moment: TraceMoment
    var connection: UInt32
    var name: String
    /// The kind of request that its number is of.
    var space: UInt8
    /// No id says that it belongs to this call: subject and payload do.
    var isInferred: Bool
    /// It is between the server and who is asked in the end.
    var isInner: Bool
    /// It ends its leg.
    var isLast: Bool
    var isFailure: Bool
  }

  var dialect: String
  var subject: [UInt8]
  /// Number of the session that asks.
  var caller: Int
  /// Number of the session that is asked in the end; negative as long as that is not known.
  var callee = -1
  /// Somebody else than the server is asked for the answer, or may be.
  var isRouted: Bool
  /// A digest of its payload.
  var payload: UInt64
  var legs: [Leg]
  var isSelected: Bool

  var asked: Leg { legs[0] }
  /// The answer to who asks.
  var answer: Leg? { legs.first { !$0.isInner && $0.isLast } }
  /// The request as it was passed on, and the answer to that.
  var passedOn: Leg? { legs.first { $0.isInner } }
  var innerAnswer: Leg? { legs.first { $0.isInner && $0.isLast } }
}
