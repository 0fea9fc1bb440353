// SPDX-License-Identifier: Apache-2.0

/// What a session has left to be published when it is gone (wamp-proto, "Session Testament").
struct WAMPTestament {
  /// The CALL of `wamp.session.add_testament`.
  var request: UInt64
  /// The session that left it.
  var session: UInt64 = 0
  var topic: UInt64
  var payload: WAMPPayload
  /// It is for when the session is detached, not for when it is destroyed.
  var isForDetached: Bool

  /// Of one session, and of those of one realm that have ended; older ones are forgotten.
  static let most = 64
}
