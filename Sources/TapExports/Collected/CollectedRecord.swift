// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The members of a record of JSON that stands on a line of its own, as programs that collect logs
/// write them: what was logged is one of the members.
struct CollectedRecord {
  /// More than any of them has.
  private static let most = 256

  /// Names without their quotes, and values as they stand there.
  private(set) var members: [(name: Range<Int>, value: Range<Int>)] = []

  /// Nil where the line is anything but one object.
  init?(_ line: RawSpan) {
    var at = 0
    guard Self.take(.openBrace, line, &at) else { return nil }
    if Self.take(.closeBrace, line, &at) { return nil }
    repeat {
      at = line.behindSpace(at)
      guard let name = Self.value(line, &at), line.byte(at: name.lowerBound) == .quote,
        Self.take(.colon, line, &at)
      else { return nil }
      at = line.behindSpace(at)
      guard let value = Self.value(line, &at), members.count < Self.most else { return nil }
      members.append((name.lowerBound + 1..<name.upperBound - 1, value))
    } while Self.take(.comma, line, &at)
    guard Self.take(.closeBrace, line, &at) else { return nil }
    at = line.behindSpace(at)
    if at < line.byteCount { return nil }
  }

  /// All values, as they stand there.
  var values: [Range<Int>] { members.map(\.value) }

  /// A value as it stands there; nil where there is none of this name.
  func value(_ name: StaticString, _ line: RawSpan) -> Range<Int>? {
    members.first { line.extracting($0.name).equals(name) }?.value
  }

  /// Where a string stands, without its quotes.
  func string(_ name: StaticString, _ line: RawSpan) -> Range<Int>? {
    guard let value = value(name, line), line.byte(at: value.lowerBound) == .quote else {
      return nil
    }
    return value.lowerBound + 1..<value.upperBound - 1
  }

  private static func take(_ byte: UInt8, _ line: RawSpan, _ at: inout Int) -> Bool {
    at = line.behindSpace(at)
    guard at < line.byteCount, line.byte(at: at) == byte else { return false }
    at += 1
    return true
  }

  /// Behind the value that begins there; nil when it does not end.
  private static func value(_ line: RawSpan, _ at: inout Int) -> Range<Int>? {
    let start = at
    guard at < line.byteCount else { return nil }
    switch line.byte(at: at) {
    case .quote, .openBrace, .openBracket:
      var skip = JSONSkip()
      skip.begin()
      return skip.pass(line, &at) ? start..<at : nil
    default:
      while at < line.byteCount, isLiteral(line.byte(at: at)) { at += 1 }
      return at > start ? start..<at : nil
    }
  }

  /// Whether a byte may be of a number, or of `true`.
  private static func isLiteral(_ byte: UInt8) -> Bool {
    byte.isAlpha || byte.isDigit || byte == .hyphen || byte == UInt8(ascii: "+") || byte == .period
  }
}
