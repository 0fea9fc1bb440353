// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A sequence of JSON texts: one on each line, or each beginning where the brackets of the last
/// have closed. White space, NUL and RS (RFC 7464) may separate them.
public struct JSONTextFraming {
  /// Whether each text is a line of its own, judged by those so far; nil while unknown. If so, a
  /// broken text ends with its line.
  private var isByLine: Bool?
  /// A text has ended, and it is not known yet what follows it.
  private var hasEnded = false
  /// That text had line ends in it.
  private var hadLineEnd = false
  /// The scan for the end of the current text.
  private var end = JSONTextEnd()
  /// How far the bytes were searched for a line end or a beginning.
  private var searched = 0
  /// The last byte of the search that was not a separator is a closing bracket.
  private var followsBracket = false
  /// A text may begin at the first of the bytes that are searched.
  private var mayBegin = true

  init() {}

  mutating func resynchronise() {
    (end, searched) = (JSONTextEnd(), 0)
    (followsBracket, mayBegin) = (false, true)
  }

  mutating func removed(_ count: Int) {
    end.removed(count)
    searched = max(0, searched - count)
  }

  mutating func next(in bytes: RawSpan, from start: Int, isEnd: Bool) -> FramedMessage {
    var at = start
    while at < bytes.byteCount, Self.isSeparator(bytes.byte(at: at)) {
      if bytes.byte(at: at) == .lineFeed, hasEnded {
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

  /// Everything up to the end of the line.
  private mutating func line(_ bytes: RawSpan, _ start: Int, isEnd: Bool) -> FramedMessage {
    guard let end = bytes.firstIndex(of: .lineFeed, from: max(start, searched)) else {
      // The last line may lack its line end, if its brackets close.
      if isEnd {
        self.end = JSONTextEnd()
        return text(bytes, start)
      }
      searched = bytes.byteCount
      return .incomplete
    }
    searched = 0
    return .message(ByteRange(start, Self.trimmed(bytes, start, end)), next: end + 1)
  }

  /// Everything up to the bracket that closes the first one.
  private mutating func text(_ bytes: RawSpan, _ start: Int) -> FramedMessage {
    switch end.find(in: bytes, from: start) {
    case nil: return .incomplete
    case .lineEnd(let at):
      end = JSONTextEnd()
      return .message(ByteRange(start, Self.trimmed(bytes, start, at - 1)), next: at)
    case .bracket(let at):
      // What follows shows whether each text has a line of its own.
      if isByLine != false { (hasEnded, hadLineEnd) = (true, end.hasLineEnd) }
      end = JSONTextEnd()
      return .message(ByteRange(start, at), next: at)
    }
  }

  // MARK: - After a gap

  /// Finds where a message begins after a gap: at the beginning of a segment that is one object or
  /// begins with one; after the next line end, where texts are lines; or else at an object that
  /// follows a closing bracket without a comma, or a NUL or RS.
  mutating func beginning(in held: ResyncBuffer, isEnd: Bool) -> Int? {
    if mayBegin {
      switch begins(held, isEnd: isEnd) {
      case true:
        resynchronise()
        return 0
      case false: mayBegin = false
      case nil: return nil
      }
    }
    guard let found = nextBeginning(in: held.bytes.bytes) else { return nil }
    resynchronise()
    return found
  }

  /// Nil when more bytes are needed to decide.
  private mutating func begins(_ held: ResyncBuffer, isEnd: Bool) -> Bool? {
    let bytes = held.bytes.bytes
    guard held.isBorder(0, .start) else { return false }
    guard let isObject = Self.opensObject(bytes, 0) else { return isEnd ? false : nil }
    guard isObject else { return false }
    switch end.find(in: bytes, from: 0) {
    case nil: return isEnd ? false : nil
    case .lineEnd: return false
    case .bracket(let at) where at == bytes.byteCount:
      return held.isBorder(at, .end) || isEnd ? true : nil
    // In a list, a comma or a bracket would follow.
    case .bracket(let at):
      return Self.isSeparator(bytes.byte(at: at)) || bytes.byte(at: at) == UInt8(ascii: "{")
    }
  }

  private mutating func nextBeginning(in bytes: RawSpan) -> Int? {
    while searched < bytes.byteCount {
      let byte = bytes.byte(at: searched)
      switch byte {
      case .lineFeed where isByLine == true, 0, 0x1E: return searched + 1
      case UInt8(ascii: "{") where followsBracket:
        guard let isObject = Self.opensObject(bytes, searched) else { return nil }
        if isObject { return searched }
        followsBracket = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"): followsBracket = true
      default: if !Self.isSeparator(byte) { followsBracket = false }
      }
      searched += 1
    }
    return nil
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == .lineFeed || byte == .carriageReturn || byte.isWSP || byte == 0 || byte == 0x1E
  }

  private static func trimmed(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
    var last = end
    while last > start, isSeparator(bytes.byte(at: last - 1)) { last -= 1 }
    return last
  }

  // MARK: - Recognition

  /// Whether a side that begins with these bytes sends JSON objects, or a list of them, as a batch
  /// of JSON-RPC is; nil when more are needed to decide.
  public static func recognise(_ bytes: RawSpan) -> Bool? {
    var at = 0
    while at < bytes.byteCount, isSeparator(bytes.byte(at: at)) { at += 1 }
    var object = at
    if at < bytes.byteCount, bytes.byte(at: at) == .openBracket {
      object += 1
      while object < bytes.byteCount, isSeparator(bytes.byte(at: object)) { object += 1 }
    }
    guard let isObject = opensObject(bytes, object) else { return nil }
    if !isObject { return false }
    var end = JSONTextEnd()
    return end.find(in: bytes, from: at) == nil ? nil : true
  }

  /// Whether a member or the closing bracket follows an object's opening bracket; nil when more
  /// bytes are needed.
  private static func opensObject(_ bytes: RawSpan, _ start: Int) -> Bool? {
    guard start < bytes.byteCount else { return nil }
    guard bytes.byte(at: start) == UInt8(ascii: "{") else { return false }
    var at = start + 1
    while at < bytes.byteCount, isSeparator(bytes.byte(at: at)) { at += 1 }
    guard at < bytes.byteCount else { return nil }
    return bytes.byte(at: at) == UInt8(ascii: "\"") || bytes.byte(at: at) == UInt8(ascii: "}")
  }
}
