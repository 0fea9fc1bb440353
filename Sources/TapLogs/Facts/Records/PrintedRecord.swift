// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// A record that is printed over several lines, one of them with a message: how far above that line
/// it begins, and whether it has ended.
struct PrintedRecord {
  /// How far its first line is indented.
  private let column: Int
  private var walk = RecordWalk()

  /// It goes on in the next line.
  var isOpen: Bool { walk.depth > 0 }

  /// Whether a line may have part of a record that goes on in other lines: it is indented and does
  /// not begin with `[`, or it ends with a comma or an opening bracket.
  @inline(__always)
  static func mayHold(_ line: RawSpan) -> Bool {
    guard line.byteCount > 2 else { return false }
    if line.byte(at: 0).isJSONSpace {
      let start = indent(line)
      return start < line.byteCount && line.byte(at: start) != .openBracket
    }
    var end = line.byteCount
    if line.byte(at: end - 1) == .carriageReturn { end -= 1 }
    switch line.byte(at: end - 1) {
    // One of a list of records, each on a line of its own.
    case .comma: return line.byte(at: end - 2) != .closeBrace
    case .openBrace, .openBracket: return true
    default: return false
    }
  }

  /// Whether the last line of a text ends as lines do on which a record goes on.
  static func goesOn(_ text: RawSpan) -> Bool {
    var end = text.byteCount - 1
    while end > 0, text.byte(at: end) == .lineFeed || text.byte(at: end) == .carriageReturn {
      end -= 1
    }
    return end > 0 && [.comma, .openBracket, .openBrace].contains(text.byte(at: end))
  }

  /// Whether a line may be in a record that begins above it: it is indented, and opens none.
  static func mayBeginAbove(_ line: RawSpan) -> Bool {
    let start = indent(line)
    return start > 0 && start < line.byteCount && line.byte(at: start) != .openBrace
  }

  /// How many bytes above a line are of the record that the line is in: 0 if that cannot begin
  /// above, nil if there is none.
  ///
  /// - Parameter above: what stands before the line, as much as is looked at.
  static func begin(_ line: RawSpan, above: RawSpan) -> Int? {
    guard mayBeginAbove(line) else { return 0 }
    return top(above, indent(line)).map { above.byteCount - $0 }
  }

  /// Nil when the list that begins there is in no record that has other lines.
  ///
  /// - Parameters:
  ///   - text: the lines of the record, up to the one with the list.
  ///   - margin: bytes before the text of the first.
  init?(_ text: RawSpan, margin: Int, list: Int) {
    column = Self.indent(text.dropping(margin))
    while walk.at < list { _ = walk.step(text, until: list) }
    guard walk.depth > 0, (1...walk.depth).contains(where: walk.isObject) else { return nil }
    advance(text)
    if !isOpen { return nil }
  }

  /// Reads on to the end of the text: that which was read before, with more lines behind it.
  mutating func advance(_ text: RawSpan) {
    while walk.at < text.byteCount {
      if walk.step(text, until: text.byteCount) == .end && !isOpen { return }
    }
  }

  /// Whether a line may be one of it: it is indented further than the first, or closes it.
  func mayHold(_ line: RawSpan) -> Bool {
    let start = Self.indent(line)
    guard start < line.byteCount else { return false }
    return start > column || line.byte(at: start) == .closeBrace
      || line.byte(at: start) == .closeBracket
  }

  /// Where the record around a line begins: the innermost one that has lines of its own, with the
  /// line above it if that is not indented.
  ///
  /// - Parameter first: how far the line is indented.
  private static func top(_ above: RawSpan, _ first: Int) -> Int? {
    var column = first
    var end = above.byteCount
    while end > 0 {
      let start = above.before(end - 1) { $0 != .lineFeed }
      // It may lack its beginning.
      if start == 0 && above.byteCount >= LinesAbove.most { return nil }
      let line = above.extracting(start..<end - 1)
      let indent = Self.indent(line)
      guard indent < line.byteCount, line.byte(at: indent) != .carriageReturn else { return nil }
      if indent < column {
        guard opens(line) else {
          // Bunyan prints a value below the line that it belongs to.
          return indent == 0 && column < first ? start : nil
        }
        if indent == 0 || line.byte(at: indent) == .openBrace { return start }
        column = indent
      }
      end = start
    }
    return nil
  }

  /// Whether a line has a bracket that it does not close.
  private static func opens(_ line: RawSpan) -> Bool {
    var walk = RecordWalk()
    while walk.at < line.byteCount { _ = walk.step(line, until: line.byteCount) }
    return walk.depth > 0
  }

  private static func indent(_ line: RawSpan) -> Int {
    return line.behind(0) { $0 == .space || $0 == .tab }
  }
}
