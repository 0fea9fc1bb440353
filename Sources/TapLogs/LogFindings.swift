// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
public import TapTraffic

extension Finding {
  /// Messages of several sessions may be shown as one connection.
  static func sessionsMixed(_ text: String, _ severity: Severity, _ origin: Origin) -> Finding {
    var finding = Finding(.logMixed, severity, origin, text)
    finding.mixesSessions = true
    return finding
  }
}

extension Finding.Code {
  static let logUnread: Finding.Code = "log.message-unread"
  static let logClock: Finding.Code = "log.clock"
  public static let logMixed: Finding.Code = "log.sessions-mixed"
  static let logNewestFirst: Finding.Code = "log.newest-first"
  static let logDirection: Finding.Code = "log.direction-contradicted"
  static let logSide: Finding.Code = "log.side-assumed"
  static let logLoss: Finding.Code = "log.message-dropped"
  static let logInvalidUTF8: Finding.Code = "log.invalid-utf8"
  static let logEncodingChanged: Finding.Code = "log.encoding-changed"
  static let logLineTooLong: Finding.Code = "log.line-too-long"
}

/// What may be wrong with logs and pasted text, explained.
public enum LogFindings {
  public static let all: [Explanation] = utf16 + paste + log

  private static let log: [Explanation] = [
    Explanation(
      .logNewestFirst, .note, or: .warning,
      "The newest line of a log comes first; its messages are shown from the last one on.",
      cause: "A viewer of logs exported what it showed.",
      remedy: """
        None is needed, unless the log is so long that it had to be turned round in parts: then \
        turn its lines round first, as with tac.
        """),
    Explanation(
      .logAbridged, .note,
      """
      The logger printed this message without some of its parts, or values of it in a notation \
      that is not understood; “…” stands in their place.
      """,
      cause: """
        Loggers cut what is long, and print deep values as [Object] or {...}; a line may also be \
        longer than the logger allows. Decimal('1.5') and the like are no values of JSON.
        """,
      remedy: """
        Let it print all: WEBSOCKETS_MAX_LOG_SIZE of websockets, --replayable of chromedriver, a \
        logger of one's own in wampy.js. What was left out is nowhere else.
        """),
    Explanation(
      .logUnread, .warning,
      "A line of a known program says that it has a message, and nothing of it can be read.",
      cause: """
        The logger cut it, another line came in between, or it prints values in a way that is not \
        known. curl with --trace-ascii prints dots in place of bytes.
        """,
      remedy: """
        Read the line itself. What is missing in its session is not judged: this may be it. Let \
        curl print bytes, with --trace.
        """),
    Explanation(
      .logClock, .note,
      "The times of the log lack a time zone, a year or a date, or are not understood.",
      cause: """
        Most loggers print the local clock, and logcat no year; in 05/11/2026 either number may be \
        the month.
        """,
      remedy: """
        Times are shown as if they were UTC, without a year as of 1970, and not at all where the \
        date is not understood. Latencies are right unless the text says that day and month were \
        mistaken; before other files are merged with it, let the logger print all of it.
        """),
    Explanation(
      .logMixed, .warning, or: .note,
      "Two sessions go on at once in a log, and nothing recognised on its lines tells them apart.",
      cause: """
        A program with two connections, whose logger prints messages and no ids of sessions, or \
        prints them in a way that is not known: another HELLO, and then answers to what was asked \
        before it, or ids of requests that begin again.
        """,
      remedy: """
        Let it print the id of the session, or the connection, with each message, as in conn=7. \
        What is missing is not judged in either session.
        """),
    Explanation(
      .logDirection, .warning,
      "Lines of a conversation contradict each other on who sends a message.",
      cause: """
        Words such as “received”, “in” or an arrow stand before a message and mean something else, \
        or client and server write into the same log.
        """,
      remedy: """
        Messages that only one side sends are shown as sent by it. Who sent the others (ABORT, \
        GOODBYE) is what most lines say.
        """),
    Explanation(
      .logSide, .note,
      "No line shows whether the client or the server wrote a log; it is taken for the client's.",
      cause: """
        Lines say that messages were sent and received, not by whom, and either side sends \
        messages of these kinds.
        """,
      remedy: """
        If the server wrote it, read each arrow the other way round: what is shown as a question \
        may be an answer.
        """),
    Explanation(
      .logLoss, .warning,
      "The program that wrote the log says that it dropped a message.",
      cause: "A client reads more slowly than events come; the router does not wait for it.",
      remedy: "Look whether the client of the session that is named blocks while it reads.",
      source: "nexus, router/broker"),
    Explanation(
      .logInvalidUTF8, .warning, or: .note,
      "A message in a log is no UTF-8; “\\xE9” stands for a byte that is none.",
      cause: "The log is written in another encoding, as Windows-1252, or was cut in a character.",
      remedy: """
        Convert it: iconv -f WINDOWS-1252 -t UTF-8 app.log | wamptap. The first message is a \
        warning, others are notes.
        """),
    Explanation(
      .logEncodingChanged, .warning,
      "A log goes on in UTF-16: messages in that part of it are not found.",
      cause: "It was appended to with >> of Windows PowerShell, which writes UTF-16.",
      remedy: """
        Read that part by itself: tail -c +N app.log | wamptap, where N is one more than the byte \
        that is named; and append with Out-File -Append -Encoding utf8.
        """),
    Explanation(
      .logLineTooLong, .warning,
      "A line of the log is longer than any that is read; it is skipped.",
      cause: "A file that is no text of lines, or a message of many megabytes.",
      remedy: "Look for it at the place that is named."),
  ]

  private static let utf16: [Explanation] = [
    Explanation(
      .utf16Invalid, .warning,
      "Text in UTF-16 has half of a character: an odd byte at its end, or a lone surrogate.",
      cause: "A file that was cut, or to which another program added text in another encoding.",
      remedy: "What stands before it is read. Let all that write the file use the same encoding.",
      source: "RFC 2781 §2.2")
  ]

  private static let paste: [Explanation] = [
    Explanation(
      .pasteNotUnderstood, .note,
      "Behind pasted messages stands no JSON array: from there on the text is read as a log.",
      cause: "The prefix of a log, or a message whose beginning was not copied.",
      remedy: "If a message is missing, paste it from its [ to its ].",
      source: "RFC 8259 §5"),
    Explanation(
      .pasteTooLarge, .warning,
      "A pasted message is larger than any that is read; it is skipped.",
      cause: "A bracket or a quote that is never closed.",
      remedy: "Look for it at the place that is named."),
    Explanation(
      .pasteTrailingComma, .warning, or: .note,
      """
      A comma stands before a bracket of a pasted message, where JSON has none; or, which is but a \
      note, behind the last message.
      """,
      cause: """
        The source of a program, or a list of JSON of which an element was copied. If it was sent \
        like this, its receiver may refuse it.
        """,
      remedy: "The message is read without it. Remove the comma at the place that is named.",
      source: "RFC 8259 §5"),
    Explanation(
      .pasteCurlyQuotes, .note,
      "Strings of a pasted message stand in curly quotes; they are read as those of JSON.",
      cause: "A chat, a wiki or a word processor has changed them.",
      remedy: "None is needed. What was sent had straight ones.",
      source: "RFC 8259 §7"),
    Explanation(
      .pasteCut, .note,
      "A pasted text ends inside of a message; “…” stands for what is missing.",
      cause: "It was not copied to its end. A number that ends there may have had more digits.",
      remedy: "Copy the message from its [ to its ]."),
  ]
}
