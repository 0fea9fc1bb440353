// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings

/// A string of a record of JSON that stands on a line: what a program has printed is in it, with
/// all its quotes and backslashes escaped once more.
struct RecordString {
  /// Its quotation marks.
  let open: Int
  let close: Int

  fileprivate init(open: Int, close: Int) { (self.open, self.close) = (open, close) }

  /// As it is written.
  @_lifetime(copy line)
  func content(_ line: RawSpan) -> RawSpan { line.extracting(open + 1..<close) }

  /// Whether it has neither a backslash nor a brace: nothing is escaped or nested in it.
  func isPlain(_ line: RawSpan) -> Bool {
    let content = content(line)
    return content.firstIndex(ofAny: 0x5C7B_5C7B_5C7B_5C7B, from: 0) == content.byteCount
  }

  /// Whether it has no escapes but those of JSON, and no word follows it.
  ///
  /// - Parameter isPlain: it has no escapes at all.
  func mayBeJSON(_ line: RawSpan, isPlain: Bool) -> Bool {
    if close + 1 < line.byteCount, line.byte(at: close + 1).isWord { return false }
    if isPlain { return true }
    let content = content(line)
    var at = 0
    while let slash = content.firstIndex(of: .backslash, from: at) {
      switch content.byte(at: slash + 1) {
      case .quote, .backslash, .slash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
        UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "u"):
        at = slash + 2
      default: return false
      }
    }
    return true
  }

  /// The string without its escapes.
  func text(_ line: RawSpan) -> Scratch? { Self.text(content(line)) }

  /// The offset in the unescaped string of a place of the line.
  func place(_ line: RawSpan, of at: Int) -> Int? {
    Self.text(line.extracting(open + 1..<at))?.count
  }

  /// The unescaped text from a place of the line to the end of the string around it; nil if that
  /// place is in no string.
  static func rest(_ line: RawSpan, from at: Int) -> Scratch? {
    guard let brace = line.firstIndex(of: .openBrace), brace < at else { return nil }
    var strings = Strings(from: brace)
    while let string = strings.next(line), string.open < at {
      if at < string.close { return text(line.extracting(at..<string.close)) }
    }
    return nil
  }

  private static func text(_ content: RawSpan) -> Scratch? {
    var text = Scratch()
    guard
      Escape.unescape(content, 0, until: 0, isBytes: false, into: &text) != nil
    else { return nil }
    return text
  }

  /// What loggers call the fields that each line of theirs has.
  private static let usualFields: [StaticString] = ["msg", "message", "event", "time", "level"]

  /// The strings of a line that is nothing but fields of logfmt and has one that loggers write:
  /// `time="…" level=info msg="…"`; structlog may print them as Python does, `level='info'`.
  /// Assignments of a shell are no such line.
  static func fields(_ line: RawSpan) -> Strings? {
    var (at, fields, isUsual, isOfPython) = (0, 0, false, false)
    var quote: Int?
    while at < line.byteCount, !line.byte(at: at).isJSONSpace {
      let start = at
      at = line.behind(at) { $0.isOfName || $0 == UInt8(ascii: "@") }
      guard at > start, at < line.byteCount, line.byte(at: at) == UInt8(ascii: "=") else {
        return nil
      }
      let name = line.extracting(start..<at)
      isUsual = isUsual || usualFields.contains { name.equals($0) }
      at += 1
      if at < line.byteCount, line.byte(at: at) == .quote || line.byte(at: at) == .apostrophe {
        isOfPython = isOfPython || line.byte(at: at) == .apostrophe
        var strings = Strings(from: at, isOfPython: true)
        guard let string = strings.next(line) else { return nil }
        quote = quote ?? string.open
        at = string.close + 1
        if at < line.byteCount, !line.byte(at: at).isJSONSpace { return nil }
      }
      while at < line.byteCount, !line.byte(at: at).isJSONSpace {
        if line.byte(at: at) == .quote { return nil }
        at += 1
      }
      at = line.behindSpace(at)
      fields += 1
    }
    guard fields > 1, isUsual, let quote else { return nil }
    return Strings(from: quote, isOfPython: isOfPython)
  }

  /// The strings of the records that a line begins with; nil where it begins with none.
  static func record(_ line: RawSpan) -> Strings? {
    let start = line.behindSpace(0)
    return start < line.byteCount && line.byte(at: start) == .openBrace ? Strings(from: start) : nil
  }

  /// The strings of the records on a line; nil where it has none. A record that is printed over
  /// several lines has a member on each.
  static func all(_ line: RawSpan) -> Strings? {
    if let fields = fields(line) { return fields }
    if member(line) != nil || element(line) != nil { return Strings(from: 0) }
    return line.firstIndex(of: .openBrace).map { Strings(from: $0) }
  }

  /// The string that is the value of a member with a line of its own; nil where a line has none.
  static func member(_ line: RawSpan) -> Strings? {
    let start = line.behindSpace(0)
    guard start < line.byteCount, line.byte(at: start) == .quote else { return nil }
    var strings = Strings(from: start)
    guard let name = strings.next(line), line.dropping(name.close + 1).starts(with: ": \"") else {
      return nil
    }
    return Strings(from: name.close + 1)
  }

  /// The string that a line is, with the comma behind it: an element of a list, as Ansible prints
  /// the output of a command.
  static func element(_ line: RawSpan) -> Strings? {
    let start = line.behindSpace(0)
    guard start < line.byteCount, line.byte(at: start) == .quote else { return nil }
    var strings = Strings(from: start)
    guard let string = strings.next(line) else { return nil }
    var end = string.close + 1
    if end < line.byteCount, line.byte(at: end) == .comma { end += 1 }
    return line.behindSpace(end) == line.byteCount ? Strings(from: start) : nil
  }

  /// All strings of a record, one after the other.
  struct Strings {
    /// Behind what was looked at.
    private(set) var at: Int
    /// The quotation marks that begin one: those of Python may be apostrophes, too.
    private let quotes: UInt64

    /// - Parameter brace: where the first record begins.
    init(from brace: Int, isOfPython: Bool = false) {
      (at, quotes) = (brace, isOfPython ? 0x2227_2227_2227_2227 : 0x2222_2222_2222_2222)
    }

    mutating func next(_ line: RawSpan) -> RecordString? {
      guard at < line.byteCount else { return nil }
      let open = line.firstIndex(ofAny: quotes, from: at)
      if open >= line.byteCount { return nil }
      let quote = line.byte(at: open)
      var end = open + 1
      while end < line.byteCount, line.byte(at: end) != quote {
        end += line.byte(at: end) == .backslash ? 2 : 1
      }
      at = min(end + 1, line.byteCount)
      guard end < line.byteCount else { return nil }
      return RecordString(open: open, close: end)
    }
  }
}
