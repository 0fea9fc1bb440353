// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Reads a packet that ejabberd prints as a record of Erlang, and writes the JSON that stands for
/// it. Its keys are those of that JSON but for underscores and a few words.
struct EjabberdRecord: ~Copyable {
  private let text: [UInt8]
  private var at = 0
  /// The members of the body, each with a comma behind it.
  private var body = TextBuffer(capacity: 256)
  private var id: Int?
  private var qos: Int?
  private var depth = 0
  private(set) var type: MQTTType?
  /// The protocol level of the connection.
  private(set) var level: Int?
  private(set) var isRefusal = false

  init(_ text: [UInt8], level: Int?) { (self.text, self.level) = (text, level) }

  /// Filters of a SUBSCRIBE and user properties are the deepest that occur.
  private static let deepest = 8

  /// Records that are printed without the names of their fields.
  private static let unnamed: [MQTTType: [String]] = [
    .unsubscribe: ["id", "filters", "properties"], .unsuback: ["id", "codes", "properties"],
  ]

  /// - Returns: whether it is complete; what was read until then is kept.
  mutating func read() -> Bool {
    let isNamed = skip("#")
    if !isNamed && !skip("{") { return false }
    let name = word().uppercased()
    type = MQTTType.allCases.first { $0.name.description == name }
    guard let type else { return false }
    if isNamed { return members("=") }
    for field in Self.unnamed[type] ?? [] {
      if !skip(",") || !member(field) { return false }
    }
    return true
  }

  /// `{"mqtt":"PUBLISH","ids":{"packet":7},"body":{…}}`
  var json: [UInt8] {
    var json = TextBuffer(capacity: 64 + body.count)
    json.append("{")
    json.member("mqtt", word: type?.name ?? "")
    // For messages of QoS 0, it prints an identifier that is not sent.
    if let id, type != .publish || qos != 0 { json.object("ids") { $0.member("packet", id) } }
    let content = body.bytes
    json.object("body") { $0.append(content.extracting(0..<max(0, content.byteCount - 1))) }
    json.append("}")
    return json.bytes.copied()
  }

  // MARK: - Members

  /// `{key = value,…}` or `{key => value,…}`
  private mutating func members(_ sign: StaticString) -> Bool {
    if !skip("{") { return false }
    while !skip("}") {
      let key = word()
      if key.isEmpty || !skip(sign) || !member(key) { return false }
      _ = skip(",")
    }
    return true
  }

  private mutating func member(_ key: String) -> Bool {
    let start = body.count
    let name = Self.key(key, type)
    body.append("\"\(name ?? "")\":")
    let from = body.count
    let isWhole = value(of: key)
    let (isNothing, number) = Self.meaning(body.bytes.dropping(from))
    switch key {
    case "id" where start == 0: id = number
    case "qos": qos = number
    case "proto_level": level = number
    case "code": isRefusal = number ?? 0 > 0
    default: break
    }
    if !isWhole || isNothing || name == nil || isLeftOut(key, number) {
      body.truncate(start)
    } else {
      body.append(",")
    }
    return isWhole
  }

  private static func meaning(_ written: RawSpan) -> (isNothing: Bool, number: Int?) {
    let isNothing = written.isEmpty || written.equals("null") || written.equals("{}")
    return (isNothing, MQTTLogNotation.number(written))
  }

  /// What is not sent, or not at this level, and what is the same where it is not sent.
  private func isLeftOut(_ key: String, _ number: Int?) -> Bool {
    let isOld = level != Int(MQTTLevel.v5)
    switch key {
    case "properties": return isOld
    case "code": return type != .connack && (isOld || number == 0)
    case "codes": return isOld && type == .unsuback
    default: return false
    }
  }

  /// Fields of records whose names are not those of the JSON but for underscores.
  private static let renamed = [
    "proto_level": "protocolVersion", "code": "reasonCode", "codes": "reasonCodes",
    "user_property": "userProperties", "maximum_qos": "maximumQoS",
  ]
  /// All others that are shown, as what is unknown may be a credential.
  private static let known = Set(
    MQTTProperty.allCases.map { $0.entry.key.description } + fields)
  private static let fields = [
    "will", "cleanStart", "keepAlive", "clientId", "username", "password", "sessionPresent", "dup",
    "qos", "retain", "topic", "payload", "properties", "noLocal", "retainAsPublished",
    "retainHandling",
  ]

  /// Nil for one that is not shown.
  private static func key(_ name: String, _ type: MQTTType?) -> String? {
    if name == "filters" { return type == .subscribe ? "subscriptions" : "topicFilters" }
    if let key = renamed[name] { return key }
    let words = name.split(separator: "_")
    let key = words.dropFirst().reduce(String(words.first ?? "")) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
    return known.contains(key) ? key : nil
  }

  // MARK: - Values

  private mutating func value(of key: String) -> Bool {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest { return false }
    if skip("<<") { return bytes() }
    if skip("[") {
      body.append("[")
      return list(until: "]", key)
    }
    if skip("#") {
      let isRecord = !word().isEmpty
      let start = body.count
      body.append("{")
      if !members(isRecord ? "=" : "=>") { return false }
      if body.count > start + 1 { body.truncate(body.count - 1) }
      body.append("}")
      return true
    }
    if skip("{") {
      if key == "filters" { return filter() }
      body.append("[")
      return list(until: "}", key)
    }
    let atom = word()
    if atom.isEmpty { return false }
    if let number = code(atom, key) ?? Int(atom) {
      body.append(decimal: number)
    } else if atom == "undefined" || key == "code" || key == "codes" {
      body.append("null")
    } else if atom == "true" || atom == "false" {
      body.append(atom)
    } else {
      body.append(jsonString: Array(atom.utf8).span.bytes)
    }
    return true
  }

  private mutating func list(until end: StaticString, _ key: String) -> Bool {
    while !skip(end) {
      if !value(of: key) { return false }
      if skip(",") { body.append(",") }
    }
    body.append("]")
    return true
  }

  /// `{<<"t/#">>,#sub_opts{qos = 1,…}}`
  private mutating func filter() -> Bool {
    body.append(#"{"topicFilter":"#)
    guard value(of: ""), skip(","), skip("#") else { return false }
    _ = word()
    body.append(",")
    if !members("=") || !skip("}") { return false }
    body.truncate(body.count - 1)
    body.append("}")
    return true
  }

  /// The number of a reason code with a name such as `topic-name-invalid`.
  private func code(_ name: String, _ key: String) -> Int? {
    guard key == "code" || key == "codes" else { return nil }
    if name == "success" || name == "normal-disconnection" { return 0 }
    let wanted = name.split(separator: "-").joined(separator: " ")
    let code = MQTTReason.all.first {
      $0.name.description.lowercased().replacing("-", with: " ") == wanted
    }
    guard let code = code.map({ Int($0.code) }), type == .connack, level != Int(MQTTLevel.v5)
    else { return code.map { Int($0.code) } }
    return [0x84: 1, 0x85: 2, 0x88: 3, 0x86: 4, 0x87: 5][code] ?? 0x80
  }

  /// `"text">>` or `104,105>>`. Each character of a text is one byte.
  private mutating func bytes() -> Bool {
    var bytes: [UInt8] = []
    while !skip(">>") {
      if skip("\"") {
        guard let end = endOfString() else { return false }
        bytes += Self.unescaped(text[at..<end])
        at = end + 1
      } else if let byte = UInt8(word()) {
        bytes.append(byte)
      } else {
        return false
      }
      _ = skip(",")
    }
    MQTTLogNotation.append(bytes, to: &body)
    return true
  }

  private func endOfString() -> Int? {
    var end = at
    while end < text.count, text[end] != .quote { end += text[end] == .backslash ? 2 : 1 }
    return end < text.count ? end : nil
  }

  /// Others do not occur in what is printed as text.
  private static let escapes: [Unicode.Scalar: UInt8] = [
    "n": 10, "r": 13, "t": 9, "b": 8, "f": 12, "v": 11, "e": 27, "d": 127, "s": 32,
  ]

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var isEscape = false
    for one in String(decoding: text, as: Unicode.UTF8.self).unicodeScalars {
      if !isEscape && one == "\\" {
        isEscape = true
        continue
      }
      let byte = UInt8(truncatingIfNeeded: one.value)
      bytes.append(isEscape ? escapes[one] ?? byte : byte)
      isEscape = false
    }
    return bytes
  }

  // MARK: - Words

  /// Skips blanks, and these signs if they come next.
  private mutating func skip(_ signs: StaticString) -> Bool {
    while at < text.count, text[at] <= 0x20 { at += 1 }
    guard text.span.bytes.dropping(at).starts(with: signs) else { return false }
    at += signs.utf8CodeUnitCount
    return true
  }

  /// An atom, without its quotes, or a number.
  private mutating func word() -> String {
    while at < text.count, text[at] <= 0x20 { at += 1 }
    let isQuoted = at < text.count && text[at] == .apostrophe
    if isQuoted { at += 1 }
    let start = at
    while at < text.count,
      isQuoted ? text[at] != .apostrophe : text[at].isWord || text[at] == UInt8(ascii: "@")
    {
      at += 1
    }
    defer { if isQuoted && at < text.count { at += 1 } }
    return String(decoding: text[start..<at], as: Unicode.UTF8.self)
  }
}
