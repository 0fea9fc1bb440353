// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
public import TapTraffic

extension Finding.Code {
  static let exportDamaged: Finding.Code = "export.damaged"
  static let exportTruncated: Finding.Code = "export.truncated"
  static let exportBadMessage: Finding.Code = "export.bad-message"
  static let exportConnectionError: Finding.Code = "export.connection-error"
  static let exportRefused: Finding.Code = "export.upgrade-refused"
  static let exportMessageTooLarge: Finding.Code = "export.message-too-large"
  static let exportEvicted: Finding.Code = "export.connections-evicted"
}

extension Finding {
  /// So many connections were ended, as there were too many.
  static func evicted(_ count: Int, _ limits: Limits, _ origin: Origin) -> Finding {
    var finding = Finding(
      .exportEvicted, .warning, origin,
      "more than \(limits.connections) connections are open at once: the \(count) oldest are taken"
        + " for ended")
    finding.evicted = UInt64(count)
    return finding
  }
}

/// What may be wrong with exports, explained.
public enum ExportFindings {
  public static let all: [Explanation] = export

  private static let export: [Explanation] = [
    Explanation(
      .exportDamaged, .warning, isLoss: true,
      "An export stops making sense; what follows is not read.",
      cause: "Damage in transfer, or a file that was edited by hand.",
      remedy: "What stands before it is decoded. Export it again."),
    Explanation(
      .exportTruncated, .warning, or: .note, isLoss: true,
      "An export ends before its end; a note where its writer is often stopped that way.",
      cause: "The program that writes it was killed or still runs, or the copy is incomplete.",
      remedy: "Nothing before the end is lost. Close the program properly, and copy again."),
    Explanation(
      .exportOrder, .warning,
      "An export is too large to put its conversations in the order of their times.",
      cause: "More than 20 MiB of messages, of conversations that went on at once.",
      remedy: """
        Each conversation is in order, and times are right; ids that one of them was given may not \
        be known in another yet. Export less at once.
        """),
    Explanation(
      .exportBadMessage, .warning, isLoss: true,
      "A message of an export lacks what is needed to read it, or says something impossible.",
      cause: "A file that was edited, or a version of its writer that is not known here.",
      remedy: "It is left out, and nothing is said to be missing behind it. Look at its offset."),
    Explanation(
      .exportMessageTooLarge, .warning, isLoss: true,
      "A message of an export is larger than any that is read; it is left out.",
      cause: "A file sent as one message.",
      remedy: "See who sends it."),
    Explanation(
      .exportEvicted, .warning,
      "An export has more connections open at once than can be kept apart; the oldest were ended.",
      cause: "The events that close connections were filtered out, by grep or jq.",
      remedy: "What they say later is shown as a connection whose beginning is missing."),
    Explanation(
      .harMessagesMissing, .warning,
      "A HAR has connections of WebSocket, but not their messages.",
      cause: """
        Of the browsers only Chromium writes messages, and only of connections that were opened \
        while its developer tools were.
        """,
      remedy: "Open the developer tools before the page is loaded, or record with a proxy."),
    Explanation(
      .exportConnectionError, .warning,
      "The program that wrote an export noted an error of a connection.",
      cause: "A handshake that was refused, a broken frame, or a connection that was lost.",
      remedy: "Read the text, which is the program's own."),
    Explanation(
      .exportRefused, .warning,
      "A server was asked for WebSocket and answered something else.",
      cause: "No right to connect, another path, a proxy in between, or a server that is down.",
      remedy: "Read the status and the body of its answer in the export."),
    Explanation(
      .netlogNoBytes, .warning, isLoss: true,
      "A NetLog has the headers of WebSocket frames, but not what they say.",
      cause: "It was taken without raw bytes, as is the default.",
      remedy: """
        Start Chromium with --log-net-log=FILE --net-log-capture-mode=Everything, or choose \
        “Include raw bytes” on chrome://net-export. Such a log has passwords and cookies in it.
        """),
    Explanation(
      .ndjsonMissing, .note, isLoss: true,
      "The numbers of the messages of an NDJSON have gaps.",
      cause: "Lines were filtered out, by grep or jq.",
      remedy: "What was asked may have been answered in them. Read the NDJSON whole."),
    Explanation(
      .ndjsonUnrepeated, .warning, or: .note,
      "The run that wrote an NDJSON found something in its input that an NDJSON does not show.",
      cause: "A capture that was cut, TLS without secrets, sessions of a log that were mixed.",
      remedy: "Read them in the NDJSON, by their codes, or read its input itself."),
    Explanation(
      .ndjsonLost, .warning,
      "The input of the run that wrote an NDJSON had holes.",
      cause: "As the findings in it say, which are not reported again.",
      remedy: "Read them there, or read the capture itself."),
    Explanation(
      .flowDropped, .warning,
      "The proxy has not passed a message on: its receiver never saw it.",
      cause: "Somebody, or a script of the proxy, dropped it.",
      remedy: "Whatever the receiver lacks from here on may be due to it."),
    Explanation(
      .flowInjected, .warning,
      "A message was sent by the user of the proxy: its sender knows nothing of it.",
      cause: "Somebody, or a script of the proxy, injected it.",
      remedy: "An answer to it may come that nobody of the endpoints has asked for."),
  ]
}
