// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The values to mask in messages about some subjects.
public struct MaskRule: Sendable {
  var subjects: [SubjectPattern]
  private let fields: [FieldPath]

  public init(_ subjects: [SubjectPattern], _ fields: [FieldPath]) {
    (self.subjects, self.fields) = (subjects, fields)
  }

  func noteSecrets(
    in message: Message, _ bytes: RawSpan, into notes: inout ContiguousArray<Note>
  ) {
    if message.traits.contains(.isMalformed) { return Self.note(everythingIn: bytes, &notes) }
    for field in fields {
      for value in field.all(in: message, bytes) { Self.note(value, bytes, &notes) }
    }
  }

  /// The ranges of its values in a message.
  func ranges(in message: Message, _ bytes: RawSpan) -> [ByteRange] {
    if message.traits.contains(.isMalformed) { return [] }
    return fields.flatMap { $0.all(in: message, bytes).map(\.text) }
  }

  /// For a malformed message, it is not known in which list or object the path begins: masks
  /// everything in all of them.
  private static func note(
    everythingIn bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    guard var at = bytes.firstIndex(of: UInt8(ascii: "[")) else { return }
    at += 1
    while let member = JSON.next(bytes, &at, inObject: false) {
      if member.value.kind == .object || member.value.kind == .array {
        note(member.value, bytes, &notes)
      }
    }
  }

  /// Masks all of a value's content.
  private static func note(
    _ value: JSONElement, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    switch value.kind {
    case .string:
      if !value.isEmptyContent { notes.append(Note(.secret, "secret", value.content)) }
    // `number` makes the masker add quotes, as the value has none.
    case .natural, .number, .yes, .no, .nonFinite:
      notes.append(Note(.secret, "number", value.range))
    case .null: break
    case .object, .array:
      let inside = bytes.extracting(0..<value.range.end)
      var at = value.range.start + 1
      while let member = JSON.next(inside, &at, inObject: value.kind == .object) {
        note(member.value, bytes, &notes)
      }
    }
  }
}
