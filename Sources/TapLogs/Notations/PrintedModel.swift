// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// An object of JSON as pydantic prints it, by the names of its fields: `jsonrpc='2.0' id=1
/// method='ping' params=None`, `Request(method='ping', id=1)`. What stands in a field `root` or
/// `message` of another object is the message of that. Fields with `None` were not sent.
struct PrintedModel {
  private static let deepest = 8

  private var reader = LiteralReader(maximumDepth: 64)
  /// Something of it is not understood.
  private(set) var isAbridged = false

  /// Whether there may be one.
  static func mayBegin(_ line: RawSpan, _ start: Int) -> Bool {
    line.dropping(start).contains("jsonrpc='2.0'")
  }

  /// The object as JSON; nil when there is none.
  mutating func read(_ line: RawSpan, _ start: Int) -> Scratch? {
    var at = start
    if Self.open(line, at) != nil { return value(line, &at, depth: 0) }
    return fields(line, &at, depth: 0)
  }

  /// The offset behind `Name(`; nil where nothing like that stands.
  private static func open(_ line: RawSpan, _ start: Int) -> Int? {
    let at = line.behind(start) { $0.isOfIdentifier }
    let isOne = at > start && at < line.byteCount && line.byte(at: at) == UInt8(ascii: "(")
    return isOne ? at + 1 : nil
  }

  /// A value as JSON, nil for `None` and for what is not understood; `at` is behind it.
  private mutating func value(_ line: RawSpan, _ at: inout Int, depth: Int) -> Scratch? {
    if let begin = Self.open(line, at), depth < Self.deepest {
      at = begin
      let object = fields(line, &at, depth: depth + 1)
      if at < line.byteCount, line.byte(at: at) == UInt8(ascii: ")") { at += 1 }
      return object
    }
    if line.dropping(at).starts(with: "None") {
      at += 4
      return nil
    }
    guard let end = reader.read(line, from: at) else {
      (isAbridged, at) = (true, line.byteCount)
      return nil
    }
    if reader.isAbridged { isAbridged = true }
    at = end
    var json = Scratch()
    json.append(reader.json.bytes)
    return json
  }

  private mutating func fields(_ line: RawSpan, _ at: inout Int, depth: Int) -> Scratch? {
    var json = Scratch()
    while let equals = Self.equals(line, at) {
      let name = line.extracting(at..<equals)
      at = equals + 1
      let isWrapper = name.equals("root") || name.equals("message")
      let isObject = Self.open(line, at) != nil
      let value = value(line, &at, depth: depth)
      if isWrapper && isObject { return value }
      if let value {
        json.append(json.isEmpty ? "{\"" : ",\"")
        json.append(name)
        json.append("\":")
        json.append(value.bytes)
      }
      while at < line.byteCount, line.byte(at: at) == .comma || line.byte(at: at) == .space {
        at += 1
      }
    }
    if json.isEmpty { return nil }
    json.append("}")
    return json
  }

  /// Where `=` stands behind a name.
  private static func equals(_ line: RawSpan, _ start: Int) -> Int? {
    let at = line.behind(start) { $0.isWord }
    return at > start && at < line.byteCount && line.byte(at: at) == UInt8(ascii: "=") ? at : nil
  }
}
