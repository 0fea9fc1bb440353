// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Finding.Code {
  /// What the members of messages mean was inferred.
  static let jsonInferred: Self = "json.inferred"
  /// An id that never came back, where nearly all others did.
  static let jsonUnanswered: Self = "json.question-unanswered"
  /// A side uses an id again that has no answer yet.
  static let jsonIDDuplicate: Self = "json.id-duplicate"
  /// More kinds of messages than `Limits.kindNames`.
  static let jsonTooManyKinds: Self = "json.too-many-kinds"
}

enum JSONFindings {
  static let all: [Explanation] = [
    Explanation(
      .jsonInferred, .note, "What the members of an application's messages mean was inferred.",
      cause: """
        The messages follow no protocol that is known here. Their names, and ids that come back \
        from the other side, say what they are.
        """,
      remedy: "Read what stands behind a tilde (~) as likely, not as certain.",
      source: "wamptap"),
    Explanation(
      .jsonUnanswered, .warning, or: .note,
      "A message with an id was never answered; nearly all others were.",
      cause: "A handler that hangs, or a message that wants no answer.",
      remedy: "Look for its id in the server's log.", source: "wamptap"),
    Explanation(
      .jsonIDDuplicate, .note, "A side used an id again before it was answered.",
      cause: "The same question was sent twice, or the id names a thing.",
      remedy: "Use a new id for each question.", source: "wamptap"),
    Explanation(
      .jsonTooManyKinds, .note, "Applications have more kinds of messages than are kept.",
      cause: "A member that was taken for the kind, and is different in each message.",
      remedy: "Read the message itself: of further kinds, the name is JSON.", source: "wamptap"),
  ]
}
