// SPDX-License-Identifier: Apache-2.0

/// A client of the ladder: one connection.
struct LadderPeer {
  /// One of its sessions, as the server greeted it.
  struct Session {
    /// Which one of the connection, from 0.
    var number: UInt16
    var id: UInt64
    /// Escaped; empty when WELCOME does not name it.
    var authid: [UInt8] = []
  }

  /// How many sessions are kept of a peer, so that one that opens and ends many takes no more
  /// memory.
  static let mostSessions = 1024

  /// `127.0.0.1:53930`; empty when not known.
  var address: [UInt8] = []
  /// The line that `wamptap show` prints when the connection opens, escaped.
  var title: [UInt8] = []
  /// Place in the servers of the page.
  var server = 0
  var sessions: [Session] = []
  /// The rows of the page before which it was opened and closed; nil while it is open.
  var opened = 0
  var closed: Int?
  /// Its title was written above an earlier ladder.
  var isReported = false
}
