// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Parses the notations in which programs print values.
enum MQTTLogNotation {
  /// `7`, `0xc2`, `true` or `false`; nil for anything else, such as `undefined`.
  static func number(_ text: RawSpan) -> Int? {
    if text.equals("true") { return 1 }
    if text.equals("false") { return 0 }
    guard text.byteCount > 0, text.byteCount < 11 else { return nil }
    if text.starts(with: "0x") {
      return text.byteCount > 2 ? text.hexNumber(at: 2, digits: text.byteCount - 2) : nil
    }
    return JSON.natural(text, ByteRange(0, text.byteCount)).map { Int($0) }
  }

  /// All numbers of a list: `1, 2`.
  static func numbers(_ text: RawSpan) -> [Int] {
    var found: [Int] = []
    var at = 0
    while at < text.byteCount {
      let end = digits(text, at)
      if end > at, let value = number(text.extracting(at..<end)) { found.append(value) }
      at = max(end, at + 1)
    }
    return found
  }

  private static func digits(_ text: RawSpan, _ start: Int) -> Int {
    var end = start
    while end < text.byteCount, text.byte(at: end).isDigit { end += 1 }
    return end
  }

  /// `104, 105`; nil when the list is abridged.
  static func octets(_ text: RawSpan) -> [UInt8]? {
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      guard byte.isDigit || byte == .comma || byte == .space else { return nil }
    }
    let found = numbers(text)
    return found.allSatisfy { $0 < 256 } ? found.map { UInt8($0) } : nil
  }

  /// The content of Python bytes between the quotes: `caf\xc3\xa9`.
  static func bytes(_ text: RawSpan) -> [UInt8] {
    var content = Scratch()
    _ = Escape.unescape(text, 0, until: 0, isBytes: true, into: &content)
    return content.bytes.copied()
  }

  /// `(b'a/#', 1), (b'b/+', {QoS=1, …})`, `b'a/#', b'b'`, `('a/#', 1)`, or `['a/#', 'b']`
  static func pythonFilters(_ text: RawSpan) -> [MQTTLoggedPacket.Filter] {
    var found: [MQTTLoggedPacket.Filter] = []
    var at = 0
    while at + 1 < text.byteCount {
      let quote = text.byte(at: at + 1)
      let before = text.byte(at: at)
      guard "b([ ".utf8.contains(before), quote == .quote || quote == .apostrophe
      else {
        at += 1
        continue
      }
      let start = at + 2
      at = start
      while at < text.byteCount, text.byte(at: at) != quote {
        at += text.byte(at: at) == UInt8(ascii: "\\") ? 2 : 1
      }
      let end = min(at, text.byteCount)
      let behind = text.dropping(min(end + 1, text.byteCount))
      found.append(
        MQTTLoggedPacket.Filter(text: bytes(text.extracting(start..<end)), qos: qos(behind)))
      at = end + 1
    }
    return found
  }

  /// `, 1)` or `, {QoS=1, …`
  private static func qos(_ text: RawSpan) -> Int? {
    let at = text.starts(with: ", {QoS=") ? 7 : text.starts(with: ", ") ? 2 : -1
    guard at > 0, at < text.byteCount else { return nil }
    return number(text.extracting(at..<digits(text, at)))
  }

  /// `a/#(#{nl => 0,qos => 1,…}), b/+(#{…})`, or filters with commas between them.
  static func emqxFilters(_ text: RawSpan) -> [MQTTLoggedPacket.Filter] {
    split(text, at: ", ").map { one in
      let bytes = one.span.bytes
      guard let open = bytes.firstIndex(of: "(#{") else {
        return MQTTLoggedPacket.Filter(text: one)
      }
      var filter = MQTTLoggedPacket.Filter(text: Array(one[..<open]))
      if let at = bytes.firstIndex(of: "qos => ") {
        filter.qos = number(bytes.extracting(at + 7..<digits(bytes, at + 7)))
      }
      return filter
    }
  }

  /// `a/#)`, or for several `a/#)  SUBSCRIBE(id: 1, topics: b/+)`
  static func cocoaFilters(_ text: RawSpan) -> [MQTTLoggedPacket.Filter] {
    split(text, at: ")  ").compactMap { one in
      var start = 0
      if let at = one.span.bytes.firstIndex(of: " topics: ") { start = at + 9 }
      let end = one.count - (one.last == UInt8(ascii: ")") ? 1 : 0)
      return start < end ? MQTTLoggedPacket.Filter(text: Array(one[start..<end])) : nil
    }
  }

  private static func split(_ text: RawSpan, at words: StaticString) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var start = 0
    while let end = text.firstIndex(of: words, from: start) {
      found.append(text.extracting(start..<end).copied())
      start = end + words.utf8CodeUnitCount
    }
    if start < text.byteCount { found.append(text.dropping(start).copied()) }
    return found
  }

  /// Whether this is how programs print a missing text.
  static func isNothing(_ text: RawSpan) -> Bool {
    text.isEmpty || text.equals("(null)") || text.equals("nil") || text.equals("undefined")
  }

  /// The code with a name such as `Not authorized`; nil when this packet type has no such code.
  static func code(named name: RawSpan, _ type: MQTTType) -> Int? {
    (0..<256).first { code in
      MQTTReason.name(UInt8(code), in: type, level: MQTTLevel.v5).map { name.equals($0) } ?? false
    }
  }

  /// Writes bytes as JSON: a string, or base64 where they are no text.
  static func append(_ bytes: [UInt8], to json: inout TextBuffer) {
    if JSONString.append(bytes.span.bytes, to: &json) == nil { return }
    Base64.appendObject(bytes.span.bytes, to: &json)
  }
}
