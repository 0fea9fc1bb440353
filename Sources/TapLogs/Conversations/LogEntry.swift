// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What decides which conversation a logged message is of: what its line says, and what it is.
struct LogEntry {
  /// What the line says of its conversation.
  let name: LogConversationName
  let match: LogMatch
  let recognition: Recognition
  let origin: Origin
}

extension LogEntry {
  @inline(__always)  // Or else all of the candidate is copied for each call.
  init(_ candidate: LogCandidate, _ match: LogMatch) {
    var name = LogConversationName(ofMessage: candidate)
    // The writer may be the session's id once more, read from a record on the line. The record of
    // HELLO lacks it, so it must not tell lines apart. Other names of writers do: both ends of a
    // session may be in one log.
    if match.rule?.hasSession == true, name.session != 0, name.writer.hasPrefix("session ") {
      name.writer = ""
    }
    self.init(
      name: name, match: match, recognition: candidate.recognition, origin: candidate.origin)
  }
}
