// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Whether what begins with a bracket begins with a list: lines of logs do, too, with a time, a
/// level or a name in brackets.
struct PasteStart: ~Escapable {
  let head: RawSpan
  /// The text ends with it.
  let isAll: Bool

  @_lifetime(copy head)
  init(_ head: RawSpan, isAll: Bool) { (self.head, self.isAll) = (head, isAll) }

  /// What follows would have to decide.
  private var more: InputClaim { isAll ? .yes : .undecided }

  /// - Parameter bracket: where the first bracket stands.
  func claim(_ bracket: Int) -> InputClaim {
    var at = head.behindSpace(bracket + 1)
    guard at < head.byteCount else { return more }
    let first = head.byte(at: at)
    if first == .openBrace { return records(at) }
    if first == .quote { return text(at) }
    if first.isAlpha { return word(at) }
    if first == .closeBracket { return behind(at + 1) }
    if first == .hyphen, at + 1 < head.byteCount, head.byte(at: at + 1) == .closeBracket {
      return behind(at + 2)
    }
    if first == .openBracket { return lists(at) }
    guard first.isDigit else { return .yes }
    at = head.behindDigits(at)
    let end = at
    at = head.behindSpace(at)
    guard at < head.byteCount else { return more }
    switch head.byte(at: at) {
    // `[12345 ms]`
    case let byte where at > end && byte.isAlpha: return .no
    case .comma: return numbers(at)
    case .closeBracket: return behind(at + 1)
    // A time, a process and a thread, …
    case .hyphen, .slash, .colon: return .no
    case .period: return fraction(at + 1)
    default: return .yes
    }
  }

  /// A list of numbers alone is one, unless words follow it on its line.
  private func numbers(_ start: Int) -> InputClaim {
    let at = head.behind(start) { $0 == .comma || $0.isJSONSpace || $0.isDigit }
    guard at < head.byteCount else { return more }
    return head.byte(at: at) == .closeBracket ? behind(at + 1) : .yes
  }

  /// `[1.5, …` is a list, `[1795217706.28]` before a message is not.
  private func fraction(_ start: Int) -> InputClaim {
    let at = head.behindDigits(start)
    guard at < head.byteCount else { return more }
    switch head.byte(at: at) {
    case .closeBracket: return behind(at + 1)
    // `[2026.11.20-23.34.50:123]`
    case .hyphen, .period, .slash, .colon: return .no
    default: return .yes
    }
  }

  /// Bytes of the first record that are searched for its keys.
  private static let furthest = 2048

  /// A list of records, as services of logs export them, begins with one that has a time or a text.
  private func records(_ start: Int) -> InputClaim {
    let keys: [StaticString] = [
      "\"timestamp\"", "\"@timestamp\"", "\"textPayload\"", "\"jsonPayload\"", "\"message\"",
      "\"msg\"", "\"time\"", "\"log\"", "\"ts\"", "\"@t\"", "\"date\"", "\"datetime\"",
      "\"type\"", "\"dir\"", "\"direction\"", "\"level\"", "\"event\"", "\"data\"", "\"payload\"",
      "\"frame\"", "\"body\"", "\"content\"", "\"_source\"", "\"_index\"",
    ]
    let near = head.extracting(start..<min(head.byteCount, start + Self.furthest))
    if LogInput.mayHold(near) { return .no }
    var at = 0
    while let quote = near.firstIndex(of: .quote, from: at) {
      if keys.contains(where: { near.dropping(quote).starts(with: $0) }) { return .no }
      at = quote + 1
    }
    return near.byteCount < Self.furthest && !isAll ? .undecided : .yes
  }

  /// A list of lists has nothing outside of its strings that JSON has not; `[[main]] INFO` has.
  private func lists(_ start: Int) -> InputClaim {
    let near = head.extracting(start..<min(head.byteCount, start + Self.furthest))
    var brackets = BracketCount()
    // The list around it is open.
    brackets.depth = 1
    for at in 0..<near.byteCount {
      let byte = near.byte(at: at)
      if !brackets.isInString && byte != .quote && !Self.isOfJSON(byte) { return .no }
      if brackets.take(byte) { return behind(start + at + 1) }
    }
    return near.byteCount < Self.furthest && !isAll ? .undecided : .yes
  }

  /// Whether a byte stands in JSON outside of strings: in brackets, numbers, and the three words.
  private static func isOfJSON(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x5B, 0x5D, 0x7B, 0x7D, 0x2C, 0x3A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x45: true
    case UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "u"), UInt8(ascii: "e"): true
    case UInt8(ascii: "f"), UInt8(ascii: "a"), UInt8(ascii: "l"), UInt8(ascii: "s"): true
    case UInt8(ascii: "n"), 0x18, 0x1E: true
    default: byte.isJSONSpace
    }
  }

  /// The directions of a trace of autobahn-js, or a time and other words: its lists hold messages.
  private func text(_ quote: Int) -> InputClaim {
    let words: [StaticString] = ["\"RX\"", "\"TX\""]
    let rest = head.extracting(quote..<min(head.byteCount, quote + 4))
    if rest.byteCount < 4 && !isAll { return .undecided }
    if words.contains(where: { rest.equals($0) }) { return .no }
    let near = head.extracting(quote..<min(head.byteCount, quote + Self.furthest))
    let line = near.extracting(0..<(near.firstIndex(of: .lineFeed) ?? near.byteCount))
    if ListStart.next(line, from: 0) != nil { return .no }
    let isEnough = line.byteCount < near.byteCount || near.byteCount == Self.furthest || isAll
    return isEnough ? .yes : .undecided
  }

  /// `true`, `false` and `null` are the only words in a list.
  private func word(_ start: Int) -> InputClaim {
    let end = head.behind(start, to: start + 8) { $0.isAlpha }
    if end == head.byteCount && !isAll { return .undecided }
    let word = head.extracting(start..<end)
    guard
      word.equals("true") || word.equals("false") || word.equals("null") || word.equals("NaN")
        || word.equals("Infinity")
    else { return .no }
    let isAlone = end < head.byteCount && head.byte(at: end) == .closeBracket
    return isAlone ? behind(end + 1) : .yes
  }

  /// Behind a bracket that ends a list that is no message: nothing but the end of the line, or a
  /// comma, follows in a text of lists.
  private func behind(_ start: Int) -> InputClaim {
    let at = head.behind(start) { $0 == .space || $0 == .tab }
    guard at < head.byteCount else { return more }
    return [.lineFeed, .carriageReturn, .comma, 0x18, 0x1E].contains(head.byte(at: at)) ? .yes : .no
  }
}
