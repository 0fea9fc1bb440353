// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence

/// Bytes on indented lines, as mitmproxy's content views print them: dumps of sixteen in a row,
/// `0000000000 93 21 01 …   .!.`, or one line of text in which what is no printable ASCII has an
/// escape, `\x93!\x01`.
struct LoggedBlock {
  private(set) var octets = Scratch()
  /// The printer has left out lines of the end.
  private(set) var isCut = false

  private static let indent: StaticString = "    "
  /// Digits of an offset, and bytes of a row.
  private static let (digits, row) = (10, 16)

  static func isIndented(_ line: RawSpan) -> Bool {
    line.starts(with: indent) && !isBlank(line)
  }

  static func isBlank(_ line: RawSpan) -> Bool {
    (0..<line.byteCount).allSatisfy { line.byte(at: $0).isJSONSpace }
  }

  /// - Parameter lines: those behind the first are read. Nil when they are no bytes, or do not say
  ///   exactly which.
  init?(_ lines: RawSpan) {
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
      } else if rows > 0 || texts > 0 {
        // Text on several lines: which bytes broke it is not known.
        return nil
      } else {
        texts += 1
        guard
          Escape.unescape(text, 0, until: 0, isBytes: true, into: &octets)
            == text.byteCount
        else { return nil }
      }
    }
    if octets.isEmpty { return nil }
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
