// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence

/// Bytes as programs print them: `b'\x81\x0e…'`, `"…"` with escapes, `810e5b33`, `81 0e`,
/// `81-0E`, or base64.
struct LoggedOctets {
  private(set) var bytes = Scratch()
  /// The offset behind them.
  private(set) var end: Int
  /// They are printed as hexadecimal digits.
  private(set) var isHexadecimal = false

  /// Nil when none begin at `start`.
  ///
  /// - Parameter isText: what is in no quotes stands for itself, to the end of the line.
  init?(_ line: RawSpan, _ start: Int, isText: Bool = false) {
    end = start
    guard start < line.byteCount else { return nil }
    if LiteralString.begins(line, start) {
      let isLetter = line.byte(at: start).isAlpha
      let quote = start + (isLetter ? 1 : 0)
      guard
        let end = Escape.unescape(
          line, quote + 1, until: line.byte(at: quote), isBytes: true, into: &bytes)
      else { return nil }
      self.end = end
    } else if isText {
      end = line.beforeSpace(line.byteCount, from: start)
      bytes.append(line.extracting(start..<end))
    } else if !readHex(line) && !readBase64(line, start) {
      return nil
    }
  }

  /// What there is of a string that goes on behind the end of its line; nil where none begins, or
  /// its escapes are not understood.
  static func beginning(_ line: RawSpan, _ start: Int) -> Scratch? {
    guard LiteralString.begins(line, start) else { return nil }
    var bytes = Scratch()
    let first = start + (line.byte(at: start).isAlpha ? 2 : 1)
    let end = Escape.unescape(line, first, until: 0, isBytes: true, into: &bytes)
    return end == nil ? nil : bytes
  }

  /// Pairs of hexadecimal digits, together or apart; where dots stand among them, those before the
  /// dots.
  private mutating func readHex(_ line: RawSpan) -> Bool {
    var at = end
    while let octet = line.hexOctet(at: at) {
      bytes.append(octet)
      at += 2
      end = at
      guard at < line.byteCount else { break }
      if [.space, .hyphen, .colon].contains(line.byte(at: at)) { at += 1 }
    }
    let isWhole = end == line.byteCount || !line.byte(at: end).isOfIdentifier
    if !isWhole { bytes.removeAll() }
    isHexadecimal = isWhole && !bytes.isEmpty
    return isHexadecimal
  }

  private mutating func readBase64(_ line: RawSpan, _ start: Int) -> Bool {
    bytes.removeAll()
    end = start
    while end < line.byteCount, line.byte(at: end) > 0x20 { end += 1 }
    return end > start && Base64.decode(line.extracting(start..<end), into: &bytes) == nil
      && !bytes.isEmpty
  }

  /// Decodes bytes that are hexadecimal digits themselves.
  mutating func openHex() {
    guard let octets = bytes.bytes.hexOctets() else { return }
    bytes.removeAll()
    bytes.append(octets.span.bytes)
  }

  /// Bytes of a stream behind a mark, and where they stand; nil when there are none.
  ///
  /// - Parameter isLayer: the format prints bytes in a layer of its own; others print messages
  ///   behind the same words, so that the bytes have to look like a stream.
  static func find(_ line: RawSpan, _ start: Int, isLayer: Bool) -> (octets: Scratch, at: Int)? {
    // Behind words, or behind their number and in quotes.
    let words = LogMarks.last("octets = ", in: line).map { $0 + 9 }
    guard let at = words ?? line.firstIndex(of: .quote, from: start),
      var octets = LoggedOctets(line, at)
    else { return nil }
    // Hexadecimal may stand in quotes itself.
    if words != nil && LiteralString.begins(line, at) { octets.openHex() }
    return isLayer || isStream(octets.bytes.bytes) ? (octets.bytes, at) : nil
  }

  /// Whether the octets of a line, in hexadecimal, begin a head of HTTP: `GET ` or `HTTP`.
  static func isHead(_ line: RawSpan) -> Bool {
    guard let words = LogMarks.last("octets = ", in: line) else { return false }
    let octets = line.dropping(line.behind(words + 9) { PrintedString.isQuote($0) })
    return octets.starts(with: "47455420") || octets.starts(with: "48545450")
  }

  /// Whether they are frames of WebSocket, one behind the other to the end, or a head of HTTP.
  static func isStream(_ bytes: RawSpan) -> Bool {
    if bytes.starts(with: "GET ") || bytes.starts(with: "HTTP/1.1 ") { return true }
    var at = 0
    while at < bytes.byteCount {
      guard let frame = FrameOutline(bytes, at: at), frame.isPlausible else { return false }
      at += frame.size + frame.length
    }
    return at == bytes.byteCount
  }
}
