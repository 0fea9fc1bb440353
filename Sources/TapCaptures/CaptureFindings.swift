// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Explained in ``CaptureFindings``.
extension Finding.Code {
  public static let captureDropped: Finding.Code = "capture.dropped"
  static let timeBackwards: Finding.Code = "capture.time-backwards"
  static let gzipDamaged: Finding.Code = "gzip.damaged"
  static let gzipTruncated: Finding.Code = "gzip.truncated"
  static let gzipUnknownContent: Finding.Code = "gzip.unknown-content"
  static let pcapDamaged: Finding.Code = "pcap.damaged"
  static let pcapTruncated: Finding.Code = "pcap.truncated"
  static let pcapVersion: Finding.Code = "pcap.version"
  static let pcapngDamaged: Finding.Code = "pcapng.damaged"
  static let pcapngTruncated: Finding.Code = "pcapng.truncated"
  static let pcapngUnknownInterface: Finding.Code = "pcapng.unknown-interface"
  static let pcapngTooLarge: Finding.Code = "pcapng.too-large"
  static let pcapngVersion: Finding.Code = "pcapng.version"
}

/// Explanations of findings about capture files.
public enum CaptureFindings {
  public static let all: [Explanation] = capture + pcap + pcapng + gzip

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
      .pcapTruncated, .warning, isLoss: true,
      "The file ends inside its header or inside a packet.",
      cause: """
        The capturing program is still writing or was killed, the disk was full, or the copy is \
        incomplete.
        """,
      remedy: "Nothing before the end is lost. Stop the capture with Control-C, and copy again.",
      source: "draft-ietf-opsawg-pcap §5"),
    Explanation(
      .pcapDamaged, .warning, isLoss: true,
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
      .pcapngDamaged, .warning, isLoss: true,
      "A block contradicts itself: too short, two lengths that differ, or no byte order.",
      cause: "A file transferred in text mode or overwritten, or a writer that was killed.",
      remedy: "Decoding goes on if a block follows, otherwise it stops there. Transfer it again.",
      source: "draft-ietf-opsawg-pcapng §3.1"),
    Explanation(
      .pcapngTruncated, .warning, isLoss: true,
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
      .gzipDamaged, .warning, isLoss: true,
      "The gzip file is no deflate stream at some point, or its checksum is wrong.",
      cause: "Damage in transfer, or something else appended to the file.",
      remedy: "What stands before it is decoded. Transfer the file again, in binary mode.",
      source: "RFC 1952 §2.3.1"),
    Explanation(
      .gzipTruncated, .warning, isLoss: true,
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
}
