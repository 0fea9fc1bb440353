// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Names for the values of one field, in messages about some subjects.
public struct NameRule: Sendable {
  var subjects: [SubjectPattern]
  let field: FieldPath
  private let names: [[UInt8]: ContiguousArray<UInt8>]
  /// The length of the longest named value in bytes.
  private let longest: Int

  /// - Parameter names: by the value's text; `100` means the number and the string.
  public init(
    _ subjects: [SubjectPattern], _ field: FieldPath, _ names: [(value: String, name: String)]
  ) throws(NamesFault) {
    if field.isWhole {
      throw NamesFault("all arguments together have no name; choose one of them, as args[0].type")
    }
    if field.hasEvery { throw NamesFault("[*] is for masking; a name needs one value") }
    (self.subjects, self.field) = (subjects, field)
    var table: [[UInt8]: ContiguousArray<UInt8>] = [:]
    for (value, name) in names { table[Array(value.utf8)] = ContiguousArray(name.utf8) }
    self.names = table
    longest = table.keys.reduce(0) { max($0, $1.count) }
  }

  /// Whether it is about the field with this path.
  public func isAbout(field path: String?) -> Bool {
    path.map { field.text.elementsEqual($0.utf8) } ?? false
  }

  /// All values with their names, in the order of the values.
  public var all: [(value: String, name: String)] {
    names.map {
      (String(decoding: $0, as: Unicode.UTF8.self), String(decoding: $1, as: Unicode.UTF8.self))
    }
    .sorted { $0.0 < $1.0 }
  }

  /// The name of a string, a number or a truth value.
  func name(of value: JSONElement, _ bytes: RawSpan) -> ContiguousArray<UInt8>? {
    switch value.kind {
    case .string:
      // An escape has at most six bytes per byte of text.
      let content = bytes[value.content]
      if content.byteCount > longest * 6 { return nil }
      let isPlain = content.firstIndex(of: .backslash) == nil
      return names[isPlain ? content.copied() : JSON.unescaped(content)]
    case .natural, .yes, .no:
      return value.range.count > longest ? nil : names[bytes[value.range].copied()]
    case .number:
      if value.range.count > 64 { return nil }
      if let name = names[bytes[value.range].copied()] { return name }
      // Encoders without integers write 100 as 100.0.
      return JSON.integralFloat(bytes, value.range).flatMap { names[Array(String($0).utf8)] }
    default: return nil
    }
  }
}
