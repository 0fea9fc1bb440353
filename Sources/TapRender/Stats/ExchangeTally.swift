// SPDX-License-Identifier: Apache-2.0

/// What became of exchanges of one kind: those that were begun, answered, refused, or neither.
struct ExchangeTally {
  /// Begun, whether or not an answer was asked for.
  var begun: UInt64 = 0
  /// Begun without asking for an answer, and without one.
  var unasked: UInt64 = 0
  var answered: UInt64 = 0
  /// Of those answered, by a message that reports a failure.
  var errors: UInt64 = 0
  var latencies = Latencies()

  /// Those that asked for an answer or got one.
  var asked: UInt64 { begun - unasked }
  /// Never answered, as far as the evidence goes.
  var unanswered: UInt64 { begun - unasked - answered }
}
