// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``JSONFindings``.
extension Finding.Code {
  static let jsonInferred: Self = "json.inferred"
  static let jsonUnanswered: Self = "json.question-unanswered"
  static let jsonIDDuplicate: Self = "json.id-duplicate"
  static let jsonLeftOpen: Self = "json.left-open"
  static let jsonAnswerUnknown: Self = "json.answer-unknown"
  static let jsonBeforeReady: Self = "json.before-ready"
  static let jsonRefused: Self = "json.failure-reported"
  static let jsonWrongForm: Self = "json.wrong-form"
  static let jsonKindUnknown: Self = "json.kind-unknown"
  static let jsonBroken: Self = "json.broken-text"
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
      "A question was never answered, although its protocol says so, or nearly all others were.",
      cause: "A handler that hangs, or, where roles were inferred, a message that wants no answer.",
      remedy: "Look for its id in the server's log.", source: "wamptap"),
    Explanation(
      .jsonIDDuplicate, .error, or: .note, "A side used an id again before it was answered.",
      cause: "The same question was sent twice, or the id names a thing.",
      remedy: "Use a new id for each question.", source: "wamptap"),
    Explanation(
      .jsonLeftOpen, .note, "A subscription or a stream was still open when the connection ended.",
      cause: "The client went without ending it, or the connection broke.",
      remedy: "None, as it ends with the connection; on one that lives long it is a leak.",
      source: "wamptap"),
    Explanation(
      .jsonAnswerUnknown, .error, "An answer whose id no open question has.",
      cause: "An answer sent twice, an id of another type (\"7\" for 7), or of another connection.",
      remedy: "Compare its id with those of the questions before it.", source: "wamptap"),
    Explanation(
      .jsonBeforeReady, .error, "A client asks before the server has said that it may.",
      cause: "A client of graphql-transport-ws that does not wait for connection_ack.",
      remedy: "Wait for it: the server closes the connection with 4401.",
      source: "graphql-ws PROTOCOL.md"),
    Explanation(
      .jsonRefused, .warning, "A message of a known protocol reports that something failed.",
      cause: "Its code and its words say why.",
      remedy: "Look at the question that it answers, and for its id in the server's log.",
      source: "wamptap"),
    Explanation(
      .jsonWrongForm, .error, "The elements of a list are not those that its kind has.",
      cause: "A peer that leaves out an element, or sends another type.",
      remedy: "Compare it with what `wamptap explain` says of its kind.", source: "wamptap"),
    Explanation(
      .jsonKindUnknown, .note, "A message of a kind that the protocol of the connection lacks.",
      cause: "Another version of the protocol, or an addition of the application.",
      remedy: "If the connection speaks something else, say so: --dialect NAME.",
      source: "wamptap"),
    Explanation(
      .jsonBroken, .error, "A text is no JSON, on a connection whose messages are JSON.",
      cause: "A peer that writes JSON by hand, or cuts it.",
      remedy: "Look at the byte that the finding names.", source: "RFC 8259"),
    Explanation(
      .jsonTooManyKinds, .note, "Applications have more kinds of messages than are kept.",
      cause: "A member that was taken for the kind, and is different in each message.",
      remedy: "Read the message itself: of further kinds, the name is JSON.", source: "wamptap"),
  ]
}
