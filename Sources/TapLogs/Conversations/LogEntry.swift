// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What decides which conversation a logged message is of: what its line says, and what it is.
struct LogEntry {
  /// What the line says of its conversation.
  let name: LogConversationName
  let match: LogMatch
  let recognition: Recognition
  let origin: Origin
  /// A fingerprint of a request where no line says who sends it; 0 for any other message.
  var text: UInt64 = 0
  /// It stands in the record of its answer: nothing shows that it was printed before.
  var isBesideAnswer = false

  /// The id of the request that it opens, with its sender: each side may have ids of its own.
  var opens: WideKey { WideKey(sender, recognition.opens) }

  /// The id of the request that it answers, with the sender of that.
  var answers: WideKey { WideKey(1 - sender, recognition.answers) }

  private var sender: UInt64 {
    let isSending =
      recognition.isOfEitherSide
      ? match.direction.isSending : recognition.direction == .toServer
    return isSending ? Self.client : 1 - Self.client
  }

  /// The client as the sender of a request; or of a protocol whose messages do not show which side
  /// they are of, who writes the log.
  static let client: UInt64 = 1
}

extension Recognition {
  /// Whether both sides send such messages: only the line says who has sent this one.
  var isOfEitherSide: Bool { direction == .unknown || isUsualDirection }

  /// Whether it begins another session than that before it. Where an application may send it again,
  /// it is no proof of that.
  var opensSession: Bool { begins && !isUsualDirection }
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
