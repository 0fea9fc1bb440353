// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What may be wrong with the evidence itself, explained.
public enum InputFindings {
  public static let all: [Explanation] = pcap + pcapng + gzip + paste + dump

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
      "A record header claims more octets than a packet can have, or is blank.",
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
      "A packet block is larger than any that is read; it is skipped.",
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

  private static let paste: [Explanation] = [
    Explanation(
      .pasteNotUnderstood, .warning,
      "Between pasted messages stands something that is no JSON array.",
      cause: "The prefix of a log, or a message whose beginning was not copied.",
      remedy: "Paste the message from its [ to its ].",
      source: "RFC 8259 §5"),
    Explanation(
      .pasteTooLarge, .warning,
      "A pasted message is larger than any that is read; it is skipped.",
      cause: "A bracket or a quote that is never closed.",
      remedy: "Look for it at the place that is named."),
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
  ]
}
