// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Values as Go's `%+v` prints them: `map[k:v]`, `[a b]`, strings without quotes. Where a string
/// ends is a guess if it has blanks in it; what looks like a number is taken for one.
struct GoReader {
  private static let deepest = 64
  private let line: [UInt8]
  /// Something has strings in it that hide where it ends: it is left out.
  private(set) var isAbridged = false

  init(_ line: RawSpan) { self.line = line.copied() }

  /// A structure's fields in order, from behind its brace; nil when it does not end.
  mutating func fields(_ start: Int) -> [FieldLayout.Field]? {
    var fields: [FieldLayout.Field] = []
    var at = start
    while at < line.count, line[at] != .closeBrace {
      guard let colon = line[at...].firstIndex(of: .colon) else { return nil }
      let name = Array(line[at..<colon])
      if let (value, end) = value(colon + 1, until: .closeBrace, depth: 0), endsField(end) {
        fields.append(FieldLayout.Field(name: name, json: value))
        at = end
      } else {
        guard let end = fieldEnd(colon + 1) else { return nil }
        isAbridged = true
        let json = line[colon + 1] == .openBracket ? "[\"…\"]" : "{\"…\":\"…\"}"
        fields.append(FieldLayout.Field(name: name, json: Array(json.utf8)))
        at = end
      }
      while at < line.count, line[at] == .space { at += 1 }
    }
    return at < line.count ? fields : nil
  }

  /// Whether the next field follows, or the end of the structure, which ends its line.
  private func endsField(_ end: Int) -> Bool {
    guard end < line.count else { return false }
    if line[end] == .space { return beginsField(end + 1) }
    return line[end] == .closeBrace && line[(end + 1)...].allSatisfy(\.isJSONSpace)
  }

  /// Where a list or a map ends that cannot be read: before the last field of arguments, or with
  /// the structure.
  private func fieldEnd(_ start: Int) -> Int? {
    guard start < line.count,
      line[start] == .openBracket || line[start...].starts(with: "map[".utf8)
    else { return nil }
    if let range = line[start...].firstRange(of: Array("] ArgumentsKw:map[".utf8)) {
      return range.lowerBound + 1
    }
    guard let brace = line.lastIndex(where: { !$0.isJSONSpace }), brace > start,
      line[brace] == .closeBrace, line[brace - 1] == .closeBracket
    else { return nil }
    return brace
  }

  private func value(
    _ start: Int, until close: UInt8, depth: Int, isElement: Bool = false
  ) -> (json: [UInt8], end: Int)? {
    if depth > Self.deepest { return nil }
    let rest = line[start...]
    if rest.starts(with: "map[".utf8) { return map(start + 4, depth: depth) }
    if rest.first == .openBracket { return list(start + 1, depth: depth) }
    var end = start
    while end < line.count, line[end] != close {
      if line[end] == .space && (isElement || beginsField(end + 1)) { break }
      end += 1
    }
    guard end < line.count else { return nil }
    return (Self.scalar(Array(line[start..<end])), end)
  }

  private func map(_ start: Int, depth: Int) -> (json: [UInt8], end: Int)? {
    var json: [UInt8] = [.openBrace]
    var at = start
    while at < line.count, line[at] != .closeBracket {
      guard let colon = line[at...].firstIndex(of: .colon),
        let (value, end) = value(colon + 1, until: .closeBracket, depth: depth + 1)
      else { return nil }
      if json.count > 1 { json.append(.comma) }
      json += LiteralString.quoted(line.span.bytes.extracting(at..<colon)) + [.colon] + value
      at = end
      while at < line.count, line[at] == .space { at += 1 }
    }
    return at < line.count ? (json + [.closeBrace], at + 1) : nil
  }

  private func list(_ start: Int, depth: Int) -> (json: [UInt8], end: Int)? {
    var json: [UInt8] = [.openBracket]
    var at = start
    while at < line.count, line[at] != .closeBracket {
      guard let (value, end) = value(at, until: .closeBracket, depth: depth + 1, isElement: true)
      else {
        return nil
      }
      if json.count > 1 { json.append(.comma) }
      json += value
      at = end
      while at < line.count, line[at] == .space { at += 1 }
    }
    return at < line.count ? (json + [.closeBracket], at + 1) : nil
  }

  /// Whether a name and a colon follow, so that a value ends before.
  private func beginsField(_ start: Int) -> Bool {
    var at = start
    while at < line.count, line[at].isOfIdentifier { at += 1 }
    return at > start && at < line.count && line[at] == .colon
  }

  private static func scalar(_ text: [UInt8]) -> [UInt8] {
    switch String(decoding: text, as: Unicode.UTF8.self) {
    case "true", "false": return text
    case "<nil>": return Array("null".utf8)
    default: break
    }
    var digits = DigitReader(text.span.bytes)
    _ = digits.take(.hyphen)
    let isNatural =
      digits.number(most: 19).map { $0.count == 1 || text.first != UInt8(ascii: "0") } ?? false
    if isNatural && digits.at == text.count { return text }
    if isNatural, digits.take(.period), digits.number(most: 18) != nil, digits.at == text.count {
      return text
    }
    return LiteralString.quoted(text.span.bytes)
  }
}
