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
    /// Its request's number, and the space of that; see `Link`.
    var request: UInt64
    var space: UInt8
    /// The caller, if the router names it.
    var disclosed: Distribution.Name?
    /// It was joined to this call by subject and payload, not by an id.
    var isInferred: Bool
    /// It is between the server and the callee.
    var isInner: Bool
    /// It ends its leg.
    var isLast: Bool
    var isFailure: Bool
  }

  var dialect: String
  var subject: [UInt8]
  /// Number of the caller's session.
  var caller: Int
  /// Number of the callee's session; negative as long as that is not known.
  var callee = -1
  /// The server passes it on to a callee, or may do so.
  var isRouted: Bool
  /// A digest of its payload.
  var payload: UInt64
  var legs: [Leg]
  var isSelected: Bool

  var asked: Leg { legs[0] }
  /// It has no answer yet, and is not passed on.
  var isWaiting: Bool { callee < 0 && answer == nil }
  /// The answer to the caller.
  var answer: Leg? { legs.first { !$0.isInner && $0.isLast } }
  /// The request to the callee, and the answer to that.
  var passedOn: Leg? { legs.first { $0.isInner } }
  var innerAnswer: Leg? { legs.first { $0.isInner && $0.isLast } }
}
