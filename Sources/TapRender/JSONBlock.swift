// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// JSON for people: what fits on a line stays on it, what does not is opened up, one member a line.
/// One pass over the text; numbers and strings stay as they were sent.
struct JSONBlock {
  /// Columns of a line.
  let width: Int
  /// The text is known to be JSON; otherwise bytes that are no UTF-8 may be in it.
  let isJSON: Bool
  /// Strings of U+0000 and base64 are binary values.
  var hasBinaries = false

  /// No deeper than this are lines indented, so that the text cannot grow without a bound.
  private static let deepest = 16

  /// The whole value on one line, with a space behind commas and colons.
  func appendFlat(_ bytes: RawSpan, to text: inout TextBuffer) {
    var at = 0
    while at < bytes.byteCount { appendToken(bytes, &at, to: &text) }
  }

  /// Columns of the value on one line; nil when these are more than `limit`.
  static func flatColumns(_ bytes: RawSpan, from start: Int = 0, limit: Int) -> Int? {
    var columns = 0
    var depth = 0
    var at = start
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      switch byte {
      // Of numbers and words; most bytes.
      case 0x2D...0x39, 0x61...0x7A: columns += 1
      case 0x20, 0x09, 0x0A, 0x0D: break
      case 0x2C, 0x3A: columns += 2
      case 0x5B, 0x7B:
        columns += 1
        depth += 1
      case 0x5D, 0x7D:
        columns += 1
        depth -= 1
        if depth == 0 { return columns > limit ? nil : columns }
      case 0x22:
        // No character takes more than four bytes: what ends behind these has too many columns.
        let reach = min(bytes.byteCount, at + 4 * limit + 8)
        let end = bytes.extracting(0..<reach).endOfString(at)
        if end == reach && reach < bytes.byteCount { return nil }
        columns += bytes.extracting(at..<end).characterCount
        at = end - 1
      default: columns += 1
      }
      if columns > limit { return nil }
      at += 1
    }
    return columns
  }

  /// The value on lines of its own, the first one too, each ended.
  ///
  /// - Parameter flatColumns: of the whole value on one line, as far as that is known.
  func appendLines(
    _ bytes: RawSpan, indent: Int, flatColumns known: Int? = nil, to text: inout TextBuffer
  ) {
    var line = text.count
    var depth = 0
    /// Whether the value before was short: such values of a list share a line.
    var wasScalar = false
    var at = 0
    func begin(_ text: inout TextBuffer) {
      line = text.count
      text.append(spaces: indent + 2 * min(depth, Self.deepest))
    }
    func end(_ text: inout TextBuffer) {
      text.append("\n")
    }
    begin(&text)
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: at += 1
      case 0x5B, 0x7B:
        wasScalar = false
        let room = max(width - text.bytes.columns(from: line) - 1, 16)
        let fits =
          if at == 0, let known { known <= room } else {
            Self.flatColumns(bytes, from: at, limit: room) != nil
          }
        if fits {
          var open = 0
          repeat {
            let token = bytes.byte(at: at)
            if token == 0x5B || token == 0x7B { open += 1 }
            if token == 0x5D || token == 0x7D { open -= 1 }
            appendToken(bytes, &at, to: &text)
          } while open > 0 && at < bytes.byteCount
        } else {
          text.append(byte: byte)
          at += 1
          depth += 1
          end(&text)
          begin(&text)
        }
      case 0x5D, 0x7D:
        end(&text)
        depth = max(depth - 1, 0)
        begin(&text)
        text.append(byte: byte)
        at += 1
        wasScalar = false
      case 0x2C:
        text.append(byte: byte)
        at += 1
        if wasScalar, let size = scalar(bytes, behind: at),
          text.bytes.columns(from: line) + size + 2 <= width
        {
          text.append(byte: 0x20)
        } else {
          end(&text)
          begin(&text)
        }
      case 0x3A:
        appendToken(bytes, &at, to: &text)
        wasScalar = false
      default:
        let isValue = at == 0 || !isBehindColon(bytes, at)
        appendToken(bytes, &at, to: &text)
        wasScalar = isValue
      }
    }
    end(&text)
  }

  /// Columns of the string, number or literal that comes next; nil when none does, or a
  /// long one.
  private func scalar(_ bytes: RawSpan, behind start: Int) -> Int? {
    var at = start
    while at < bytes.byteCount, bytes.byte(at: at).isJSONSpace { at += 1 }
    guard at < bytes.byteCount else { return nil }
    let first = bytes.byte(at: at)
    if first == 0x5B || first == 0x7B { return nil }
    let begin = at
    if first == 0x22 {
      at += 1
      while at < bytes.byteCount, bytes.byte(at: at) != 0x22 {
        if at - begin > width { return nil }
        at += bytes.byte(at: at) == 0x5C ? 2 : 1
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

  /// Whether a value stands behind its key.
  private func isBehindColon(_ bytes: RawSpan, _ at: Int) -> Bool {
    var before = at - 1
    while before >= 0, bytes.byte(at: before).isJSONSpace { before -= 1 }
    return before >= 0 && bytes.byte(at: before) == 0x3A
  }

  /// One string, number, literal or mark, with the space that belongs behind it.
  private func appendToken(_ bytes: RawSpan, _ at: inout Int, to text: inout TextBuffer) {
    let start = at
    switch bytes.byte(at: at) {
    case 0x22:
      at = bytes.endOfString(at)
      let string = bytes.extracting(start..<at)
      if hasBinaries, at - start > 7, let value = BinaryValue(string, 0) {
        value.append(to: &text)
      } else if isJSON {
        text.append(escapingJSON: string)
      } else {
        text.append(escaping: string)
      }
    case 0x2C, 0x3A:
      text.append(bytes.byte(at: at) == 0x2C ? ", " : ": ")
      at += 1
    case 0x5B, 0x5D, 0x7B, 0x7D:
      text.append(byte: bytes.byte(at: at))
      at += 1
    default:
      while at < bytes.byteCount, !Self.isEnd(bytes.byte(at: at)) { at += 1 }
      text.append(escaping: bytes.extracting(start..<at))
      while at < bytes.byteCount, bytes.byte(at: at).isJSONSpace { at += 1 }
    }
  }

  /// Whether a byte ends a number or a literal.
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte.isJSONSpace || byte == 0x2C || byte == 0x3A || byte == 0x22 || byte == 0x5B || byte == 0x5D
      || byte == 0x7B || byte == 0x7D
  }
}
