// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension Finding.Code {
  static let dumpBadDigit: Finding.Code = "dump.bad-digit"
  static let dumpOddDigits: Finding.Code = "dump.odd-digits"
  static let dumpOffset: Finding.Code = "dump.offset"
  static let dumpWrongLength: Finding.Code = "dump.wrong-length"
  static let dumpNotUnderstood: Finding.Code = "dump.not-understood"
  static let dumpClock: Finding.Code = "dump.clock"
  static let dumpDots: Finding.Code = "dump.dots"
  static let dumpUnread: Finding.Code = "dump.unread"
  static let dumpBytesUnknown: Finding.Code = "dump.bytes-unknown"
}

/// What may be wrong with dumps, explained.
public enum DumpFindings {
  public static let all: [Explanation] = dump

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
      .dumpClock, .note, or: .warning,
      "The dump has times without a date or a time zone, or only the time since the packet before.",
      cause: "It is what tcpdump prints unless it is asked otherwise; or tshark -t d.",
      remedy: """
        Times are shown as if they were of UTC; differences are left out as soon as they are \
        recognised. Let tcpdump -tttt or tshark -t ud print the date.
        """),
    Explanation(
      .dumpDots, .warning,
      "The dump shows bytes that are no ASCII as dots, so most of the traffic cannot be read.",
      cause: "It is what tcpdump -A and followed streams in ASCII print.",
      remedy: "Let tcpdump write the packets (-w FILE), or print them in digits (-X)."),
    Explanation(
      .dumpUnread, .warning,
      "Bytes of a connection stand as dots in the dump, and are no part of what is shown.",
      cause: "Clients of WebSocket mask what they send; other bytes are compressed or binary.",
      remedy: "Capture with -w FILE, and read that."),
    Explanation(
      .dumpBytesUnknown, .note,
      "Bytes of this message are dots in the dump, and stand as “·”.",
      cause: "Characters of other scripts take two bytes and more, all of which are dots.",
      remedy: "Capture with -w FILE. A single dot is shown as it is: nothing else is valid there."),
  ]
}
