// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// JSON for people: what fits on a line stays on it, what does not is opened up, one member a line.
/// Numbers and strings stay as they were sent.
struct JSONBlock {
  /// Columns of a line.
  let width: Int
  /// The text is known to be JSON; otherwise bytes that are no UTF-8 may be in it.
  let isJSON: Bool
  /// It is printable ASCII without white space between its tokens, and all is shown as it was sent.
  var isPlain = false
  /// Strings of U+0000 and base64 are binary values.
  var hasBinaries = false

  /// No deeper than this are lines indented, so that the text cannot grow without a bound.
  private static let deepest = 16

  /// Columns that a value has behind others on a line.
  func room(behind columns: Int) -> Int { max(width - columns - 1, 16) }

  /// The whole value on one line, with a space behind commas and colons.
  ///
  /// - Returns: columns of a list or an object, each character as it was sent counted as one, and 0
  ///   of anything else. Nil where these are more than `limit`: nothing is appended.
  func appendFlat(_ bytes: RawSpan, limit: Int, to text: inout TextBuffer) -> Int? {
    var at = bytes.behindSpace(0)
    guard at < bytes.byteCount else { return 0 }
    guard Self.isOpening(bytes.byte(at: at)) else {
      appendScalar(bytes, &at, to: &text)
      return 0
    }
    if isPlain && bytes.byteCount > limit { return nil }
    return appendContainer(bytes, &at, limit: limit, to: &text)
  }

  /// The same of the list or the object that begins at an offset.
  private func appendContainer(
    _ bytes: RawSpan, _ at: inout Int, limit: Int, to text: inout TextBuffer
  ) -> Int? {
    let (begin, start) = (text.count, at)
    // No character takes more than four bytes: a run that is longer has too many columns.
    let most = 4 &* limit
    var (columns, depth) = (0, 0)
    // All before this offset is appended.
    var clean = at
    repeat {
      switch bytes.byte(at: at) {
      case .quote:
        let reach = bytes.extracting(0..<min(bytes.byteCount, at &+ most &+ 8))
        let end = reach.endOfString(at)
        if hasBinaries, let value = BinaryValue(bytes.extracting(at..<end), 0) {
          columns &+= append(bytes.extracting(clean..<at), to: &text)
          columns &+= bytes.extracting(at..<end).characterCount
          value.append(to: &text)
          clean = end
        }
        at = end
      case .comma, .colon:
        at &+= 1
        columns &+= append(bytes.extracting(clean..<at), to: &text) &+ 1
        text.append(byte: .space)
        clean = at
      case .openBracket, .openBrace:
        depth &+= 1
        at &+= 1
      case .closeBracket, .closeBrace:
        depth &-= 1
        at &+= 1
      case .space, .tab, .lineFeed, .carriageReturn:
        columns &+= append(bytes.extracting(clean..<at), to: &text)
        at = bytes.behindSpace(at)
        clean = at
      default: at &+= 1
      }
    } while depth > 0 && at < bytes.byteCount && columns <= limit && at &- clean <= most
    columns &+= append(bytes.extracting(clean..<at), to: &text)
    if columns <= limit && (depth == 0 || at == bytes.byteCount) { return columns }
    text.truncate(begin)
    at = start
    return nil
  }

  /// The value on lines of its own, the first one too, each ended.
  func appendLines(_ bytes: RawSpan, indent: Int, to text: inout TextBuffer) {
    text.append(spaces: indent)
    if appendFlat(bytes, limit: room(behind: indent), to: &text) == nil {
      open(bytes, indent: indent, to: &text)
    }
    text.append("\n")
  }

  /// A list or an object, one member a line; the indent of its first line is written.
  private func open(_ bytes: RawSpan, indent: Int, to text: inout TextBuffer) {
    var line = text.count - indent
    var depth = 0
    /// Whether the value before was short: such values of a list share a line.
    var wasScalar = false
    var isBehindColon = false
    var at = 0
    func breakLine(_ text: inout TextBuffer) {
      text.append("\n")
      line = text.count
      text.append(spaces: indent + 2 * min(depth, Self.deepest))
    }
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      switch byte {
      case .space, .tab, .lineFeed, .carriageReturn: at += 1
      case .openBracket, .openBrace:
        (wasScalar, isBehindColon) = (false, false)
        let room = room(behind: text.bytes.columns(from: line))
        if depth == 0 || appendContainer(bytes, &at, limit: room, to: &text) == nil {
          text.append(byte: byte)
          at += 1
          depth += 1
          breakLine(&text)
        }
      case .closeBracket, .closeBrace:
        depth = max(depth - 1, 0)
        breakLine(&text)
        text.append(byte: byte)
        at += 1
        wasScalar = false
      case .comma:
        text.append(byte: byte)
        at += 1
        if wasScalar, let size = scalar(bytes, behind: at),
          text.bytes.columns(from: line) + size + 2 <= width
        {
          text.append(byte: .space)
        } else {
          breakLine(&text)
        }
      case .colon:
        text.append(": ")
        at += 1
        isBehindColon = true
      default:
        appendScalar(bytes, &at, to: &text)
        (wasScalar, isBehindColon) = (!isBehindColon, false)
      }
    }
  }

  /// Columns of the string, number or literal that comes next; nil when none does, or a
  /// long one.
  private func scalar(_ bytes: RawSpan, behind start: Int) -> Int? {
    var at = bytes.behindSpace(start)
    guard at < bytes.byteCount else { return nil }
    let first = bytes.byte(at: at)
    if Self.isOpening(first) { return nil }
    let begin = at
    if first == .quote {
      at += 1
      while at < bytes.byteCount, bytes.byte(at: at) != .quote {
        if at - begin > width { return nil }
        at += bytes.byte(at: at) == .backslash ? 2 : 1
      }
      at += 1
    } else {
      while at < bytes.byteCount, !Self.isEnd(bytes.byte(at: at)) {
        if at - begin > width { return nil }
        at += 1
      }
    }
    return at - begin
  }

  /// One string, number or literal.
  private func appendScalar(_ bytes: RawSpan, _ at: inout Int, to text: inout TextBuffer) {
    let start = at
    if bytes.byte(at: at) == .quote {
      at = bytes.endOfString(at)
      if hasBinaries, let value = BinaryValue(bytes.extracting(start..<at), 0) {
        return value.append(to: &text)
      }
    } else {
      while at < bytes.byteCount, !Self.isEnd(bytes.byte(at: at)) { at += 1 }
    }
    append(bytes.extracting(start..<at), to: &text)
  }

  /// Appends a part that needs no space and has no binary value; returns how many characters it
  /// has.
  @discardableResult
  private func append(_ part: RawSpan, to text: inout TextBuffer) -> Int {
    if isPlain {
      text.append(part)
      return part.byteCount
    }
    if isJSON {
      text.append(escapingJSON: part)
    } else {
      text.append(escaping: part)
    }
    return part.characterCount
  }

  private static func isOpening(_ byte: UInt8) -> Bool {
    byte == .openBracket || byte == .openBrace
  }

  /// Whether a byte ends a number or a literal.
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte.isJSONSpace || byte == .comma || byte == .colon || byte == .quote || byte == .openBracket
      || byte == .closeBracket
      || byte == .openBrace || byte == .closeBrace
  }
}
