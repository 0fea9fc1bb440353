// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The head of an HTTP/1 request or response (RFC 9112 §2), as far as an upgrade needs it: a text,
/// and where its parts stand.
struct Head {
  private struct Field {
    var name: ByteRange
    /// Without the white space around it.
    var value: ByteRange
  }

  /// Names of fields are in lower case.
  private var text: [UInt8] = []
  /// `GET /ws HTTP/1.1`, or `HTTP/1.1 101 Switching Protocols`, by its three parts.
  private var startLine: [ByteRange] = []
  /// In order.
  private var fields: [Field] = []

  init() {}

  /// Parses a whole head, without the empty line that ends it. Lines may end in LF alone.
  init(parsing bytes: RawSpan) {
    text = bytes.copied()
    fields.reserveCapacity(16)
    var at = 0
    while at < bytes.byteCount {
      let end = bytes.firstIndex(of: 0x0A, from: at) ?? bytes.byteCount
      let line = Self.trimmed(ByteRange(at, end), bytes)
      if at == 0 {
        startLine = Self.parts(of: line, bytes)
      } else if let colon = bytes[line].firstIndex(of: 0x3A) {
        let name = ByteRange(line.start, line.start + colon)
        for place in name.start..<name.end { text[place] = Self.lowered(text[place]) }
        let value = Self.trimmed(ByteRange(name.end + 1, line.end), bytes)
        fields.append(Field(name: name, value: value))
      }
      at = end + 1
    }
  }

  // MARK: - The start line

  var isResponse: Bool {
    startLine.first.map { text.span.bytes[$0].starts(with: "HTTP/") } ?? false
  }

  var method: String { String(decoding: part(0), as: Unicode.UTF8.self) }
  var target: [UInt8] { Array(part(1)) }
  var reason: ArraySlice<UInt8> { part(2) }

  /// The status of a response; nil when it has none.
  var status: Int? {
    guard isResponse, startLine.count > 1 else { return nil }
    let digits = part(1)
    if digits.count == 3, digits.allSatisfy({ $0 &- 0x30 < 10 }) {
      return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
    return Int(String(decoding: digits, as: Unicode.UTF8.self))
  }

  /// The version of HTTP as it is written.
  var version: ArraySlice<UInt8> { part(isResponse ? 0 : 2) }

  private func part(_ index: Int) -> ArraySlice<UInt8> {
    index < startLine.count ? text[startLine[index].start..<startLine[index].end] : []
  }

  /// Takes off what stands before the version of a response; answers how many bytes that were, nil
  /// when there is no version.
  mutating func dropBeginning() -> Int? {
    let line = Array(startLine.map { text[$0.start..<$0.end] }.joined(separator: [0x20]))
    let version = Array("HTTP/1.".utf8)
    guard let start = line.indices.first(where: { line[$0...].starts(with: version) }) else {
      return nil
    }
    let rest = add(Array(line[start...]))
    startLine = Self.parts(of: rest, text.span.bytes)
    return start
  }

  /// The first two words, and the rest.
  private static func parts(of line: ByteRange, _ bytes: RawSpan) -> [ByteRange] {
    var parts: [ByteRange] = []
    var start = line.start
    while parts.count < 2, let blank = bytes.firstIndex(of: 0x20, from: start), blank < line.end {
      if blank > start { parts.append(ByteRange(start, blank)) }
      start = blank + 1
    }
    if start < line.end { parts.append(ByteRange(start, line.end)) }
    return parts
  }

  // MARK: - Fields

  func has(_ name: StaticString) -> Bool { count(name) > 0 }

  /// How many lines there are of a field.
  func count(_ name: StaticString) -> Int {
    let bytes = text.span.bytes
    return fields.count { bytes[$0.name].equals(name) }
  }

  /// What the first line of a field says.
  func value(_ name: StaticString) -> [UInt8]? {
    let bytes = text.span.bytes
    return fields.first { bytes[$0.name].equals(name) }.map { bytes[$0.value].copied() }
  }

  /// The elements of a comma-separated list field, over all its lines (RFC 9110 §5.6.1).
  func list(_ name: StaticString) -> [[UInt8]] {
    var elements: [[UInt8]] = []
    forEachElement(of: name) { elements.append($0.copied()) }
    return elements
  }

  /// Whether a list has a word, which is in lower case, however it is written there.
  func lists(_ word: StaticString, in name: StaticString) -> Bool {
    var isThere = false
    forEachElement(of: name) { if Self.isSame($0, word) { isThere = true } }
    return isThere
  }

  private func forEachElement(of name: StaticString, _ body: (RawSpan) -> Void) {
    let bytes = text.span.bytes
    for field in fields where bytes[field.name].equals(name) {
      Self.split(bytes[field.value], at: 0x2C) { if !$0.isEmpty { body($0) } }
    }
  }

  /// Line by line as it was sent: `> GET /ws HTTP/1.1` and what was asked for, or
  /// `< HTTP/1.1 101 …` and what was granted.
  var lines: [[UInt8]] {
    let mark = Array((isResponse ? "< " : "> ").utf8)
    let first = startLine.map { text[$0.start..<$0.end] }.joined(separator: [0x20])
    return [mark + first]
      + fields.map {
        let name = String(decoding: text[$0.name.start..<$0.name.end], as: Unicode.UTF8.self)
        return mark + Array(name.utf8) + [0x3A, 0x20] + text[$0.value.start..<$0.value.end]
      }
  }

  // MARK: - Words

  /// Whether a word is this one, which is in lower case, however it is written.
  private static func isSame(_ word: RawSpan, _ lower: StaticString) -> Bool {
    guard word.byteCount == lower.utf8CodeUnitCount else { return false }
    for at in 0..<word.byteCount where lowered(word.byte(at: at)) != lower.utf8Start[at] {
      return false
    }
    return true
  }

  static func lowered(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.map { lowered($0) }, as: Unicode.UTF8.self)
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  private static func trimmed(_ range: ByteRange, _ bytes: RawSpan) -> ByteRange {
    var (start, end) = (range.start, range.end)
    while start < end, isBlank(bytes.byte(at: start)) { start += 1 }
    while end > start, isBlank(bytes.byte(at: end - 1)) { end -= 1 }
    return ByteRange(start, end)
  }

  /// Parts between separators that do not stand in quotes, each trimmed.
  static func split(_ bytes: [UInt8], at separator: UInt8) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    split(bytes.span.bytes, at: separator) { parts.append($0.copied()) }
    return parts
  }

  private static func split(
    _ text: RawSpan, at separator: UInt8, _ body: (RawSpan) -> Void
  ) {
    var start = 0
    var inQuotes = false
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      if byte == 0x22 { inQuotes.toggle() }
      if byte == separator && !inQuotes {
        body(text[trimmed(ByteRange(start, at), text)])
        start = at + 1
      }
    }
    body(text[trimmed(ByteRange(start, text.byteCount), text)])
  }
}

/// The fields of HTTP/2 in the form of a head (RFC 9113 §8.3).
extension Head {
  typealias NamedValue = (name: String, value: [UInt8])

  /// Nil for what is no request: trailers.
  init?(request fields: [NamedValue]) {
    guard let method = fields.first(where: { $0.name == ":method" })?.value else { return nil }
    let path = fields.first { $0.name == ":path" }?.value ?? Array("*".utf8)
    self.init(
      [method, path, Array("HTTP/2".utf8)],
      fields.filter { $0.name != ":method" && $0.name != ":path" })
  }

  /// Nil for what is no response: trailers.
  init?(response fields: [NamedValue]) {
    guard let status = fields.first(where: { $0.name == ":status" })?.value else { return nil }
    self.init([Array("HTTP/2".utf8), status], fields.filter { $0.name != ":status" })
  }

  private init(_ startLine: [[UInt8]], _ fields: [NamedValue]) {
    self.init()
    self.startLine = startLine.map { add($0) }
    self.fields = fields.map { Field(name: add(Array($0.name.utf8)), value: add($0.value)) }
  }

  private mutating func add(_ bytes: [UInt8]) -> ByteRange {
    text += bytes
    return ByteRange(text.count - bytes.count, text.count)
  }
}
