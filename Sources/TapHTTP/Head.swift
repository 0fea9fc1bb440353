// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The head of an HTTP/1 request or response (RFC 9112 §2), as far as an upgrade needs it.
struct Head {
  /// `GET /ws HTTP/1.1`, or `HTTP/1.1 101 Switching Protocols`, by its three parts.
  var startLine: [[UInt8]] = []
  /// Names in lower case, values without the white space around them, in order.
  var fields: [(name: String, value: [UInt8])] = []

  var isResponse: Bool { startLine.first?.starts(with: "HTTP/".utf8) ?? false }

  var method: String { startLine.first.map { String(decoding: $0, as: Unicode.UTF8.self) } ?? "" }
  var target: [UInt8] { startLine.count > 1 ? startLine[1] : [] }

  /// The status of a response; nil when it has none.
  var status: Int? {
    guard isResponse, startLine.count > 1 else { return nil }
    return Int(String(decoding: startLine[1], as: Unicode.UTF8.self))
  }

  var reason: [UInt8] { startLine.count > 2 ? startLine[2] : [] }

  /// Line by line as it was sent: `> GET /ws HTTP/1.1` and what was asked for, or
  /// `< HTTP/1.1 101 …` and what was granted.
  var lines: [[UInt8]] {
    let mark = Array((isResponse ? "< " : "> ").utf8)
    let first = mark + Array(startLine.joined(separator: [0x20]))
    return [first] + fields.map { mark + Array($0.name.utf8) + [0x3A, 0x20] + $0.value }
  }

  /// Takes off what stands before the version of a response; answers how many bytes that were, nil
  /// when there is no version.
  mutating func dropBeginning() -> Int? {
    let line = Array(startLine.joined(separator: [0x20]))
    let version = Array("HTTP/1.".utf8)
    guard let start = line.indices.first(where: { line[$0...].starts(with: version) }) else {
      return nil
    }
    startLine = Self.parts(of: line[start...])
    return start
  }

  private static func parts(of line: some Sequence<UInt8>) -> [[UInt8]] {
    line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: true).map { Array($0) }
  }

  func value(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

  /// The elements of a comma-separated list field, over all its lines (RFC 9110 §5.6.1).
  func list(_ name: String) -> [[UInt8]] {
    var elements: [[UInt8]] = []
    for field in fields where field.name == name {
      for element in Self.split(field.value, at: 0x2C) where !element.isEmpty {
        elements.append(element)
      }
    }
    return elements
  }

  /// Whether a list has a word, which is in lower case, however it is written there.
  func lists(_ word: StaticString, in name: String) -> Bool {
    list(name).contains { element in
      element.count == word.utf8CodeUnitCount
        && element.indices.allSatisfy { Self.lowered(element[$0]) == word.utf8Start[$0] }
    }
  }

  /// Parses a whole head, without the empty line that ends it. Lines may end in LF alone.
  static func parse(_ bytes: RawSpan) -> Head {
    var head = Head()
    head.fields.reserveCapacity(16)
    var at = 0
    while at < bytes.byteCount {
      let end = bytes.firstIndex(of: 0x0A, from: at) ?? bytes.byteCount
      let line = trimmed(bytes.extracting(at..<end))
      if at == 0 {
        head.startLine = parts(of: line.copied())
      } else if let colon = line.firstIndex(of: 0x3A) {
        let name = lowered(line.extracting(0..<colon))
        head.fields.append((name, trimmed(line.dropping(colon + 1)).copied()))
      }
      at = end + 1
    }
    return head
  }

  static func lowered(_ bytes: [UInt8]) -> String { lowered(bytes.span.bytes) }

  private static func lowered(_ bytes: RawSpan) -> String {
    unsafe String(unsafeUninitializedCapacity: bytes.byteCount) { text in
      for at in 0..<bytes.byteCount { unsafe text[at] = lowered(bytes.byte(at: at)) }
      return bytes.byteCount
    }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  @_lifetime(copy bytes)
  private static func trimmed(_ bytes: RawSpan) -> RawSpan {
    var (start, end) = (0, bytes.byteCount)
    while start < end, isBlank(bytes.byte(at: start)) { start += 1 }
    while end > start, isBlank(bytes.byte(at: end - 1)) { end -= 1 }
    return bytes.extracting(start..<end)
  }

  /// Parts between separators that do not stand in quotes, each trimmed.
  static func split(_ bytes: [UInt8], at separator: UInt8) -> [[UInt8]] {
    let text = bytes.span.bytes
    var parts: [[UInt8]] = []
    var start = 0
    var inQuotes = false
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      if byte == 0x22 { inQuotes.toggle() }
      if byte == separator && !inQuotes {
        parts.append(trimmed(text.extracting(start..<at)).copied())
        start = at + 1
      }
    }
    parts.append(trimmed(text.dropping(start)).copied())
    return parts
  }
}
