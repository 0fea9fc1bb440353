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
      let isVariable = isVariable(value, text)
      if isVariable || isType(value, text) {
        let start = query.content.start
        notes.append(Note(.reference, "", ByteRange(start + value.start, start + value.end)))
      }
      // An object or a list may have variables in it.
      let mayHaveVariables = [.openBrace, .openBracket].contains(text.byte(at: value.start))
      if isVariable || mayHaveVariables { insert(namesIn: text[value], into: &names) }
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

  /// Whether it is the name of a variable, and no text that begins as one: hashes of passwords do.
  private static func isVariable(_ value: ByteRange, _ text: RawSpan) -> Bool {
    guard isBare(value, text), value.count > 1, text.byte(at: value.start) == dollar else {
      return false
    }
    return (value.start + 1..<value.end).allSatisfy { isOfName(text.byte(at: $0)) }
  }

  /// Whether no quote stands before or behind it.
  private static func isBare(_ value: ByteRange, _ text: RawSpan) -> Bool {
    let before = value.start > 0 ? text.byte(at: value.start - 1) : .space
    let behind = value.end < text.byteCount ? text.byte(at: value.end) : .space
    return ![before, behind].contains { [.quote, .apostrophe, .backslash].contains($0) }
  }

  /// Whether it is the type of a variable with a credential's name: `$password: String!`.
  private static func isType(_ value: ByteRange, _ text: RawSpan) -> Bool {
    let isName = (value.start..<value.end).allSatisfy {
      isOfName(text.byte(at: $0)) || "[]!".utf8.contains(text.byte(at: $0))
    }
    guard isName, isBare(value, text) else { return false }
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
