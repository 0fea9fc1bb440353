// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON text, with none of the code that is tested. Strict, but for a bare `NaN`, which
/// Python writes.
struct ValueReader {
  struct Malformed: Error, CustomStringConvertible {
    var offset: Int
    var text: String
    var description: String { "no JSON at \(offset): \(text.prefix(300))" }
  }

  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func read(_ bytes: [UInt8]) throws -> Value {
    var reader = ValueReader(bytes)
    let value = try reader.value()
    reader.skipSpace()
    if reader.at < bytes.count { throw reader.malformed }
    return value
  }

  /// The members of an object, each with the text of its value.
  static func members(of bytes: [UInt8]) throws -> [(key: String, value: Value, text: [UInt8])] {
    var reader = ValueReader(bytes)
    var members: [(key: String, value: Value, text: [UInt8])] = []
    try reader.eachMember { reader, key in
      reader.skipSpace()
      let start = reader.at
      let value = try reader.value()
      members.append(
        (String(decoding: key, as: UTF16.self), value, Array(reader.bytes[start..<reader.at])))
    }
    reader.skipSpace()
    if reader.at < bytes.count { throw reader.malformed }
    return members
  }

  private var malformed: Malformed {
    Malformed(offset: at, text: String(decoding: bytes, as: UTF8.self))
  }

  private var next: UInt8 { at < bytes.count ? bytes[at] : 0 }

  private mutating func skipSpace() {
    while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
  }

  private mutating func expect(_ octet: UInt8) throws {
    skipSpace()
    guard next == octet else { throw malformed }
    at += 1
  }

  private mutating func word(_ word: StaticString, _ value: Value) throws -> Value {
    let end = at + word.utf8CodeUnitCount
    guard end <= bytes.count, bytes[at..<end].elementsEqual(word.description.utf8) else {
      throw malformed
    }
    at = end
    return value
  }

  private mutating func value() throws -> Value {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"):
      var members: [Value.Member] = []
      try eachMember { reader, key in
        members.append(Value.Member(key: key, value: try reader.value()))
      }
      return .object(members)
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "N"): return try word("NaN", .number(Digits(literal: "NaN")))
    default: return try number()
    }
  }

  private mutating func eachMember(_ body: (inout Self, [UInt16]) throws -> Void) throws {
    try expect(UInt8(ascii: "{"))
    skipSpace()
    if next == UInt8(ascii: "}") {
      at += 1
      return
    }
    while true {
      skipSpace()
      let key = try string()
      try expect(UInt8(ascii: ":"))
      try body(&self, key)
      skipSpace()
      if next == UInt8(ascii: "}") {
        at += 1
        return
      }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func array() throws -> Value {
    try expect(UInt8(ascii: "["))
    skipSpace()
    var values: [Value] = []
    if next == UInt8(ascii: "]") {
      at += 1
      return .array(values)
    }
    while true {
      values.append(try value())
      skipSpace()
      if next == UInt8(ascii: "]") {
        at += 1
        return .array(values)
      }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func number() throws -> Value {
    let start = at
    while at < bytes.count, 0x30...0x39 ~= bytes[at] || "+-.eE".utf8.contains(bytes[at]) { at += 1 }
    let literal = String(decoding: bytes[start..<at], as: UTF8.self)
    guard literal.last.map({ "0"..."9" ~= $0 }) == true, Double(literal) != nil else {
      throw malformed
    }
    return .number(Digits(literal: literal))
  }

  private mutating func string() throws -> [UInt16] {
    try expect(UInt8(ascii: "\""))
    var units: [UInt16] = []
    while true {
      let start = at
      while at < bytes.count, bytes[at] >= 0x20, bytes[at] != 0x22, bytes[at] != 0x5C { at += 1 }
      let plain = bytes[start..<at]
      guard let text = String(validating: plain, as: UTF8.self) else { throw malformed }
      units += text.utf16
      let octet = next
      at += 1
      if octet == 0x22 { return units }
      guard octet == 0x5C, at < bytes.count else { throw malformed }
      try escape(&units)
    }
  }

  private mutating func escape(_ units: inout [UInt16]) throws {
    let octet = bytes[at]
    at += 1
    if octet == UInt8(ascii: "u") {
      let digits = String(decoding: bytes[at..<min(at + 4, bytes.count)], as: UTF8.self)
      guard digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else { throw malformed }
      at += 4
      return units.append(unit)
    }
    let escapes: [UInt8: UInt16] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9,
    ]
    guard let unit = escapes[octet] else { throw malformed }
    units.append(unit)
  }
}
