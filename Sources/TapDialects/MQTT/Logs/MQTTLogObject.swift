// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Reads an object as Node.js prints it (`util.inspect`), on one line or several:
/// `{ cmd: 'publish', payload: <Buffer 68 69>, qos: 0 }`.
struct MQTTLogObject {
  /// A member, or an element of a list, which has no key.
  struct Member {
    var key: ByteRange
    var value: ByteRange
  }

  /// Whether all brackets and strings are closed.
  static func isWhole(_ text: RawSpan) -> Bool {
    var at = 0
    return text.byteCount > 0 && skip(text, &at)
  }

  /// Where a line continues an object: it is indented there, or closes a bracket. A prefix of a log
  /// collector, or on a terminal the logger's name, may come first. Nil for a line that does not
  /// continue it.
  ///
  /// - Parameter shape: the prefix of the object's first line.
  static func next(_ line: RawSpan, _ shape: NarratedMargin) -> Int? {
    func mayContinue(_ at: Int) -> Bool {
      at < line.byteCount && (line.byte(at: at) == .space || isClosing(line.byte(at: at)))
    }
    var start = 0
    while start < line.byteCount, line.byte(at: start) == .space { start += 1 }
    if line.dropping(start).starts(with: "mqttjs:client ") {
      return mayContinue(start + 14) ? start + 14 : nil
    }
    if mayContinue(0) { return 0 }
    return (0..<min(line.byteCount, NarratedMargin.longest)).first {
      line.byte(at: $0) == .space && mayContinue($0 + 1)
        && shape.begins(with: NarratedMargin(line.extracting(0..<$0 + 1)))
    }.map { $0 + 1 }
  }

  /// The members of an object, or the elements of a list.
  static func members(_ text: RawSpan) -> [Member] {
    var found: [Member] = []
    var at = 1
    while at < text.byteCount {
      while at < text.byteCount, isGap(text.byte(at: at)) { at += 1 }
      guard at < text.byteCount, !isClosing(text.byte(at: at)) else { break }
      var key = ByteRange()
      let start = at
      while at < text.byteCount, text.byte(at: at).isWord { at += 1 }
      if at > start, at + 1 < text.byteCount, text.byte(at: at) == UInt8(ascii: ":") {
        key = ByteRange(start, at)
        at += 2
      } else {
        at = start
      }
      let value = at
      guard skip(text, &at) else { break }
      var end = at
      while end > value, text.byte(at: end - 1) <= 0x20 { end -= 1 }
      found.append(Member(key: key, value: ByteRange(value, end)))
    }
    return found
  }

  /// Skips one value; false when it is incomplete.
  private static func skip(_ text: RawSpan, _ at: inout Int) -> Bool {
    var depth = 0
    while at < text.byteCount {
      let byte = text.byte(at: at)
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        at += 1
        while at < text.byteCount, text.byte(at: at) != byte {
          at += text.byte(at: at) == UInt8(ascii: "\\") ? 2 : 1
        }
        if at >= text.byteCount { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return true }
        depth -= 1
        if depth == 0 {
          at += 1
          return true
        }
      case UInt8(ascii: ",") where depth == 0: return true
      default: break
      }
      at += 1
    }
    return false
  }

  private static func isGap(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",")
  }

  private static func isClosing(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  /// A string, or bytes that are printed completely; nil for anything else.
  static func text(_ value: RawSpan) -> [UInt8]? {
    if let string = string(value) { return string.isCut ? nil : string.text }
    let last = value.byteCount - 1
    guard last > 0, value.starts(with: "<Buffer"), value.byte(at: last) == UInt8(ascii: ">") else {
      return nil
    }
    let digits = value.extracting(7..<last).copied().filter { $0 != .space }
    return digits.span.bytes.hexOctets()
  }

  /// A string, which may be printed in pieces, `'abc' +` and `'def'` below it, or without its end,
  /// `'abc'... 9 more characters`; nil for anything else.
  static func string(_ value: RawSpan) -> (text: [UInt8], isCut: Bool)? {
    var content = Scratch()
    var at = 0
    while at < value.byteCount {
      let quote = value.byte(at: at)
      guard quote == .apostrophe || quote == .quote || quote == UInt8(ascii: "`") else {
        return nil
      }
      let start = at + 1
      var end = start
      while end < value.byteCount, value.byte(at: end) != quote {
        end += value.byte(at: end) == .backslash ? 2 : 1
      }
      guard end < value.byteCount else { return nil }
      let piece = value.extracting(start..<end)
      _ = Escape.unescape(piece, 0, until: 0, isBytes: false, into: &content)
      let rest = value.dropping(end + 1)
      if rest.isEmpty { return (content.bytes.copied(), false) }
      if rest.starts(with: "... ") { return (content.bytes.copied(), true) }
      guard rest.starts(with: " +\n") else { return nil }
      at = value.behindSpace(end + 3)
    }
    return nil
  }

  /// The number of bytes when not all are printed: `<Buffer 00 … 30 more bytes>`.
  static func count(_ value: RawSpan) -> Int? {
    guard value.starts(with: "<Buffer"), let more = value.firstIndex(of: " ... "),
      let end = value.firstIndex(of: .space, from: more + 5),
      let rest = MQTTLogNotation.number(value.extracting(more + 5..<end))
    else { return nil }
    return (more - 7) / 3 + rest
  }
}

extension MQTTLoggedPacket {
  private static let keys: [(key: StaticString, field: MQTTLogField)] = [
    ("clientId", .client), ("username", .user), ("password", .password), ("topic", .topic),
    ("payload", .payload), ("messageId", .id), ("qos", .qos), ("retain", .retain), ("dup", .dup),
    ("keepalive", .keepAlive), ("clean", .clean), ("protocolVersion", .level),
    ("reasonCode", .code), ("returnCode", .code), ("sessionPresent", .present),
  ]

  /// Takes all fields of an object; false when it does not name the packet type.
  @discardableResult
  mutating func set(object: RawSpan) -> Bool {
    // Read the type first, as the meaning of numbers depends on it.
    let members = MQTTLogObject.members(object)
    var isNamed = false
    for member in members where object[member.key].equals("cmd") {
      guard let name = MQTTLogObject.text(object[member.value]) else { continue }
      set(.type, name.span.bytes)
      isNamed = true
    }
    for member in members {
      let (key, value) = (object[member.key], object[member.value])
      if key.equals("subscriptions") || key.equals("unsubscriptions") { filters(value) }
      if key.equals("will") { will(value) }
      guard let field = Self.keys.first(where: { key.equals($0.key) })?.field else { continue }
      if let text = MQTTLogObject.text(value) {
        set(field, text.span.bytes)
      } else if field == .payload, let string = MQTTLogObject.string(value) {
        set(payloadBeginning: string.text)
      } else if field == .payload, let count = MQTTLogObject.count(value) {
        set(.bytes, count)
      } else if let number = MQTTLogNotation.number(value) {
        set(field, number)
      }
    }
    return isNamed
  }

  private mutating func filters(_ list: RawSpan) {
    for element in MQTTLogObject.members(list) {
      let value = list[element.value]
      if let text = MQTTLogObject.text(value) {
        filters.append(Filter(text: text))
        continue
      }
      var filter = Filter(text: [])
      for member in MQTTLogObject.members(value) {
        if value[member.key].equals("topic") {
          filter.text = MQTTLogObject.text(value[member.value]) ?? []
        }
        if value[member.key].equals("qos") {
          filter.qos = MQTTLogNotation.number(value[member.value])
        }
      }
      filters.append(filter)
    }
  }

  private mutating func will(_ object: RawSpan) {
    set(.will, 1)
    for member in MQTTLogObject.members(object) {
      let (key, value) = (object[member.key], object[member.value])
      if key.equals("topic"), let text = MQTTLogObject.text(value) {
        set(.willTopic, text.span.bytes)
      }
      if key.equals("payload"), let text = MQTTLogObject.text(value) {
        set(.willPayload, text.span.bytes)
      }
      if key.equals("qos"), let qos = MQTTLogNotation.number(value) { set(.willQoS, qos) }
      if key.equals("retain"), let flag = MQTTLogNotation.number(value) {
        set(.willRetain, flag)
      }
    }
  }
}
