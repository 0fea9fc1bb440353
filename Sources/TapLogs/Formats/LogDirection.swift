// SPDX-License-Identifier: Apache-2.0

/// Who sent the message, in the words of the line.
enum LogDirection: Sendable {
  case sent, received
  case toServer, toClient
  case unsaid

  /// The one who writes the log has sent it, or the client.
  var isSending: Bool { self == .sent || self == .toServer }
}
