// SPDX-License-Identifier: Apache-2.0

/// What every layer of frames reports of bytes that were not captured.
extension Explanation {
  public static func messageIncomplete(_ code: Finding.Code) -> Explanation {
    Explanation(
      code, .warning, isLoss: true,
      "Some bytes of a message were never captured; it is not shown.",
      cause: "Packets that the capture lost or cut, or a connection that ended within a message.",
      remedy: "See the gap before it, and whether the connection was reset.")
  }

  public static func resynchronised(_ code: Finding.Code) -> Explanation {
    Explanation(
      code, .warning, or: .note, isLoss: true,
      "Frames were found again by their form; a note when no gap is known before them.",
      cause: "A gap that ended within a frame, or a capture that began within one.",
      remedy: "It says about how many messages are missing: an answer may have been among them.")
  }

  public static func framingLost(_ code: Finding.Code, cause: String) -> Explanation {
    Explanation(
      code, .warning, isLoss: true,
      "After a gap, nothing that follows could be recognised as frames.", cause: cause,
      remedy: "Capture again without losses. Missing bytes are counted; nothing is guessed.")
  }
}
