// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// A line between the bytes that says something of those that follow.
enum DumpHead: Equatable {
  /// The first line of a packet as tcpdump and tshark print it.
  case packet(Instant, precision: UInt8, Certainty)
  /// `Frame (96 bytes):`, before the packet itself.
  case frame(bytes: Int)
  /// `Unmasked data (24 bytes):`, before bytes that Wireshark made of the packet.
  case derived
  /// `*`: lines like the last one were left out.
  case repeated
  /// Of a followed stream, whose second side is indented.
  case follow
  case blank

  enum Certainty {
    case certain, noZone, noDate
    /// Seconds since the first packet, or since the one before it (`tshark -t d`).
    case sinceFirst
  }

  /// Nil for any other line.
  init?(_ line: [UInt8]) {
    let text = Array(line.drop(while: \.isJSONSpace))
    if text.isEmpty {
      self = .blank
    } else if text == [0x2A] {
      self = .repeated
    } else if text.starts(with: "Follow: ".utf8) {
      self = .follow
    } else if let section = Self.section(text) {
      self = section
    } else if let head = Self.packet(line), !Self.isOfCurl(text) {
      self = head
    } else {
      return nil
    }
  }

  /// `Frame (96 bytes):` and its like.
  private static func section(_ line: [UInt8]) -> DumpHead? {
    let end = Array(" bytes):".utf8), single = Array(" byte):".utf8)
    guard line.count < 200, let open = line.lastIndex(of: UInt8(ascii: "(")), open > 0 else {
      return nil
    }
    let inner = line[(open + 1)...]
    let digits = inner.prefix { $0 & 0xF0 == 0x30 && $0 < 0x3A }
    let rest = inner.dropFirst(digits.count)
    guard !digits.isEmpty, digits.count < 9, rest.elementsEqual(end) || rest.elementsEqual(single)
    else { return nil }
    let bytes = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    return line[..<open].elementsEqual("Frame ".utf8) ? .frame(bytes: bytes) : .derived
  }

  /// Whether arrows stand behind the time: curl with `--trace-time`, whose dumps are of streams.
  private static func isOfCurl(_ line: [UInt8]) -> Bool {
    guard let blank = line.firstIndex(of: .space) else { return false }
    let words = line[(blank + 1)...]
    return ["== ", "=> ", "<= "].contains { words.starts(with: $0.utf8) }
  }

  /// The time at the beginning of a packet's line, behind the number that tshark writes. Without
  /// one, a leading blank marks tcpdump's differences (`-ttt`), which say nothing of the time.
  private static func packet(_ line: [UInt8]) -> DumpHead? {
    var numbered = DigitReader(line.span.bytes)
    let indent = skipBlanks(&numbered)
    if numbered.number(most: 10) != nil, skipBlanks(&numbered) > 0 {
      return time(&numbered, isNumbered: true)
    }
    if indent > 0 { return nil }
    var reader = DigitReader(line.span.bytes)
    return time(&reader, isNumbered: false)
  }

  /// Seconds since 1970, a clock, or a date and a clock; behind a number also seconds since the
  /// first packet.
  private static func time(_ reader: inout DigitReader, isNumbered: Bool) -> DumpHead? {
    guard let (first, _) = reader.number(most: 10) else { return nil }
    if reader.take(.colon) { return clock(first, days: 0, .noDate, &reader) }
    if reader.take(.hyphen) {
      guard let (month, _) = reader.number(most: 10), reader.take(.hyphen),
        let (day, _) = reader.number(most: 10),
        (1...12).contains(month), (1...31).contains(day), (1970...2115).contains(first),
        skipBlanks(&reader) == 1, let (hour, _) = reader.number(most: 10), reader.take(.colon)
      else { return nil }
      let date = CivilDate(year: Int64(first), month: Int64(month), day: Int64(day))
      return clock(hour, days: Int(date.days), .noZone, &reader)
    }
    guard first < 1 << 32 else { return nil }
    if first > 99_999_999 { return packet(first, .certain, &reader) }
    return isNumbered ? packet(first, .sinceFirst, &reader) : nil
  }

  /// `46:15.455306 ` behind the hour.
  private static func clock(
    _ hour: Int, days: Int, _ certainty: Certainty, _ reader: inout DigitReader
  ) -> DumpHead? {
    guard hour < 24, let (minute, _) = reader.number(most: 10), minute < 60, reader.take(.colon),
      let (second, _) = reader.number(most: 10), second < 61
    else { return nil }
    return packet(((days * 24 + hour) * 60 + minute) * 60 + second, certainty, &reader)
  }

  /// `.455306 ` behind the seconds.
  private static func packet(
    _ seconds: Int, _ certainty: Certainty, _ reader: inout DigitReader
  ) -> DumpHead? {
    guard reader.peek == .period else { return nil }
    let (fraction, digits) = reader.fraction()
    guard digits > 0, skipBlanks(&reader) > 0 else { return nil }
    let time = Instant(nanoseconds: Int64(seconds) * 1_000_000_000 + fraction)
    return .packet(time, precision: digits, certainty)
  }

  private static func skipBlanks(_ reader: inout DigitReader) -> Int {
    let start = reader.at
    while reader.take(.space) {}
    return reader.at - start
  }
}
