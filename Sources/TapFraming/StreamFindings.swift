// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Explained in ``StreamFindings``.
extension Finding.Code {
  static let incomplete: Self = "stream.message-incomplete"
  static let lengthWrong: Self = "stream.length-wrong"
  static let resynchronised: Self = "stream.resynchronised"
  static let framingLost: Self = "stream.framing-lost"
  static let tooLong: Self = "stream.message-too-long"
}

/// What may be found wrong with messages that a stream carries without frames.
public enum StreamFindings {
  public static let all: [Explanation] = [
    Explanation(
      .incomplete, .warning, isLoss: true, "A message is incomplete, and is not shown.",
      cause: "Packets that were not captured, or a connection that ended too early.",
      remedy: "Capture anew, with a larger buffer (-B).", source: "wamptap"),
    Explanation(
      .lengthWrong, .error, "The length that stands before a message is not that of the message.",
      cause: "Characters were counted instead of bytes, or something was sent in between.",
      remedy: "Count the bytes of the text in UTF-8, and send nothing else on the connection.",
      source: "LSP, \"Base Protocol\""),
    Explanation(
      .tooLong, .warning, "A message is larger than the limit.",
      cause: "A bracket or a quote that is never closed, or a very large message.",
      remedy: "See where it begins; what follows is read from the next line on.",
      source: "wamptap"),
    Explanation(
      .resynchronised, .warning, or: .note, isLoss: true,
      "Messages were found again; a note when no gap is known before them.",
      cause: "A gap, a capture that began within a message, or bytes that are no message.",
      remedy: "It says about how many messages are missing: an answer may have been among them.",
      source: "wamptap"),
    Explanation(
      .framingLost, .warning, isLoss: true,
      "No beginning of a message was found before the connection ended.",
      cause: "A gap near the end of a connection, or one direction that was not captured.",
      remedy: "Capture again without losses. Missing bytes are counted; nothing is guessed.",
      source: "wamptap"),
  ]
}
