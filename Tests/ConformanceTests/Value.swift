// SPDX-License-Identifier: Apache-2.0

/// A JSON value as it was written: members keep their order and may repeat, numbers their digits,
/// strings their UTF-16 units (lone surrogates too).
indirect enum Value: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Digits)
  case string([UInt16])
  case array([Value])
  case object([Member])

  struct Member: Sendable, Equatable {
    var key: [UInt16]
    var value: Value
  }

  init(_ text: String) { self = .string(Array(text.utf16)) }

  /// The first member of this name.
  subscript(key: String) -> Value? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.elementsEqual(key.utf16) }?.value
  }

  subscript(index: Int) -> Value? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  var isArray: Bool { if case .array = self { true } else { false } }
  var isObject: Bool { if case .object = self { true } else { false } }
  var isTrue: Bool { self == .bool(true) }

  var text: String? {
    guard case .string(let units) = self else { return nil }
    return String(decoding: units, as: UTF16.self)
  }

  /// What is written as a whole number without a sign, a fraction or an exponent.
  var natural: UInt64? {
    guard case .number(let digits) = self, !digits.literal.isEmpty,
      digits.literal.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    return UInt64(digits.literal)
  }

  var int: Int? { natural.flatMap { Int(exactly: $0) } }

  /// A count of seconds in nanoseconds, without a detour through floating point.
  var nanoseconds: Int64? {
    guard case .number(let digits) = self else { return nil }
    return digits.scaled(by: 9)
  }

  /// The JSON text without white space and with no more escapes than are needed.
  var compact: [UInt8] {
    switch self {
    case .null: return Array("null".utf8)
    case .bool(let value): return Array((value ? "true" : "false").utf8)
    case .number(let digits): return Array(digits.literal.utf8)
    case .string(let units): return Self.quoted(units)
    case .array(let values):
      return Array("[".utf8) + values.map(\.compact).joined(separator: ",".utf8) + "]".utf8
    case .object(let members):
      let texts = members.map { Self.quoted($0.key) + ":".utf8 + $0.value.compact }
      return Array("{".utf8) + texts.joined(separator: ",".utf8) + "}".utf8
    }
  }

  private static func quoted(_ units: [UInt16]) -> [UInt8] {
    var text = Array("\"".utf8)
    for scalar in String(decoding: units, as: UTF16.self).unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)".utf8
      case "\n": text += "\\n".utf8
      case "\t": text += "\\t".utf8
      case "\r": text += "\\r".utf8
      default: text += String(scalar).utf8
      }
    }
    return text + "\"".utf8
  }

  /// Whether `isWanted` says so of this value or of one within it.
  func contains(where isWanted: (Value) -> Bool) -> Bool {
    if isWanted(self) { return true }
    switch self {
    case .array(let values): return values.contains { $0.contains(where: isWanted) }
    case .object(let members): return members.contains { $0.value.contains(where: isWanted) }
    default: return false
    }
  }

  /// Bytes as the records write them, `{"$bytes": base64}`, in WAMP's own form of JSON.
  var withOctetsAsWAMP: Value {
    switch self {
    case .array(let values): return .array(values.map(\.withOctetsAsWAMP))
    case .object(let members):
      if members.count == 1, members[0].key.elementsEqual("$bytes".utf16),
        case .string(let base64) = members[0].value
      {
        return .string([0] + base64)
      }
      return .object(members.map { Member(key: $0.key, value: $0.value.withOctetsAsWAMP) })
    default: return self
    }
  }

  /// Of members with equal names the last, in the place of the first: so Python reads an object.
  var asPythonReadsIt: Value {
    switch self {
    case .array(let values): return .array(values.map(\.asPythonReadsIt))
    case .object(let members):
      var kept: [Member] = []
      for member in members {
        let member = Member(key: member.key, value: member.value.asPythonReadsIt)
        if let place = kept.firstIndex(where: { $0.key == member.key }) {
          kept[place] = member
        } else {
          kept.append(member)
        }
      }
      return .object(kept)
    default: return self
    }
  }
}
