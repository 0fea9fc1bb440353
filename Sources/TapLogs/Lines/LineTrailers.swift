// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What loggers put after the message of a line: the logger's name, or the location in the source.
/// A message may happen to end like that, so a trailer is removed only if other lines of the log
/// prove it, or if a size such as `[14 bytes]` shows that the message ends before it.
struct LineTrailers {
  private enum Kind {
    /// ` [websockets.server]` on lines with the level `[debug    ]`, as structlog writes it.
    case loggerName
    /// ` (protocol.py:755)`, and ` [in /app/protocol.py:755]`, as Flask's documentation has it.
    case sourceLocation
    /// `protocol.py:755` at the right margin, as rich writes it.
    case marginLocation
  }

  /// How many of the lines that can have a trailer do have one.
  private struct Proof {
    var lines = 0
    var count = 0
    var isEnough: Bool { isEnough(ofEach: 2) }

    /// - Parameter number: how many lines there may be for each that has one.
    func isEnough(ofEach number: Int) -> Bool { count > 1 && count * number >= lines }

    mutating func note(_ isOne: Bool) {
      lines += 1
      if isOne { count += 1 }
    }
  }

  /// How many lines to learn from.
  private static let mostLines = 1024
  /// Locations at the margin are all in one column. A handler of a library may print each line once
  /// more without one.
  private static let mostBesideMargin = 3
  /// The limit of a name in bytes.
  private static let longestName = 64

  private var lines = 0
  private var (loggers, locations, margins) = (Proof(), Proof(), Proof())
  /// The length of lines with a location at the right margin, in columns.
  private var width = 0

  /// More lines are needed to learn from.
  var isLearning: Bool { lines < Self.mostLines }

  /// Lines may be wrapped at the margin.
  var mayWrap: Bool { margins.isEnough(ofEach: Self.mostBesideMargin) }

  /// A line with a location at the right margin, which may continue below; nil for any other.
  ///
  /// - Parameter end: where its message ends.
  func wrapped(_ line: RawSpan, _ end: Int, _ origin: Origin) -> WrappedLine? {
    guard mayWrap, end < line.byteCount, line.byte(at: line.byteCount - 1).isDigit,
      line.columns() == width
    else { return nil }
    var start = line.byteCount
    while line.byte(at: start - 1) != .space { start -= 1 }
    let place = line.byteCount - start
    return WrappedLine(line.extracting(0..<end), place: place, width: width, origin)
  }

  mutating func learn(from line: RawSpan) {
    guard isLearning, let last = line.lastUnspaced else { return }
    lines += 1
    let found = Self.find(line, last)
    if Self.hasLevel(line) { loggers.note(found?.kind == .loggerName) }
    // Continuations of wrapped lines begin with spaces, and are padded with them.
    if !line.byte(at: 0).isJSONSpace { locations.note(found?.kind == .sourceLocation) }
    let isFilled = line.byte(at: line.byteCount - 1) == .space
    if !isFilled { margins.note(found?.kind == .marginLocation && isAtMargin(line, found!.end)) }
  }

  /// Whether a location is separated by spaces, and ends in the same column as the one before.
  private mutating func isAtMargin(_ line: RawSpan, _ end: Int) -> Bool {
    let columns = line.columns()
    if columns != width {
      // Most lines end in the same column: one with characters of another width may not.
      margins.count -= 1
      if margins.count > 0 { return false }
      (width, margins.count) = (columns, 0)
    }
    return Self.isApart(line, end)
  }

  /// Where the message of a line ends.
  func end(_ line: RawSpan) -> Int {
    guard let last = line.lastUnspaced, let (kind, end) = Self.find(line, last) else {
      return line.byteCount
    }
    let isProven =
      switch kind {
      case .loggerName: loggers.isEnough && Self.hasLevel(line)
      case .sourceLocation: locations.isEnough
      case .marginLocation:
        mayWrap && (Self.isApart(line, end) || line.columns() == width)
      }
    let isTrailer = isProven || Measured.size(line.extracting(0..<end)) != nil
    return isTrailer ? end : line.byteCount
  }

  /// A possible trailer, and where the text before it ends.
  ///
  /// - Parameter last: the offset of the last byte that is not a space.
  private static func find(_ line: RawSpan, _ last: Int) -> (kind: Kind, end: Int)? {
    var found: (kind: Kind, start: Int)?
    switch line.byte(at: last) {
    case .closeBracket:
      found =
        name(line, endingAt: last).map { (.loggerName, $0 - 1) }
        ?? place(line, endingAt: last).map { (.sourceLocation, $0) }
    case UInt8(ascii: ")"):
      let start = SourceLocation.start(line, endingAt: last) ?? 0
      guard start > 0, line.byte(at: start - 1) == UInt8(ascii: "(") else { return nil }
      found = (.sourceLocation, start - 1)
    case let byte where byte.isDigit:
      found = SourceLocation.start(line, endingAt: last + 1).map { (.marginLocation, $0) }
    default: return nil
    }
    guard let (kind, start) = found, start > 0, line.byte(at: start - 1) == .space else {
      return nil
    }
    let end = line.beforeBlanks(start)
    return end > 0 ? (kind, end) : nil
  }

  /// Where a name in brackets begins; nil for anything else.
  private static func name(_ line: RawSpan, endingAt end: Int) -> Int? {
    let at = line.before(end, from: max(0, end - longestName)) { $0.isWord || $0 == .period }
    guard at > 0, at < end, line.byte(at: at - 1) == .openBracket, line.byte(at: at).isAlpha
    else { return nil }
    return at
  }

  /// Where `[in /app/protocol.py:755` begins; nil for anything else.
  private static func place(_ line: RawSpan, endingAt end: Int) -> Int? {
    guard var at = SourceLocation.start(line, endingAt: end) else { return nil }
    while at > 0, line.byte(at: at - 1) != .space { at -= 1 }
    return at > 3 && line.dropping(at - 4).starts(with: "[in ") ? at - 4 : nil
  }

  /// Whether the line begins with a level in brackets, padded to nine characters.
  private static func hasLevel(_ line: RawSpan) -> Bool {
    let near = line.extracting(0..<min(line.byteCount, longestName))
    var from = 0
    while let open = near.firstIndex(of: .openBracket, from: from) {
      from = open + 1
      guard open + 10 < near.byteCount, near.byte(at: open + 10) == .closeBracket else { continue }
      let end = near.beforeBlanks(open + 10, from: from)
      if LogSources.isNameOfLevel(near.extracting(from..<end)) { return true }
    }
    return false
  }

  private static func isApart(_ line: RawSpan, _ end: Int) -> Bool {
    end + 1 < line.byteCount && line.byte(at: end + 1) == .space
  }
}
