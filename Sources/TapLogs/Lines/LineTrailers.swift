// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What loggers put behind the message of a line: their name, or the place in the source. A message
/// may end in the same way, so that one is cut off only where other lines of the log prove it, or
/// where a size, `[14 bytes]`, says that the message ends before it.
struct LineTrailers {
  private enum Kind {
    /// ` [websockets.server]` behind the level `[debug    ]`, of structlog.
    case logger
    /// ` (protocol.py:755)`
    case place
    /// `protocol.py:755` at the right margin, of rich.
    case margin
  }

  /// How many of the lines that may have a trailer have one.
  private struct Proof {
    var lines = 0
    var count = 0
    var isEnough: Bool { count > 1 && count * 2 >= lines }

    mutating func note(_ isOne: Bool) {
      lines += 1
      if isOne { count += 1 }
    }
  }

  /// Lines that are asked, and bytes of a name.
  private static let most = 1024
  private static let longest = 64

  private var asked = 0
  private var (loggers, places, margins) = (Proof(), Proof(), Proof())
  /// Characters of lines up to the right margin.
  private var width = 0

  /// A line may say more of what stands at the end of others.
  var areAsked: Bool { asked < Self.most }

  /// Lines are broken where they would go beyond the margin.
  var mayWrap: Bool { margins.isEnough }

  /// A line with a place at the right margin, which may go on below; nil for any other.
  ///
  /// - Parameter end: of its message.
  func wrapped(_ line: RawSpan, _ end: Int, _ origin: Origin) -> WrappedLine? {
    guard mayWrap, end < line.byteCount, line.byte(at: line.byteCount - 1).isDigit,
      WrappedLine.characters(line) == width
    else { return nil }
    var start = line.byteCount
    while line.byte(at: start - 1) != .space { start -= 1 }
    let place = line.byteCount - start
    return WrappedLine(line.extracting(0..<end), place: place, width: width, origin)
  }

  /// Learns from a line.
  mutating func note(_ line: RawSpan) {
    guard areAsked, let last = line.lastUnspaced else { return }
    asked += 1
    let found = Self.find(line, last)
    if Self.hasLevel(line) { loggers.note(found?.kind == .logger) }
    // What goes on below its line begins with blanks, and is filled up with them.
    if !line.byte(at: 0).isJSONSpace { places.note(found?.kind == .place) }
    let isFilled = line.byte(at: line.byteCount - 1) == .space
    if !isFilled { margins.note(found?.kind == .margin && isAtMargin(line, found!.end)) }
  }

  /// Whether such a place stands apart, in the same column as the one before.
  private mutating func isAtMargin(_ line: RawSpan, _ end: Int) -> Bool {
    let characters = WrappedLine.characters(line)
    if characters != width { (width, margins.count) = (characters, 0) }
    return Self.isApart(line, end)
  }

  /// Where the message of a line ends.
  func end(_ line: RawSpan) -> Int {
    guard let last = line.lastUnspaced, let (kind, end) = Self.find(line, last) else {
      return line.byteCount
    }
    let isProven =
      switch kind {
      case .logger: loggers.isEnough && Self.hasLevel(line)
      case .place: places.isEnough
      case .margin:
        margins.isEnough && (Self.isApart(line, end) || WrappedLine.characters(line) == width)
      }
    let isTrailer = isProven || Measured.size(line.extracting(0..<end)) != nil
    return isTrailer ? end : line.byteCount
  }

  /// What may be a trailer, and where the text before it ends.
  ///
  /// - Parameter last: of the line, blanks aside.
  private static func find(_ line: RawSpan, _ last: Int) -> (kind: Kind, end: Int)? {
    var found: (kind: Kind, start: Int)?
    switch line.byte(at: last) {
    case .closeBracket:
      found = name(line, endingAt: last).map { (.logger, $0 - 1) }
    case UInt8(ascii: ")"):
      let start = SourcePlace.start(line, endingAt: last) ?? 0
      guard start > 0, line.byte(at: start - 1) == UInt8(ascii: "(") else { return nil }
      found = (.place, start - 1)
    case let byte where byte.isDigit:
      found = SourcePlace.start(line, endingAt: last + 1).map { (.margin, $0) }
    default: return nil
    }
    guard let (kind, start) = found, start > 0, line.byte(at: start - 1) == .space else {
      return nil
    }
    var end = start
    while end > 0, line.byte(at: end - 1) == .space { end -= 1 }
    return end > 0 ? (kind, end) : nil
  }

  /// Where a name begins behind a bracket; nil for anything else.
  private static func name(_ line: RawSpan, endingAt end: Int) -> Int? {
    var at = end
    while at > 0, end - at < longest,
      line.byte(at: at - 1).isWord || line.byte(at: at - 1) == .period
    {
      at -= 1
    }
    guard at > 0, at < end, line.byte(at: at - 1) == .openBracket, line.byte(at: at).isAlpha
    else { return nil }
    return at
  }

  /// Whether a level stands near the beginning, in brackets and filled up to nine letters.
  private static func hasLevel(_ line: RawSpan) -> Bool {
    let near = line.extracting(0..<min(line.byteCount, longest))
    var from = 0
    while let open = near.firstIndex(of: .openBracket, from: from) {
      from = open + 1
      guard open + 10 < near.byteCount, near.byte(at: open + 10) == .closeBracket else { continue }
      var end = open + 10
      while end > from, near.byte(at: end - 1) == .space { end -= 1 }
      if LogSources.isNameOfLevel(near.extracting(from..<end)) { return true }
    }
    return false
  }

  private static func isApart(_ line: RawSpan, _ end: Int) -> Bool {
    end + 1 < line.byteCount && line.byte(at: end + 1) == .space
  }
}
