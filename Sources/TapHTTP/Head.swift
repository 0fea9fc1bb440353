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
    fields.filter { $0.name == name }.flatMap { Self.split($0.value, at: 0x2C) }
      .filter { !$0.isEmpty }
  }

  func lists(_ word: String, in name: String) -> Bool {
    list(name).contains { Self.lowered($0) == word }
  }

  /// Parses a whole head, without the empty line that ends it. Lines may end in LF alone.
  static func parse(_ bytes: RawSpan) -> Head {
    var head = Head()
    for (index, line) in split(bytes.copied(), at: 0x0A).enumerated() {
      if index == 0 {
        head.startLine = parts(of: line)
        continue
      }
      guard let colon = line.firstIndex(of: 0x3A) else { continue }
      head.fields.append((lowered(Array(line[..<colon])), trimmed(line[(colon + 1)...])))
    }
    return head
  }

  static func lowered(_ bytes: [UInt8]) -> String {
    String(
      decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }, as: Unicode.UTF8.self)
  }

  static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    let front = Array(bytes.drop(while: isBlank))
    return Array(front.reversed().drop(while: isBlank).reversed())
  }

  /// Parts between separators that do not stand in quotes, each trimmed.
  static func split(_ bytes: [UInt8], at separator: UInt8) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var start = 0
    var inQuotes = false
    for (index, byte) in bytes.enumerated() {
      if byte == 0x22 && separator != 0x0A { inQuotes.toggle() }
      if byte == separator && !inQuotes {
        parts.append(trimmed(bytes[start..<index]))
        start = index + 1
      }
    }
    parts.append(trimmed(bytes[start...]))
    return parts
  }
}
