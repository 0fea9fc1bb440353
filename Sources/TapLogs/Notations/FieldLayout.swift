// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Where the fields that programs print by name stand in a message: knowledge of those programs,
/// whose classes are called as the messages are.
struct FieldLayout {
  struct Field {
    var name: [UInt8]
    /// Its value as JSON; empty for `None`.
    var json: [UInt8]
  }

  private var name: StaticString
  private var code: Int
  /// The fields in order; `*` is the dictionary of all that stand nowhere else, `+` the same where
  /// there are any.
  private var fields: [String]

  private init(_ name: StaticString, _ code: Int, _ fields: [String]) {
    (self.name, self.code, self.fields) = (name, code, fields)
  }

  private static let all: [FieldLayout] = [
    FieldLayout("Hello", 1, ["realm", "*"]),
    FieldLayout("Welcome", 2, ["session", "*"]),
    FieldLayout("Abort", 3, ["*", "reason"]),
    FieldLayout("Challenge", 4, ["method", "extra"]),
    FieldLayout("Authenticate", 5, ["signature", "extra"]),
    FieldLayout("Goodbye", 6, ["*", "reason"]),
    FieldLayout("Error", 8, ["request_type", "request", "*", "error", "args", "kwargs"]),
    FieldLayout("Publish", 16, ["request", "*", "topic", "args", "kwargs"]),
    FieldLayout("Published", 17, ["request", "publication"]),
    FieldLayout("Subscribe", 32, ["request", "*", "topic"]),
    FieldLayout("Subscribed", 33, ["request", "subscription"]),
    FieldLayout("Unsubscribe", 34, ["request", "subscription"]),
    FieldLayout("Unsubscribed", 35, ["request", "+"]),
    FieldLayout("Event", 36, ["subscription", "publication", "*", "args", "kwargs"]),
    FieldLayout("Call", 48, ["request", "*", "procedure", "args", "kwargs"]),
    FieldLayout("Cancel", 49, ["request", "*"]),
    FieldLayout("Result", 50, ["request", "*", "args", "kwargs"]),
    FieldLayout("Register", 64, ["request", "*", "procedure"]),
    FieldLayout("Registered", 65, ["request", "registration"]),
    FieldLayout("Unregister", 66, ["request", "registration"]),
    FieldLayout("Unregistered", 67, ["request", "+"]),
    FieldLayout("Invocation", 68, ["request", "registration", "*", "args", "kwargs"]),
    FieldLayout("Interrupt", 69, ["request", "*"]),
    FieldLayout("Yield", 70, ["request", "*", "args", "kwargs"]),
  ]

  /// - Parameter isUpper: the name is printed in capitals.
  static func named(_ text: RawSpan, isUpper: Bool) -> FieldLayout? {
    all.first { layout in
      let name = layout.name
      guard text.byteCount == name.utf8CodeUnitCount else { return false }
      return (0..<text.byteCount).allSatisfy {
        text.byte(at: $0) == (isUpper ? name.utf8Start[$0] & 0xDF : name.utf8Start[$0])
      }
    }
  }

  /// The name may be in capitals or not.
  static func named(anyCase text: RawSpan) -> FieldLayout? { all.first { isSame(text, $0.name) } }

  /// Whether the word before a list is the name of the message that it begins as:
  /// `SUBSCRIBED: [33,…]`.
  static func isNamed(_ list: RawSpan, _ prefix: RawSpan) -> Bool {
    var end = prefix.byteCount
    while end > 0, LogDirectionWords.isFiller(prefix.byte(at: end - 1)) { end -= 1 }
    var (code, at) = (0, 1)
    while at < min(list.byteCount, 4), list.byte(at: at) &- 0x30 < 10 {
      code = code * 10 + Int(list.byte(at: at) - 0x30)
      at += 1
    }
    guard let name = all.first(where: { $0.code == code })?.name else { return false }
    let start = end - name.utf8CodeUnitCount
    guard start >= 0, start == 0 || !LiteralReader.isWord(prefix.byte(at: start - 1)) else {
      return false
    }
    return isSame(prefix.extracting(start..<end), name)
  }

  /// In capitals or not.
  private static func isSame(_ word: RawSpan, _ name: StaticString) -> Bool {
    word.byteCount == name.utf8CodeUnitCount
      && (0..<word.byteCount).allSatisfy { word.byte(at: $0) | 0x20 == name.utf8Start[$0] | 0x20 }
  }

  /// Fields that nexus calls by other names.
  private static let nexusNames: [(nexus: StaticString, field: String)] = [
    ("ID", "session"), ("Type", "request_type"), ("AuthMethod", "method"), ("Options", "*"),
    ("Details", "*"), ("Extra", "extra"), ("Arguments", "args"), ("ArgumentsKw", "kwargs"),
  ]

  /// Whether the fields of a structure are called as nexus calls those of this message.
  func hasNames(of values: [Field]) -> Bool {
    !values.isEmpty && values.count <= fields.count
      && zip(values, fields).allSatisfy { value, field in
        let name = value.name.map { $0 | 0x20 }
        return name.elementsEqual(field.utf8)
          || Self.nexusNames.contains { other in
            other.field == field && value.name.elementsEqual(other.nexus.description.utf8)
          }
      }
  }

  /// The message of its elements behind the code, in JSON.
  func message(elements: RawSpan) -> Scratch {
    var json = Scratch()
    json.append("[\(code)")
    if (0..<elements.byteCount).contains(where: { !isJSONSpace(elements.byte(at: $0)) }) {
      json.append(0x2C)
      json.append(elements)
    }
    json.append(0x5D)
    return json
  }

  /// The message of fields with names.
  func message(_ values: [Field]) -> Scratch {
    let places = fields.map { field -> [UInt8] in
      if field == "*" || field == "+" { return rest(values) }
      return values.first { $0.name.elementsEqual(field.utf8) }?.json ?? []
    }
    return message(places)
  }

  /// The message of the fields of a structure, which are in its order. What it is an answer to may
  /// be there by its name.
  func message(inOrder values: [Field]) -> Scratch {
    var places = values.map(\.json)
    if fields.first == "request_type", let first = places.first, first.count > 2,
      let asked = Self.named(first[1..<first.count - 1].span.bytes, isUpper: true)
    {
      places[0] = Array(String(asked.code).utf8)
    }
    return message(places)
  }

  /// The message of values in order. Arguments that are not there end it.
  private func message(_ values: [[UInt8]]) -> Scratch {
    var json = Scratch()
    json.append("[")
    json.append(String(code))
    let last = values.lastIndex { !Self.isNothing($0) } ?? -1
    let least = fields.firstIndex { $0 == "args" || $0 == "+" } ?? fields.count
    for (index, value) in values.enumerated() where index <= last || index < least {
      json.append(",")
      if !value.isEmpty {
        json.append(value.span.bytes)
      } else {
        json.append(index < fields.count && fields[index] == "args" ? "[]" : "{}")
      }
    }
    json.append("]")
    return json
  }

  /// The message of which nothing but its type is known.
  var title: Scratch {
    var json = Scratch()
    json.append("[\(code),\"…\"]")
    return json
  }

  private static func isNothing(_ value: [UInt8]) -> Bool {
    value.isEmpty || value.elementsEqual("[]".utf8) || value.elementsEqual("{}".utf8)
  }

  private func rest(_ values: [Field]) -> [UInt8] {
    var json: [UInt8] = [0x7B]
    for value in values where !value.json.isEmpty {
      if fields.contains(where: { value.name.elementsEqual($0.utf8) }) { continue }
      if json.count > 1 { json.append(0x2C) }
      json += [0x22] + value.name + [0x22, 0x3A] + value.json
    }
    return json + [0x7D]
  }
}
