// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Variables of an operation of GraphQL: behind a credential's name, as in `password: $pass`,
/// stands the name of one, and its value is a member of `variables`.
enum GraphQLVariables {
  private static let query = JSONPath("payload.query")
  private static let variables = JSONPath("payload.variables")

  static func noteSecrets(
    _ message: JSONElement, _ bytes: RawSpan, _ notes: inout WorkingList<Note>
  ) {
    guard bytes.firstIndex(of: dollar) != nil, CredentialNames.standard.mayStand(in: bytes),
      let query = query.value(in: message, bytes), query.kind == .string
    else { return }
    let text = bytes[query.content]
    var names: Set<[UInt8]> = []
    var finder = CredentialFinder(.text)
    while let found = finder.next(in: text) {
      let value = found.value
      let isType = isType(value, text)
      let first = text.byte(at: value.start)
      if isType || first == dollar {
        let start = query.content.start
        notes.append(Note(.reference, "", ByteRange(start + value.start, start + value.end)))
      }
      // An object or a list may have variables in it.
      let mayHaveVariables = [dollar, .openBrace, .openBracket].contains(first)
      if mayHaveVariables && !isType { insert(namesIn: text[value], into: &names) }
    }
    guard !names.isEmpty, let variables = variables.value(in: message, bytes),
      variables.kind == .object
    else { return }
    var members = JSON.Members(of: variables.range)
    while let member = members.next(bytes) {
      if names.contains(bytes[member.key].copied()) { note(member.value, &notes) }
    }
  }

  private static let dollar = UInt8(ascii: "$")

  /// Whether it is the type of a variable with a credential's name: `$password: String!`.
  private static func isType(_ value: ByteRange, _ text: RawSpan) -> Bool {
    var at = value.start
    while at > 0, text.byte(at: at - 1) <= .space { at -= 1 }
    guard at > 0, text.byte(at: at - 1) == .colon else { return false }
    at -= 1
    while at > 0, text.byte(at: at - 1) <= .space { at -= 1 }
    while at > 0, isOfName(text.byte(at: at - 1)) { at -= 1 }
    return at > 0 && text.byte(at: at - 1) == dollar
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isAlpha || byte.isDigit || byte == UInt8(ascii: "_")
  }

  private static func insert(namesIn text: RawSpan, into names: inout Set<[UInt8]>) {
    var at = 0
    while let start = text.firstIndex(of: dollar, from: at) {
      at = start + 1
      while at < text.byteCount, isOfName(text.byte(at: at)) { at += 1 }
      names.insert(text.extracting(start + 1..<at).copied())
    }
  }

  private static func note(_ value: JSONElement, _ notes: inout WorkingList<Note>) {
    switch value.kind {
    case .null, .yes, .no: break
    case .string:
      if !value.isEmptyContent { notes.append(Note(.secret, "credential", value.content)) }
    default: notes.append(Note(.secret, "value", value.range))
    }
  }
}
