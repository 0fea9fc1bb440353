// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What is to be masked in messages about some subjects.
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

  /// Where the values stand that it is about.
  func ranges(in message: Message, _ bytes: RawSpan) -> [ByteRange] {
    if message.traits.contains(.isMalformed) { return [] }
    return fields.flatMap { field in
      field.all(in: message, bytes).map { $0.kind == .string ? $0.content : $0.range }
    }
  }

  /// Of a message whose form is wrong, it is not known in which list or object the path begins
  /// in: all that they say.
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

  /// Everything that a value says, whatever is around it.
  private static func note(
    _ value: JSONElement, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    switch value.kind {
    case .string:
      if !value.isEmptyContent { notes.append(Note(.secret, "secret", value.content)) }
    // What has no quotes gets some: that is what the word says to the masker.
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
