// SPDX-License-Identifier: Apache-2.0

/// An event that the router will publish when a session has ended (wamp-proto, "Session
/// Testament").
struct WAMPTestament {
  /// The CALL of `wamp.session.add_testament`.
  var request: UInt64
  /// The session that left it.
  var session: UInt64 = 0
  var topic: UInt64
  var payload: WAMPPayload
  /// Its scope is `detached`, not `destroyed`.
  var isForDetached: Bool

  /// The limit for one session, and for the ended sessions of one realm; older ones are forgotten.
  static let most = 64
}
