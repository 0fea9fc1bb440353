// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Looks for the end of a list, as the lines of it arrive: brackets and strings respected, of
/// whatever language. It looks at each byte once.
struct ListEnd {
  enum State {
    /// No list has begun that may be a message.
    case seeking
    case inside
    case closed
  }

  private(set) var state = State.seeking
  /// Behind what was looked at; where the list ended, once it has.
  private(set) var at: Int
  /// Where the list begins.
  private(set) var start = 0
  /// The shape of what stands before it on its line, where somebody has looked.
  var shape: UInt64?
  private var depth = 0
  /// Outside of its strings it has only what JSON has: then it ends where it ends as JSON.
  private var isPlain = true
  /// The quote that ends the string that is open; 0 outside.
  private var quote: UInt8 = 0

  /// `"'[]{}()`: all that matters, besides the quotation mark of Node, for strings that have both
  /// others in them.
  private static let marks: UInt64 = 0x2228_297B_7D5B_5D27
  private static let backtick: UInt8 = 0x60

  init(from start: Int) { at = start }

  /// Of the list or object that begins at `start`.
  init(of start: Int) { (at, self.start, state) = (start, start, .inside) }

  /// Reads on to the end of the bytes: those that were read before, with more behind them.
  ///
  /// - Parameter numbers: where a list ends that begins here and has nothing but numbers in it.
  mutating func advance(_ bytes: RawSpan, numbers: Int? = nil) {
    if state == .seeking {
      let first = at
      guard let start = ListStart.next(bytes, from: first) else { return }
      (self.start, at, state) = (start, start, .inside)
      if let numbers, start == first { (at, state) = (numbers, .closed) }
    }
    while state == .inside, at < bytes.byteCount {
      var hits = bytes.places(ofAny: Self.marks, or: Self.backtick, from: at)
      while hits != 0 {
        let place = at + hits.trailingZeroBitCount
        hits &= hits &- 1
        step(bytes, place)
        if state == .closed {
          at = place + 1
          return
        }
      }
      at = min(at + 64, bytes.byteCount)
    }
  }

  @inline(__always)
  private mutating func step(_ bytes: RawSpan, _ place: Int) {
    let byte = bytes.byte(at: place)
    if quote != 0 {
      if byte == quote && !Self.isEscaped(bytes, place) { quote = 0 }
      return
    }
    switch byte {
    case .quote: quote = byte
    case .apostrophe, Self.backtick: (quote, isPlain) = (byte, false)
    case .openBracket, .openBrace: depth += 1
    case UInt8(ascii: "("): (depth, isPlain) = (depth + 1, false)
    default:
      if byte == UInt8(ascii: ")") { isPlain = false }
      depth -= 1
      if depth == 0 { state = .closed }
    }
  }

  /// The list, when it has ended and is written as JSON is.
  var list: Range<Int>? { state == .closed && isPlain ? start..<at : nil }

  /// The list, when it has ended and something stood outside of its strings that JSON lacks.
  var foreign: Range<Int>? { state == .closed && !isPlain ? start..<at : nil }

  /// Whether an odd number of backslashes stands before a quote.
  @inline(__always)
  private static func isEscaped(_ bytes: RawSpan, _ place: Int) -> Bool {
    var at = place
    while at > 0, bytes.byte(at: at - 1) == .backslash { at -= 1 }
    return (place - at) & 1 == 1
  }

  /// The offset behind the list of JSON that begins at `start`; nil when it does not end.
  static func json(_ bytes: RawSpan, _ start: Int) -> Int? {
    var at = start
    var depth = 0
    let count = bytes.byteCount
    while at < count {
      switch bytes.byte(at: at) {
      case .quote:
        guard let end = string(bytes, at + 1) else { return nil }
        at = end
        continue
      case .openBracket, .openBrace: depth += 1
      case .closeBracket, .closeBrace:
        depth -= 1
        if depth == 0 { return at + 1 }
      default: break
      }
      at += 1
    }
    return nil
  }

  /// Behind the quote that ends a string whose content begins at `start`.
  private static func string(_ bytes: RawSpan, _ start: Int) -> Int? {
    var at = start
    while at < bytes.byteCount {
      while at + 16 <= bytes.byteCount {
        let unplain = bytes.unplainLanes(unchecked: at)
        at += unplain == 0 ? 16 : unplain.trailingZeroBitCount
        if unplain != 0 { break }
      }
      guard at < bytes.byteCount else { return nil }
      let byte = bytes.byte(at: at)
      if byte == .quote { return at + 1 }
      at += byte == .backslash ? 2 : 1
    }
    return nil
  }
}
