// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The order of the fields of one type of message, which a line that prints them by name does not
/// show; the dialect says it.
struct FieldLayout {
  struct Field {
    var name: [UInt8]
    /// Its value as JSON; empty for `None`.
    var json: [UInt8]
  }

  private let (code, fields): (Int, [String])
  /// All types.
  private let layouts: FieldLayouts

  init(_ layout: PrintedMessages.Layout, among layouts: FieldLayouts) {
    (code, fields, self.layouts) = (layout.code, layout.fields, layouts)
  }

  /// Whether the fields of a structure are called as those of this message are.
  func hasNames(of values: [Field]) -> Bool {
    !values.isEmpty && values.count <= fields.count
      && zip(values, fields).allSatisfy { value, field in
        let name = value.name.map { $0 | 0x20 }
        return name.elementsEqual(field.utf8)
          || layouts.printed.synonyms.contains { other in
            other.field == field && value.name.elementsEqual(other.name.description.utf8)
          }
      }
  }

  /// The message of its elements behind the code, in JSON.
  func message(elements: RawSpan) -> Scratch {
    var json = Scratch()
    json.append("[\(code)")
    if (0..<elements.byteCount).contains(where: { !elements.byte(at: $0).isJSONSpace }) {
      json.append(.comma)
      json.append(elements)
    }
    json.append(.closeBracket)
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
      let asked = layouts.named(first[1..<first.count - 1].span.bytes)
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

  /// The message when only its type is known.
  var title: Scratch {
    var json = Scratch()
    json.append("[\(code),\"…\"]")
    return json
  }

  private static func isNothing(_ value: [UInt8]) -> Bool {
    value.isEmpty || value.elementsEqual("[]".utf8) || value.elementsEqual("{}".utf8)
  }

  private func rest(_ values: [Field]) -> [UInt8] {
    var json: [UInt8] = [.openBrace]
    for value in values where !value.json.isEmpty {
      if fields.contains(where: { value.name.elementsEqual($0.utf8) }) { continue }
      if json.count > 1 { json.append(.comma) }
      json += [.quote] + value.name + [.quote, .colon] + value.json
    }
    return json + [.closeBrace]
  }
}
