// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// JSON texts behind each other: one on each line, or one where the brackets of the last have
/// closed; line ends, NUL and RS (RFC 7464) stand between them.
public struct JSONTextFraming: MessageFraming {
  /// Each message is a line, as all were until now; a text that is broken ends with its line.
  private var isByLine: Bool?
  /// A text has ended, and what stands behind it was not seen yet.
  private var hasEnded = false
  /// That text was written over several lines.
  private var hadLineEnd = false
  /// Bytes are missing: the next text begins on a new line, or behind a closing bracket.
  private var isLost = false
  // How far the text that is not whole was read.
  private var (depth, scanned) = (0, 0)
  private var (isInString, isEscaped, hasLineEnd) = (false, false, false)

  public init() {}

  public mutating func resynchronise() {
    isLost = true
    begin()
  }

  public func announcedSize(_: RawSpan) -> Int? { nil }

  public mutating func removed(_ count: Int) { scanned = max(0, scanned - count) }

  private mutating func begin() {
    (depth, scanned) = (0, 0)
    (isInString, isEscaped, hasLineEnd) = (false, false, false)
  }

  public mutating func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage {
    if isLost { return findBeginning(bytes, start, isEnd: isEnd) }
    var at = start
    while at < bytes.byteCount, Self.isSeparator(bytes.byte(at: at)) {
      if bytes.byte(at: at) == 0x0A, hasEnded {
        (isByLine, hasEnded) = (!hadLineEnd, false)
      }
      at += 1
    }
    if at > start { return .skip(at) }
    if at == bytes.byteCount { return .incomplete }
    if hasEnded { (isByLine, hasEnded) = (false, false) }
    let first = bytes.byte(at: at)
    if isByLine == true || first != UInt8(ascii: "{") && first != UInt8(ascii: "[") {
      return line(bytes, at, isEnd: isEnd)
    }
    return text(bytes, at)
  }

  /// All up to the end of the line.
  private mutating func line(_ bytes: RawSpan, _ start: Int, isEnd: Bool) -> FramedMessage {
    guard let end = bytes.firstIndex(of: 0x0A, from: max(start, scanned)) else {
      // The last line may lack its end, if its text has one.
      if isEnd { begin() }
      if isEnd { return text(bytes, start) }
      scanned = bytes.byteCount
      return .incomplete
    }
    scanned = 0
    return .message(ByteRange(start, Self.trimmed(bytes, start, end)), next: end + 1)
  }

  /// All up to the bracket that closes the first.
  private mutating func text(_ bytes: RawSpan, _ start: Int) -> FramedMessage {
    var at = max(start, scanned)
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      at += 1
      if byte == 0x0A { hasLineEnd = true }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        } else if byte == 0x0A {
          // RFC 8259 §7: no line end stands in a string. The text is broken and ends here.
          begin()
          return .message(ByteRange(start, Self.trimmed(bytes, start, at - 1)), next: at)
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 {
          // What follows says whether each has a line of its own.
          if isByLine != false { (hasEnded, hadLineEnd) = (true, hasLineEnd) }
          begin()
          return .message(ByteRange(start, at), next: at)
        }
      default: break
      }
    }
    scanned = at
    return .incomplete
  }

  /// Where the text ends that begins at a place: behind the bracket that closes its first; nil
  /// where that is not there.
  static func end(of bytes: RawSpan, from start: Int) -> Int? {
    var framing = Self()
    return end(of: bytes, from: start, &framing)
  }

  /// Whether it has read nothing of a text whose end did not come.
  var isAtStart: Bool { scanned == 0 }

  /// The same, going on where the last look ended.
  static func end(of bytes: RawSpan, from start: Int, _ framing: inout Self) -> Int? {
    guard start < bytes.byteCount else { return nil }
    guard case .message(let range, _) = framing.text(bytes, start) else { return nil }
    let last = bytes.byte(at: range.end - 1)
    return last == UInt8(ascii: "}") || last == UInt8(ascii: "]") ? range.end : nil
  }

  private mutating func findBeginning(
    _ bytes: RawSpan, _ start: Int, isEnd: Bool
  ) -> FramedMessage {
    guard let end = bytes.firstIndex(of: 0x0A, from: max(start, scanned)) else {
      scanned = bytes.byteCount
      return isEnd && start < bytes.byteCount ? .skip(bytes.byteCount) : .incomplete
    }
    begin()
    isLost = false
    return .skip(end + 1)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09 || byte == 0 || byte == 0x1E
  }

  private static func trimmed(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
    var last = end
    while last > start, isSeparator(bytes.byte(at: last - 1)) { last -= 1 }
    return last
  }

  /// Whether what one side sends first is a JSON object: nil until that is known.
  public static func recognise(_ bytes: RawSpan) -> Bool? {
    var at = 0
    while at < bytes.byteCount, isSeparator(bytes.byte(at: at)) { at += 1 }
    guard at < bytes.byteCount else { return nil }
    guard bytes.byte(at: at) == UInt8(ascii: "{") else { return false }
    var next = at + 1
    while next < bytes.byteCount, isSeparator(bytes.byte(at: next)) { next += 1 }
    guard next < bytes.byteCount else { return nil }
    let byte = bytes.byte(at: next)
    guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "}") else { return false }
    var framing = Self()
    guard case .message = framing.text(bytes, at) else { return nil }
    return true
  }
}
