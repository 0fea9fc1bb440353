// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence
internal import TapTraffic

/// A message of WebSocket on indented lines, as mitmproxy's content views print it: as a dump of
/// sixteen bytes in a row, `0000000000 93 21 01 …   .!.`; of text, as that; of bytes, as one line
/// of text in which what is no printable ASCII has an escape, `\x93!\x01`.
struct LoggedBlock {
  private(set) var octets = Scratch()
  /// The printer has left out lines of the end.
  private(set) var isCut = false

  private static let indent: StaticString = "    "
  /// Digits of an offset, and bytes of a row.
  private static let (digits, row) = (10, 16)

  /// Whether a line is of a block: an empty line of a text is indented, too.
  static func isIndented(_ line: RawSpan) -> Bool { line.starts(with: indent) }

  static func isBlank(_ line: RawSpan) -> Bool {
    (0..<line.byteCount).allSatisfy { line.byte(at: $0).isJSONSpace }
  }

  /// - Parameter lines: those behind the first are read. Nil when they do not say exactly which
  ///   bytes were sent.
  init?(_ lines: RawSpan, _ opcode: Opcode) {
    var start = (lines.firstIndex(of: .lineFeed) ?? lines.byteCount) + 1
    var (rows, texts) = (0, 0)
    while start < lines.byteCount {
      let end = lines.firstIndex(of: .lineFeed, from: start) ?? lines.byteCount
      let line = lines.extracting(start..<end)
      start = end + 1
      guard Self.isIndented(line) else { continue }
      let text = line.dropping(Self.indent.utf8CodeUnitCount)
      if isCut { return nil }
      if text.starts(with: "(cut off)") {
        isCut = true
      } else if texts == 0, readRow(text) {
        rows += 1
      } else if rows == 0 {
        if !read(text, opcode, isFirst: texts == 0) { return nil }
        texts += 1
      } else {
        return nil
      }
    }
    if octets.isEmpty || opcode == .text && isCut { return nil }
    if opcode == .text && texts > 0 && !endText(texts) { return nil }
  }

  /// A line of text; answers whether it says which bytes were sent.
  private mutating func read(_ text: RawSpan, _ opcode: Opcode, isFirst: Bool) -> Bool {
    if opcode == .text {
      if !isFirst { octets.append(.lineFeed) }
      octets.append(text)
      return true
    }
    // On several lines, which bytes broke it is not known; nor is it where a dot may stand for any
    // control, as mitmproxy 11 prints them. Those before escaped controls.
    let hasControls = text.contains("\\x0") || text.contains("\\x1")
    return isFirst && (hasControls || text.firstIndex(of: .period) == nil)
      && Escape.unescape(text, 0, until: 0, isBytes: true, into: &octets) == text.byteCount
  }

  /// All lines of a text have come; answers whether they say what was sent. Which bytes broke its
  /// lines is not known, and does not matter in JSON.
  private mutating func endText(_ lines: Int) -> Bool {
    if lines == 1 {
      separateRecords()
      return true
    }
    if let frame = Self.frame(octets.bytes.copied()) {
      octets = frame
      return true
    }
    let text = octets.bytes
    let isJSON = text.byte(at: 0) == .openBrace || text.byte(at: 0) == .openBracket
    return isJSON && ListEnd.json(text, 0) == text.byteCount
  }

  /// A frame of text (STOMP), which begins with a command in capitals, with the NUL at its end that
  /// was printed as a dot; nil for anything else. Each line was printed with a CR.
  private static func frame(_ text: [UInt8]) -> Scratch? {
    let command = text.prefix { $0 &- 0x41 < 26 }
    guard (3...16).contains(command.count), text.count > command.count,
      [.carriageReturn, .lineFeed].contains(text[command.count]),
      let end = text.lastIndex(where: { $0 != .carriageReturn && $0 != .lineFeed }),
      text[end] == .period
    else { return nil }
    var frame = Scratch()
    for at in 0..<end where text[at] != .carriageReturn || text[at + 1] != .lineFeed {
      frame.append(text[at])
    }
    frame.append(0 as UInt8)
    return frame
  }

  /// Puts back what ends each record of JSON, U+001E: it was printed as a dot.
  private mutating func separateRecords() {
    var records = Scratch()
    var at = 0
    while at < octets.count, octets.bytes.byte(at: at) == .openBrace,
      let end = ListEnd.json(octets.bytes, at), end < octets.count,
      octets.bytes.byte(at: end) == .period
    {
      records.append(octets.bytes.extracting(at..<end))
      records.append(0x1E)
      at = end + 1
    }
    if at == octets.count { octets = records }
  }

  /// A row of a dump that goes on where the last one ended.
  private mutating func readRow(_ text: RawSpan) -> Bool {
    guard octets.count % Self.row == 0, text.byteCount > Self.digits + 2,
      text.byte(at: Self.digits) == .space,
      text.hexNumber(at: 0, digits: Self.digits) == octets.count
    else { return false }
    let before = octets.count
    for index in 0..<Self.row {
      let at = Self.digits + 1 + index * 3
      guard let octet = text.hexOctet(at: at), text.byte(at: at - 1) == .space else { break }
      octets.append(octet)
    }
    return octets.count > before
  }
}
