// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The head of an HTTP/1 request or response (RFC 9112 §2), as far as an upgrade needs it: its
/// text, and where its parts are. A part is looked up when it is needed, and copied only if it has
/// to outlive the head: each connection has two heads.
struct Head {
  /// Bytes that a head has at least: `HTTP/1.1 200`, and the two line ends.
  static let least = 16

  private struct Field {
    var name: ByteRange
    /// Without the white space around it.
    var value: ByteRange
  }

  private var text: [UInt8] = []
  /// `GET /ws HTTP/1.1`, or `HTTP/1.1 101 Switching Protocols`, by its three parts.
  private var startLine = [3 of ByteRange](repeating: ByteRange())
  private var partCount = 0
  /// In the order in which they were sent.
  private var fields: ContiguousArray<Field> = []
  /// A bit for each length of a field name, modulo 64: most names that are looked up are absent,
  /// and are ruled out by it.
  private var lengths: UInt64 = 0

  init() {}

  /// Parses a complete head, without the empty line that ends it. Lines may end in LF alone.
  init(parsing bytes: RawSpan) {
    text = bytes.copied()
    fields.reserveCapacity(16)
    var at = 0
    while at < bytes.byteCount {
      let end = bytes.firstIndex(of: .lineFeed, from: at) ?? bytes.byteCount
      let line = Self.line(ByteRange(at, end), bytes)
      if at == 0 {
        setStartLine(line)
      } else if bytes.byte(at: at).isWSP, let last = fields.indices.last {
        unfold(line, fields[last].value, of: last)
      } else if let colon = bytes[line].firstIndex(of: .colon) {
        let name = ByteRange(line.start, line.start + colon)
        add(Field(name: name, value: Self.trimmed(ByteRange(name.end + 1, line.end), bytes)))
      }
      at = end + 1
    }
  }

  /// A line that begins with white space goes on with the value before it (RFC 9112 §5.2).
  private mutating func unfold(_ line: ByteRange, _ value: ByteRange, of field: Int) {
    for at in value.end..<line.start { text[at] = .space }
    let whole = ByteRange(value.start, line.end)
    fields[field].value = Self.trimmed(whole, text.span.bytes)
  }

  private mutating func add(_ field: Field) {
    lengths |= 1 &<< UInt64(field.name.count)
    fields.append(field)
  }

  // MARK: - The start line

  var isResponse: Bool { bytes[startLine[0]].starts(with: "HTTP/") }

  var method: String { String(decoding: text[part(0)], as: Unicode.UTF8.self) }
  var target: [UInt8] { Array(text[part(1)]) }
  var targetPlace: ByteRange { startLine[1] }
  var reason: ArraySlice<UInt8> { text[part(2)] }

  var hasFragment: Bool { bytes[startLine[1]].firstIndex(of: UInt8(ascii: "#")) != nil }

  func isMethod(_ name: StaticString) -> Bool { bytes[startLine[0]].equals(name) }

  /// The status of a response; nil when it has none.
  var status: Int? {
    guard isResponse, partCount > 1 else { return nil }
    let digits = bytes[startLine[1]]
    if digits.byteCount == 3 {
      var status = 0
      for at in 0..<3 {
        let digit = Int(digits.byte(at: at)) - 0x30
        status = digit >= 0 && digit < 10 && status >= 0 ? status * 10 + digit : -1
      }
      if status >= 0 { return status }
    }
    return Int(String(decoding: text[part(1)], as: Unicode.UTF8.self))
  }

  /// Whether this is the HTTP version, as written in the head.
  func isVersion(_ version: StaticString) -> Bool {
    bytes[startLine[isResponse ? 0 : 2]].equals(version)
  }

  private func part(_ index: Int) -> Range<Int> { startLine[index].start..<startLine[index].end }

  /// Removes what comes before the version of a response; returns how many bytes that were, nil
  /// when there is no version.
  mutating func dropBeginning() -> Int? {
    let line = shownStartLine
    let version = Array("HTTP/1.".utf8)
    guard let start = line.indices.first(where: { line[$0...].starts(with: version) }) else {
      return nil
    }
    setStartLine(add(Array(line[start...])))
    return start
  }

  private var shownStartLine: [UInt8] {
    Array((0..<partCount).map { text[part($0)] }.joined(separator: [0x20]))
  }

  /// Splits a line into its first two words and the rest.
  private mutating func setStartLine(_ line: ByteRange) {
    (startLine, partCount) = ([3 of ByteRange](repeating: ByteRange()), 0)
    var start = line.start
    while partCount < 2, let blank = bytes.firstIndex(of: .space, from: start), blank < line.end {
      if blank > start { addPart(ByteRange(start, blank)) }
      start = blank + 1
    }
    if start < line.end { addPart(ByteRange(start, line.end)) }
  }

  private mutating func addPart(_ part: ByteRange) {
    startLine[partCount] = part
    partCount += 1
  }

  // MARK: - Fields, by their names in lower case

  /// The text that the ranges refer to.
  var bytes: RawSpan { @_lifetime(borrow self) get { text.span.bytes } }

  func has(_ name: StaticString) -> Bool { count(name) > 0 }

  /// How many lines of a field there are.
  func count(_ name: StaticString) -> Int {
    var count = 0
    var index = -1
    while let next = line(of: name, after: index) { (index, count) = (next, count + 1) }
    return count
  }

  /// Range of the value in the first line of a field; nil when there is none.
  func place(_ name: StaticString) -> ByteRange? {
    line(of: name, after: -1).map { fields[$0].value }
  }

  /// The value in the first line of a field.
  func value(_ name: StaticString) -> [UInt8]? { place(name).map { bytes[$0].copied() } }

  /// The next line of a field after another one.
  private func line(of name: StaticString, after index: Int) -> Int? {
    let count = name.utf8CodeUnitCount
    if lengths & (1 &<< UInt64(count)) == 0 { return nil }
    var index = index + 1
    while index < fields.count {
      let found = fields[index].name
      if found.count == count && bytes[found].equals(lowered: name) { return index }
      index += 1
    }
    return nil
  }

  /// The elements of a comma-separated list field, over all its lines (RFC 9110 §5.6.1).
  func list(_ name: StaticString) -> [[UInt8]] {
    var elements: [[UInt8]] = []
    forEachElement(of: name) { elements.append($0.copied()) }
    return elements
  }

  /// Whether a list contains a word, ignoring case. The word must be in lower case.
  func lists(_ word: StaticString, in name: StaticString) -> Bool {
    var index = -1
    while let next = line(of: name, after: index) {
      let value = bytes[fields[next].value]
      if value.equals(lowered: word) { return true }
      if value.byteCount > word.utf8CodeUnitCount {
        var isThere = false
        Self.split(value, at: 0x2C) { if $0.equals(lowered: word) { isThere = true } }
        if isThere { return true }
      }
      index = next
    }
    return false
  }

  func forEachElement(of name: StaticString, _ body: (RawSpan) -> Void) {
    var index = -1
    while let next = line(of: name, after: index) {
      Self.split(bytes[fields[next].value], at: 0x2C) { if !$0.isEmpty { body($0) } }
      index = next
    }
  }

  /// The lines of the head as they were sent, with a mark for the direction: `> GET /ws HTTP/1.1`,
  /// `< HTTP/1.1 101 …`. Names are in lower case.
  var lines: [[UInt8]] {
    let mark = Array((isResponse ? "< " : "> ").utf8)
    return [mark + shownStartLine]
      + fields.map {
        let name = text[$0.name.start..<$0.name.end].map { Self.lowered($0) }
        let shown = String(decoding: name, as: Unicode.UTF8.self)
        return mark + Array(shown.utf8) + [0x3A, 0x20] + text[$0.value.start..<$0.value.end]
      }
  }

  // MARK: - Words

  static func lowered(_ bytes: RawSpan) -> [UInt8] { bytes.copied().map { lowered($0) } }

  private static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte.isWSP || byte == .carriageReturn
  }

  /// A line without its CR, and without the white space around it, which is rare.
  @inline(__always)
  private static func line(_ range: ByteRange, _ bytes: RawSpan) -> ByteRange {
    let last = range.end - 1
    guard range.count > 2, bytes.byte(at: range.start) > 0x20,
      bytes.byte(at: last) == .carriageReturn,
      bytes.byte(at: last - 1) > 0x20
    else { return trimmed(range, bytes) }
    return ByteRange(range.start, last)
  }

  private static func trimmed(_ range: ByteRange, _ bytes: RawSpan) -> ByteRange {
    var (start, end) = (range.start, range.end)
    while start < end, isBlank(bytes.byte(at: start)) { start += 1 }
    while end > start, isBlank(bytes.byte(at: end - 1)) { end -= 1 }
    return ByteRange(start, end)
  }

  @_lifetime(copy text) static func trimmed(_ text: RawSpan) -> RawSpan {
    text[trimmed(ByteRange(0, text.byteCount), text)]
  }

  /// Without the quotes around it, if there are any (RFC 9110 §5.6.4).
  @_lifetime(copy text) static func unquoted(_ text: RawSpan) -> RawSpan {
    let last = text.byteCount - 1
    guard last > 0, text.byte(at: 0) == .quote, text.byte(at: last) == .quote else { return text }
    return text[ByteRange(1, last)]
  }

  /// The parts between separators outside of quotes, each trimmed.
  static func split(_ text: RawSpan, at separator: UInt8, _ body: (RawSpan) -> Void) {
    guard text.firstIndex(of: separator) != nil else {
      return body(trimmed(text))
    }
    var start = 0
    var inQuotes = false
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      if byte == .quote { inQuotes.toggle() }
      if byte == separator && !inQuotes {
        body(trimmed(text[ByteRange(start, at)]))
        start = at + 1
      }
    }
    body(trimmed(text.dropping(start)))
  }
}

/// The fields of HTTP/2 as a head (RFC 9113 §8.3).
extension Head {
  typealias NamedValue = (name: String, value: [UInt8])

  /// Nil for trailers, which are not a request.
  init?(request fields: [NamedValue]) {
    guard let method = fields.first(where: { $0.name == ":method" })?.value else { return nil }
    let path = fields.first { $0.name == ":path" }?.value ?? Array("*".utf8)
    self.init(
      [method, path, Array("HTTP/2".utf8)],
      fields.filter { $0.name != ":method" && $0.name != ":path" })
  }

  /// Nil for trailers, which are not a response.
  init?(response fields: [NamedValue]) {
    guard let status = fields.first(where: { $0.name == ":status" })?.value else { return nil }
    self.init([Array("HTTP/2".utf8), status], fields.filter { $0.name != ":status" })
  }

  private init(_ startLine: [[UInt8]], _ fields: [NamedValue]) {
    self.init()
    for part in startLine { addPart(add(part)) }
    for field in fields {
      add(Field(name: add(Array(field.name.utf8)), value: add(field.value)))
    }
  }

  private mutating func add(_ bytes: [UInt8]) -> ByteRange {
    text += bytes
    return ByteRange(text.count - bytes.count, text.count)
  }
}
