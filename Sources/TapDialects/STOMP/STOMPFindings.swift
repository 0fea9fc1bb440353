// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``STOMPFindings``.
extension Finding.Code {
  static let stompUnknownCommand: Self = "stomp.unknown-command"
  static let stompWrongDirection: Self = "stomp.wrong-direction"
  static let stompNULMissing: Self = "stomp.frame-without-nul"
  static let stompBlankLineMissing: Self = "stomp.blank-line-missing"
  static let stompCharactersCounted: Self = "stomp.content-length-characters"
  static let stompLengthWrong: Self = "stomp.content-length-wrong"
  static let stompNULInBody: Self = "stomp.nul-in-body"
  static let stompBodyNotAllowed: Self = "stomp.body-not-allowed"
  static let stompNoColon: Self = "stomp.header-without-colon"
  static let stompHeaderMissing: Self = "stomp.header-missing"
  static let stompHeaderEmpty: Self = "stomp.header-empty"
  static let stompHeaderRepeated: Self = "stomp.header-repeated"
  static let stompHeaderPadded: Self = "stomp.header-padded"
  static let stompHeaderCase: Self = "stomp.header-case"
  static let stompHeaderLimit: Self = "stomp.too-many-headers"
  static let stompNotUTF8: Self = "stomp.header-not-utf8"
  static let stompEscapeUndefined: Self = "stomp.escape-undefined"
  static let stompEscapeMissing: Self = "stomp.escape-missing"
  static let stompEscapeInCONNECT: Self = "stomp.escape-in-connect"
  static let stompCarriageReturn: Self = "stomp.carriage-return"
  static let stompIncomplete: Self = "stomp.frame-incomplete"
  static let stompTooLong: Self = "stomp.frame-too-long"
}

/// Explanations of all findings about STOMP.
enum STOMPFindings {
  static let all: [Explanation] =
    frames + headers + opening + ending + subscriptions + acknowledgements + others

  private static let frames: [Explanation] = [
    Explanation(
      .stompUnknownCommand, .error, "A line that is no command stands where a frame begins.",
      cause: "A misspelled command, one in lower case, or text that is no STOMP.",
      remedy: "Write the command in upper case, alone on its line.",
      source: "STOMP 1.2, \"STOMP"
        + " Frames\""),
    Explanation(
      .stompWrongDirection, .error, "A frame comes from the side that does not send it.",
      cause: "A proxy that sends back what it got, or client and server mixed up in the capture.",
      remedy: "Look at the handshake: the client is the side that connects.",
      source: "STOMP 1.2, \"Client Frames\", \"Server Frames\""),
    Explanation(
      .stompNULMissing, .error, "A frame is not ended by a NUL byte.",
      cause: "A frame written by hand as text, or a text function that ends strings at NUL.",
      remedy: "End the frame with a byte of value 0, written \"\\0\" or \"\\u0000\". Until it"
        + " comes, the server waits and does nothing.",
      source: "STOMP 1.2, \"STOMP Frames\""),
    Explanation(
      .stompBlankLineMissing, .error, "No blank line stands between the headers and the NUL.",
      cause: "A frame written by hand.",
      remedy: "End the headers with an empty line, even when there is no body.",
      source: "STOMP 1.2, \"STOMP Frames\""),
    Explanation(
      .stompCharactersCounted, .error, "The content-length counts characters, not bytes.",
      cause: "The length of a string was sent, and the text is not ASCII.",
      remedy: "Count the bytes of the body in UTF-8, or leave the header out.",
      source: "STOMP 1.2, \"Header content-length\""),
    Explanation(
      .stompLengthWrong, .error, "The content-length is not the length of the body.",
      cause: "A header that was copied from another frame, or a body that was changed on the way.",
      remedy: "Count the bytes of the body, or leave the header out.",
      source: "STOMP 1.2, \"Header content-length\""),
    Explanation(
      .stompNULInBody, .error, "What stands behind the NUL of a frame is no frame.",
      cause: "A binary body with a NUL in it, and no content-length.",
      remedy: "Send content-length with every body that is not text.",
      source: "STOMP 1.2, \"Body\""),
    Explanation(
      .stompBodyNotAllowed, .error, or: .note, "A frame has a body that may have none.",
      cause: "A client that adds data to SUBSCRIBE or CONNECT.",
      remedy: "Put it into a SEND, or into a header.", source: "STOMP 1.2, \"Body\""),
    Explanation(
      .stompIncomplete, .warning, isLoss: true, "A frame lacks bytes, and is not shown.",
      cause: "Packets that were not captured, or a connection that ended too early.",
      remedy: "Capture anew, with a larger buffer (-B).", source: "wamptap"),
    Explanation(
      .stompTooLong, .warning, "A frame is larger than what is kept of one.",
      cause: "A NUL that never comes, or a very large body.",
      remedy: "See where it begins; reading goes on at the next frame.", source: "wamptap"),
  ]

  private static let headers: [Explanation] = [
    Explanation(
      .stompNoColon, .error, "A line of the headers has no colon.",
      cause: "The blank line before the body is missing, so the body is read as headers; or a value"
        + " has a line end in it, which STOMP 1.0 cannot escape (ActiveMQ sends it as it is).",
      remedy: "Put an empty line between the headers and the body, and no line end into a value.",
      source: "STOMP 1.2, \"STOMP Frames\""),
    Explanation(
      .stompHeaderMissing, .error, "A frame lacks a header that it must have.",
      cause: "A client of another version, or a frame written by hand.",
      remedy: "Add the header; the server answers with ERROR otherwise.",
      source: "STOMP 1.2, \"Frames and Headers\""),
    Explanation(
      .stompHeaderEmpty, .warning, "A header that names something is empty.",
      cause: "A variable that was not set.", remedy: "Look where the client builds the frame.",
      source: "STOMP 1.2, \"Frames and Headers\""),
    Explanation(
      .stompHeaderRepeated, .warning, or: .note,
      "A header is there twice, with different values; a note where it is one of the application.",
      cause: "A program between client and server that adds its own, in front of the old one.",
      remedy: "Nothing, if that is meant: the first one counts, and the others are its history.",
      source: "STOMP 1.2, \"Repeated Header Entries\""),
    Explanation(
      .stompHeaderPadded, .warning, "The value of a header begins or ends with a blank.",
      cause: "A blank behind the colon, as HTTP has it.",
      remedy: "Remove it: since STOMP 1.1 it belongs to the value, and ' /queue/a' is another"
        + " queue.",
      source: "STOMP 1.2, \"Value Encoding\""),
    Explanation(
      .stompHeaderCase, .warning, "The name of a header is written in other case.",
      cause: "Names as in HTTP: Content-Length.",
      remedy: "Write it in lower case; otherwise it has no effect.",
      source: "STOMP 1.2, \"Value Encoding\""),
    Explanation(
      .stompHeaderLimit, .warning, "A frame has more headers than are read.",
      cause: "A body read as headers, or an attack.",
      remedy: "Servers have limits, too, and close the connection.",
      source: "STOMP 1.2, \"Size Limits\""),
    Explanation(
      .stompNotUTF8, .error, "A command or a header is no UTF-8.",
      cause: "A client that writes headers in another encoding.",
      remedy: "Encode headers in UTF-8; only the body may be binary.",
      source: "STOMP 1.2, \"Value Encoding\""),
    Explanation(
      .stompEscapeUndefined, .error, "A header has a backslash with a letter that means nothing.",
      cause: "A Windows path, a regular expression or JSON in a header.",
      remedy: "Write a backslash as \\\\; receivers must close the connection otherwise.",
      source: "STOMP 1.2, \"Value Encoding\""),
    Explanation(
      .stompEscapeMissing, .note, "The value of a header has a colon that is not escaped.",
      cause: "A client that does not escape, such as stomp.js in a session of STOMP 1.1.",
      remedy: "Write it as \\c. Most servers take it as it is.",
      source: "STOMP 1.2, \"Value Encoding\""),
    Explanation(
      .stompEscapeInCONNECT, .note, "CONNECT or CONNECTED has an escape.",
      cause: "A library that escapes every frame.",
      remedy: "Send these two as they are; a login or a passcode is another one otherwise.",
      source: "STOMP 1.2, \"Value Encoding\""),
    Explanation(
      .stompCarriageReturn, .warning, "Lines end with CR LF, in a version that has LF only.",
      cause: "A client that writes lines as HTTP does.",
      remedy: "End lines with LF; before STOMP 1.2 the CR belongs to the value.",
      source: "STOMP 1.2, \"Augmented BNF\""),
  ]
}
