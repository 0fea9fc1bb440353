// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What may be wrong with the evidence itself, explained.
public enum InputFindings {
  public static let all: [Explanation] =
    capture + pcap + pcapng + gzip + utf16 + paste + dump + export + log

  private static let capture: [Explanation] = [
    Explanation(
      .captureDropped, .warning,
      "Packets were dropped while they were captured: there was no room for them.",
      cause: """
        More traffic than the machine can take at that moment; or, where it was dropped by wamptap \
        itself, an output that takes too long: a terminal that was stopped, a slow disk or pipe. A \
        pcapng file keeps the count of the program that wrote it.
        """,
      remedy: """
        Narrow the capture by a filter (wamptap -i eth0 port 8080), give the kernel a larger \
        buffer (-B 65536), write to a file (-O), or keep the packets with -w and read them later.
        """,
      source: "draft-ietf-opsawg-pcapng §4.3, §4.6")
  ]

  private static let pcap: [Explanation] = [
    Explanation(
      .timeBackwards, .warning, or: .note,
      "Packets of a file are earlier than the packet before them; the order of the file is kept.",
      cause: """
        Packets of several interfaces or processors, written as they came; a clock that was set \
        while capturing; or files joined without sorting.
        """,
      remedy: """
        Small steps do no harm. After a large one, trust the order and not the times; reordercap \
        and mergecap sort files that were joined.
        """),
    Explanation(
      .pcapTruncated, .warning,
      "The file ends inside its header or inside a packet.",
      cause: """
        The capturing program is still writing or was killed, the disk was full, or the copy is \
        incomplete.
        """,
      remedy: "Nothing before the end is lost. Stop the capture with Control-C, and copy again.",
      source: "draft-ietf-opsawg-pcap §5"),
    Explanation(
      .pcapDamaged, .warning,
      "A record header claims more bytes than a packet can have, or is blank.",
      cause: """
        A file transferred in text mode, two files written over each other, or a preallocated file \
        whose writer was killed.
        """,
      remedy: "What stands before it is decoded. Transfer the file again, in binary mode.",
      source: "draft-ietf-opsawg-pcap §5"),
    Explanation(
      .pcapVersion, .note,
      "The header names a version of the pcap format other than 2.x; it is read as 2.4.",
      cause: "A damaged header, or a tool of the last century.",
      remedy: "If the messages look right, nothing. Otherwise convert the file (editcap).",
      source: "draft-ietf-opsawg-pcap §4"),
  ]

  private static let pcapng: [Explanation] = [
    Explanation(
      .pcapngDamaged, .warning,
      "A block contradicts itself: too short, two lengths that differ, or no byte order.",
      cause: "A file transferred in text mode or overwritten, or a writer that was killed.",
      remedy: "Decoding goes on if a block follows, otherwise it stops there. Transfer it again.",
      source: "draft-ietf-opsawg-pcapng §3.1"),
    Explanation(
      .pcapngTruncated, .warning,
      "The file ends inside a block.",
      cause: """
        The capturing program is still writing or was killed, the disk was full, or the copy is \
        incomplete.
        """,
      remedy: "Nothing before the end is lost. Stop the capture properly, and copy again.",
      source: "draft-ietf-opsawg-pcapng §3.1"),
    Explanation(
      .pcapngUnknownInterface, .warning,
      "Packets name an interface that their section does not describe; they are skipped.",
      cause: "Files cut or joined by a tool that does not know pcapng.",
      remedy: "Join captures with mergecap and cut them with editcap.",
      source: "draft-ietf-opsawg-pcapng §4.3"),
    Explanation(
      .pcapngTooLarge, .warning,
      "A block of a packet or of secrets is larger than any that is read; it is skipped.",
      cause: "Damage that happens to keep the form.",
      remedy: "Transfer the file again. Packets that large do not occur in captures of networks."),
    Explanation(
      .pcapngVersion, .note,
      "A section says it is of a major version other than 1; it is read as 1.0.",
      cause: "A writer newer than this program, or damage.",
      remedy: "If the messages look right, nothing. Otherwise convert the file (editcap).",
      source: "draft-ietf-opsawg-pcapng §4.1"),
  ]

  private static let gzip: [Explanation] = [
    Explanation(
      .gzipDamaged, .warning,
      "The gzip file is no deflate stream at some point, or its checksum is wrong.",
      cause: "Damage in transfer, or something else appended to the file.",
      remedy: "What stands before it is decoded. Transfer the file again, in binary mode.",
      source: "RFC 1952 §2.3.1"),
    Explanation(
      .gzipTruncated, .warning,
      "The gzip file ends before its trailer.",
      cause: "An incomplete copy, or the compressing program is still writing.",
      remedy: "Nothing before the end is lost. Wait for the writer, and copy again.",
      source: "RFC 1952 §2.3"),
    Explanation(
      .gzipUnknownContent, .error,
      "Nothing that is read here is inside the gzip file.",
      cause: "The wrong file: a tar archive, a compressed binary, or gzip in gzip in gzip.",
      remedy: "See what it is (gunzip -c FILE | file -), and unpack it."),
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

  private static let export: [Explanation] = [
    Explanation(
      .exportDamaged, .warning,
      "An export stops making sense; what follows is not read.",
      cause: "Damage in transfer, or a file that was edited by hand.",
      remedy: "What stands before it is decoded. Export it again."),
    Explanation(
      .exportTruncated, .warning, or: .note,
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
      .exportBadMessage, .warning,
      "A message of an export lacks what is needed to read it, or says something impossible.",
      cause: "A file that was edited, or a version of its writer that is not known here.",
      remedy: "It is left out, and nothing is said to be missing behind it. Look at its offset."),
    Explanation(
      .exportMessageTooLarge, .warning,
      "A message of an export is larger than any that is read; it is left out.",
      cause: "A file sent as one message.",
      remedy: "See who sends it."),
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
      .netlogNoBytes, .warning,
      "A NetLog has the headers of WebSocket frames, but not what they say.",
      cause: "It was taken without raw bytes, as is the default.",
      remedy: """
        Start Chromium with --log-net-log=FILE --net-log-capture-mode=Everything, or choose \
        “Include raw bytes” on chrome://net-export. Such a log has passwords and cookies in it.
        """),
    Explanation(
      .ndjsonMissing, .note,
      "The numbers of the messages of an NDJSON have gaps.",
      cause: "Lines were filtered out, by grep or jq.",
      remedy: "What was asked may have been answered in them. Read the NDJSON whole."),
    Explanation(
      .ndjsonEvicted, .warning,
      "An NDJSON has more connections open at once than can be kept apart; the oldest were ended.",
      cause: "The lines that close connections were filtered out, by grep or jq.",
      remedy: "What they say later is shown as a connection whose beginning is missing."),
    Explanation(
      .ndjsonUnrepeated, .warning,
      "The run that wrote an NDJSON found something in its evidence that an NDJSON does not show.",
      cause: "A capture that was cut, TLS without secrets, sessions of a log that were mixed.",
      remedy: "Read them in the NDJSON, by their codes, or read the evidence itself."),
    Explanation(
      .ndjsonLost, .warning,
      "The evidence of the run that wrote an NDJSON had holes.",
      cause: "As the findings in it say, which are not told again.",
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

  private static let dump: [Explanation] = [
    Explanation(
      .dumpBadDigit, .warning,
      "A character stands where a digit of a dump should, or a number is too large for a byte.",
      cause: "A dump that was retyped, or wrapped by a mail program.",
      remedy: "Copy it once more, from the program that made it."),
    Explanation(
      .dumpOddDigits, .warning,
      "A byte of a dump has one digit, or a row of digits is odd.",
      cause: "The ends were not copied.",
      remedy: "Copy the whole line; what stands before is decoded."),
    Explanation(
      .dumpOffset, .warning,
      "The offset at the beginning of a line is not where the last line ended.",
      cause: "A line that was not copied, or was copied twice.",
      remedy: "What is missing is taken for lost. Copy the dump once more."),
    Explanation(
      .dumpWrongLength, .warning,
      "The text says how many bytes follow, and others do.",
      cause: "It was not copied whole.",
      remedy: "What is there is decoded. Copy the whole of it."),
    Explanation(
      .dumpNotUnderstood, .warning,
      "Something between the bytes of a dump is none of its notation.",
      cause: "A prompt or a remark that was copied, too.",
      remedy: "Remove it, or paste the bytes alone."),
    Explanation(
      .dumpClock, .note,
      "The dump has the time of the day without a date or a time zone.",
      cause: "It is what tcpdump prints unless it is asked otherwise.",
      remedy: "Times are shown as if they were of UTC. Let tcpdump -tttt print the date."),
    Explanation(
      .dumpDots, .warning,
      "The dump shows bytes that are no ASCII as dots, so most of the traffic cannot be read.",
      cause: "It is what tcpdump -A and followed streams in ASCII print.",
      remedy: "Let tcpdump write the packets (-w FILE), or print them in digits (-X)."),
    Explanation(
      .dumpUnread, .warning,
      "Octets of a connection stand as dots in the dump, and are no part of what is shown.",
      cause: "Clients of WebSocket mask what they send; other bytes are compressed or binary.",
      remedy: "Capture with -w FILE, and read that."),
    Explanation(
      .dumpOctetsUnknown, .note,
      "Octets of this message are dots in the dump, and stand as “·”.",
      cause: "Characters of other scripts take two bytes and more, all of which are dots.",
      remedy: "Capture with -w FILE. A single dot is shown as it is: nothing else is valid there."),
  ]
}
