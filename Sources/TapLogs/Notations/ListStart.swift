// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Where lists stand in a line that begin as messages do: a bracket, a number, and a comma.
enum ListStart {
  /// Digits of the first number: no type of a message has more.
  private static let mostDigits = 4

  /// The first of them at or after `start`, and before `end`; nil when there is none.
  static func next(_ line: RawSpan, from start: Int, before end: Int = .max) -> Int? {
    let searched = line.extracting(0..<min(end, line.byteCount))
    var at = start
    while let bracket = searched.firstIndex(of: .openBracket, from: at) {
      if isStart(line, bracket) { return bracket }
      at = bracket + 1
    }
    return nil
  }

  /// Whether the bracket there begins one.
  ///
  /// - Parameter isAcross: whether it may go on behind the end of a line.
  @inline(__always)
  static func isStart(_ line: RawSpan, _ bracket: Int, isAcross: Bool = true) -> Bool {
    let count = line.byteCount
    var at = bracket &+ 1
    while at < count {
      let byte = line.byte(at: at)
      if byte.isJSONSpace, isAcross || byte != .lineFeed {
        at &+= 1
      } else if byte == .backslash, let end = escapedSpace(line, at) {
        at = end
      } else {
        break
      }
    }
    // `[<MessageType.CALL: 48>, …`
    let member = LiteralWord.enumeration(line, at)
    if let member { at = member }
    let digits = at
    while at < count, line.byte(at: at).isDigit { at &+= 1 }
    guard at > digits, at &- digits <= mostDigits else { return false }
    if member != nil {
      guard at < count, line.byte(at: at) == UInt8(ascii: ">") else { return false }
      at &+= 1
    }
    while at < count, line.byte(at: at).isJSONSpace, isAcross || line.byte(at: at) != .lineFeed {
      at &+= 1
    }
    return at < count && line.byte(at: at) == .comma
  }

  /// The list behind a mark that says what it is, where it does not begin as messages do.
  static func behindMark(_ line: RawSpan, only: Int?) -> Int? {
    guard let match = LogMarks.all.find(line, only: only), match.isOfDialect else { return nil }
    var at = match.markEnd
    // In a list of Node, the mark is a string before it.
    while at < line.byteCount, isBetween(line.byte(at: at)) { at += 1 }
    return at < line.byteCount && line.byte(at: at) == .openBracket ? at : nil
  }

  private static func isBetween(_ byte: UInt8) -> Bool {
    byte.isJSONSpace || byte == .apostrophe || byte == .comma
  }

  /// Behind `\n` and the like, which stand in strings for white space.
  private static func escapedSpace(_ line: RawSpan, _ slash: Int) -> Int? {
    let at = line.behind(slash) { $0 == .backslash }
    guard at < line.byteCount else { return nil }
    let letter = line.byte(at: at)
    return letter == UInt8(ascii: "n") || letter == UInt8(ascii: "r")
      || letter == UInt8(ascii: "t") ? at + 1 : nil
  }
}
