// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Frames of text that were pasted: a command in capitals on a line of its own, lines `name:value`,
/// a blank line, a body, and NUL or what stands for it in text (`^@`, `\0`, `\x00`, `\u0000`,
/// U+2400), or nothing. All of it may be one line, with `\n` written out.
public struct PastedFramesInput: InputKind {
  public static let name: StaticString = "frames-as-text"

  private let place: Place
  private let limits: Limits
  private var text = Scratch()
  private var isTooLarge = false

  public init?(_ place: Place, limits: Limits) { (self.place, self.limits) = (place, limits) }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    guard let start = (0..<head.byteCount).first(where: { !head.byte(at: $0).isJSONSpace }) else {
      return isAll ? .no : .undecided
    }
    switch TextFrame.beginning(head, at: start) {
    case nil: return isAll ? .no : .undecided
    case true: return .yes
    case false: return .no
    }
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    if text.count + chunk.byteCount > limits.messageBytes {
      isTooLarge = true
      text.append(chunk.extracting(0..<limits.messageBytes - text.count))
    } else {
      text.append(chunk)
    }
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    if isTooLarge {
      sink.finding(
        .pasteTooLarge, .warning, place.origin(UInt64(limits.messageBytes)),
        "the text is larger than \(limits.messageBytes) bytes; the rest of it is not read")
    }
    var bytes = Scratch()
    if TextFrame.isWrittenOut(text.bytes) {
      TextFrame.resolve(text.bytes, into: &bytes)
    } else {
      swap(&bytes, &text)
    }
    report(bytes.bytes, sink)
  }

  private func report(_ text: RawSpan, _ sink: any EvidenceSink) {
    var at = 0
    while true {
      at = text.behindSpace(at)
      if at == text.byteCount { return }
      let (end, next) = TextFrame.end(text, from: at)
      var frame = Scratch()
      frame.append(text.extracting(at..<end))
      // No NUL is added where none was printed.
      if next > end && end < text.byteCount && !text.byte(at: end).isJSONSpace { frame.append(0) }
      sink.message(frame.bytes, Delivery(place.origin(UInt64(at)), .text))
      at = max(next, at + 1)
    }
  }
}

/// How text shows frames that are ended by NUL.
enum TextFrame {
  /// Bytes of the longest command, and of a head that is looked at.
  private static let (longest, most) = (16, 64 << 10)

  /// Whether a frame begins here; nil until more bytes decide.
  static func beginning(_ text: RawSpan, at start: Int) -> Bool? {
    var at = text.behind(start, to: start + longest) { $0.isUppercase }
    if at == text.byteCount { return at - start < longest ? nil : false }
    guard at - start >= 3, let line = lineEnd(text, at) else { return false }
    at = line
    // Headers up to the blank line.
    var headers = 0
    while at < text.byteCount && at - start < most {
      if lineEnd(text, at) != nil || isNUL(text, at) > 0 { return headers > 0 }
      var hasColon = false
      let begin = at
      while at < text.byteCount, lineEnd(text, at) == nil, isNUL(text, at) == 0 {
        let byte = text.byte(at: at)
        if byte == .colon && at > begin { hasColon = true }
        // Names have no blanks; loggers put one behind their colons.
        if !hasColon && (byte <= 0x20 || byte == .quote || byte == UInt8(ascii: "=")) {
          return false
        }
        at += 1
      }
      if at == text.byteCount { return nil }
      if !hasColon { return false }
      headers += 1
      guard let next = lineEnd(text, at) else { return true }
      at = next
    }
    return nil
  }

  /// Behind a line end, a real or a written one; nil where none stands.
  private static func lineEnd(_ text: RawSpan, _ at: Int) -> Int? {
    let rest = text.dropping(at)
    if rest.starts(with: "\n") { return at + 1 }
    if rest.starts(with: "\r\n") || rest.starts(with: "\\n") { return at + 2 }
    return rest.starts(with: "\\r\\n") ? at + 4 : nil
  }

  /// How many bytes stand for NUL here; 0 for none.
  static func isNUL(_ text: RawSpan, _ at: Int) -> Int {
    guard at < text.byteCount else { return 0 }
    switch text.byte(at: at) {
    case 0: return 1
    case UInt8(ascii: "^"): return text.dropping(at).starts(with: "^@") ? 2 : 0
    case 0xE2: return text.dropping(at).starts(with: "\u{2400}") ? 3 : 0
    case .backslash:
      let rest = text.dropping(at)
      if rest.starts(with: "\\u0000") { return 6 }
      if rest.starts(with: "\\x00") { return 4 }
      guard rest.starts(with: "\\0") else { return 0 }
      return rest.byteCount > 2 && rest.byte(at: 2).isDigit ? 0 : 2
    default: return 0
    }
  }

  /// Where a frame ends, and where what follows it begins: behind NUL, or where another one begins.
  static func end(_ text: RawSpan, from start: Int) -> (end: Int, next: Int) {
    var at = start
    while at < text.byteCount {
      let nul = isNUL(text, at)
      if nul > 0 { return (at, at + nul) }
      if text.byte(at: at) == .lineFeed, at + 1 < text.byteCount,
        beginning(text, at: at + 1) == true
      {
        return (at, at + 1)
      }
      at += 1
    }
    // Nothing but the end of the text ends it: line ends there are those of the paste.
    let end = text.beforeSpace(at, from: start)
    return (hasBody(text, start, end) ? end : at, at)
  }

  /// Whether the blank line behind the headers, and something behind it, is there.
  private static func hasBody(_ text: RawSpan, _ start: Int, _ end: Int) -> Bool {
    (start..<max(start, end)).contains { at in
      text.byte(at: at) == .lineFeed && lineEnd(text, at + 1) != nil
    }
  }

  /// Line ends are written out: `\n` stands in it, and no real one but at its end.
  static func isWrittenOut(_ text: RawSpan) -> Bool {
    let end = text.beforeSpace(text.byteCount)
    let inside = text.extracting(0..<end)
    let start = inside.behind(0, to: end) { $0.isJSONSpace }
    return inside.dropping(start).firstIndex(of: .lineFeed) == nil
  }

  /// Undoes what the paste has escaped, once.
  static func resolve(_ text: RawSpan, into bytes: inout Scratch) {
    var at = 0
    while at < text.byteCount {
      let nul = isNUL(text, at)
      if nul > 0 {
        bytes.append(0)
        at += nul
        continue
      }
      let byte = text.byte(at: at)
      at += 1
      guard byte == .backslash, at < text.byteCount else {
        bytes.append(byte)
        continue
      }
      let letter = text.byte(at: at)
      at += 1
      switch letter {
      case UInt8(ascii: "n"): bytes.append(.lineFeed)
      case UInt8(ascii: "r"): bytes.append(.carriageReturn)
      case UInt8(ascii: "t"): bytes.append(.tab)
      case .backslash, .quote, .apostrophe, .slash: bytes.append(letter)
      default:
        bytes.append(byte)
        bytes.append(letter)
      }
    }
  }
}
