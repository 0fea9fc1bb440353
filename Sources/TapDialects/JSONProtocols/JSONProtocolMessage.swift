// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// One message read by the table of its protocol. No state, so that recognition, pasted text and
/// traffic judge alike.
struct JSONProtocolMessage {
  /// The message itself.
  let whole: JSONElement
  let kind: JSONKind
  /// Of an object, in order.
  private let members: ContiguousArray<JSON.Member>
  /// The kind in the application's own words, where the table does not have it.
  private(set) var ownName: ByteRange?

  /// - Parameter scanner: what it has found in these bytes, an object or a list without a problem;
  ///   nil is answered where the protocol has no such message.
  init?(_ scanner: borrowing JSONScanner, _ bytes: RawSpan, of table: JSONProtocol) {
    let element = Self.element(scanner, bytes)
    (whole, members) = (element, scanner.members)
    for location in table.kindAt {
      switch location {
      case .value(let path):
        guard let value = path.value(in: element, members, bytes) else { continue }
        guard value.kind == .string || value.kind == .natural else { continue }
        let range = value.kind == .string ? value.content : value.range
        if let kind = table.kinds.first(where: { bytes[range].equals(symbol: $0.value) }) {
          self.kind = kind
          return
        }
        if let other = table.other, !range.isEmpty {
          (kind, ownName) = (other, range)
          return
        }
      case .member(let path):
        guard let object = path.value(in: element, members, bytes), object.kind == .object,
          let kind = Self.kind(byMembersOf: object, bytes, table)
        else { continue }
        self.kind = kind
        return
      }
    }
    guard let fallback = table.fallback else { return nil }
    kind = fallback
  }

  /// All that was scanned, as one value.
  private static func element(_ scanner: borrowing JSONScanner, _ bytes: RawSpan) -> JSONElement {
    var (start, end) = (0, bytes.byteCount)
    while start < end, bytes.byte(at: start) <= 0x20 { start += 1 }
    while end > start, bytes.byte(at: end - 1) <= 0x20 { end -= 1 }
    let kind: JSONElement.Kind = scanner.isArray ? .array : scanner.elements[0].kind
    return JSONElement(kind, ByteRange(start, end))
  }

  private static func kind(
    byMembersOf object: JSONElement, _ bytes: RawSpan, _ table: JSONProtocol
  ) -> JSONKind? {
    var best: Int?
    var isEmpty = true
    var at = object.range.start + 1
    let inside = bytes.extracting(0..<object.range.end)
    while let member = JSON.next(inside, &at, inObject: true) {
      isEmpty = false
      let place = table.kinds.firstIndex { bytes[member.key].equals(symbol: $0.value) }
      if let place, place < best ?? .max { best = place }
    }
    if isEmpty { best = table.kinds.firstIndex { $0.value.equals("{}") } }
    return best.map { table.kinds[$0] }
  }

  /// Whether a text may stand as a name: letters, digits and signs that need no escape.
  static func isName(_ text: RawSpan) -> Bool {
    if text.isEmpty || text.byteCount > 64 { return false }
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      if byte <= 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x5C { return false }
    }
    return true
  }

  /// Whether the elements of a list are what this kind has.
  func hasForm(_ bytes: RawSpan) -> Bool {
    if kind.elements.isEmpty || whole.kind != .array { return true }
    var at = whole.range.start + 1
    let inside = bytes.extracting(0..<whole.range.end)
    for expected in kind.elements {
      guard let element = JSON.next(inside, &at, inObject: false)?.value,
        expected.kinds.isEmpty || expected.kinds.contains(element.kind)
      else { return false }
    }
    return JSON.next(inside, &at, inObject: false) == nil
  }

  /// The first of these values that is there, and is not null.
  func value(_ paths: [JSONPath], _ bytes: RawSpan) -> JSONElement? {
    for path in paths {
      if let value = value(path, bytes), value.kind != .null { return value }
    }
    return nil
  }

  /// The value that a path leads to.
  func value(_ path: JSONPath, _ bytes: RawSpan) -> JSONElement? {
    path.value(in: whole, members, bytes)
  }

  /// The ids of its exchange, as they stand in the message: none, one, or those of a list.
  func ids(_ bytes: RawSpan, of table: JSONProtocol) -> [JSONElement] {
    guard let value = value(table.answers, bytes) ?? value(table.ids, bytes) else { return [] }
    guard value.kind == .array else { return Self.isID(value) ? [value] : [] }
    var ids: [JSONElement] = []
    var at = value.range.start + 1
    let inside = bytes.extracting(0..<value.range.end)
    while let id = JSON.next(inside, &at, inObject: false)?.value {
      if Self.isID(id) { ids.append(id) }
    }
    return ids
  }

  private static func isID(_ value: JSONElement) -> Bool {
    value.kind == .string || value.kind == .natural || value.kind == .number
  }

  /// How much its form is that of this protocol alone.
  ///
  /// - Parameter isSpoken: messages of this protocol came before it.
  func grade(
    _ bytes: RawSpan, of table: JSONProtocol, isSpoken: Bool
  ) -> Recognition.Grade {
    if !hasForm(bytes) { return .none }
    if kind.isDistinctive { return .likely }
    if ownName == nil && hasIDIfAsking(bytes, of: table) {
      switch (table.distinction, subject(bytes, of: table)) {
      case (.subject, _?): return .likely
      case (.subjectLike(let isLike), let subject?):
        return isLike(bytes[subject.content]) ? .likely : .none
      case (.idAndMember, let subject):
        if subject != nil || isIDAndMember(bytes) { return .likely }
      default: break
      }
    }
    // A list of this form says more than an object: applications have any members.
    return whole.kind == .array || isSpoken ? .possible : .none
  }

  /// Whether it has an id, if it asks.
  private func hasIDIfAsking(_ bytes: RawSpan, of table: JSONProtocol) -> Bool {
    switch kind.role {
    case .asks where kind.nameWithoutID == nil, .mayAsk: !ids(bytes, of: table).isEmpty
    default: true
    }
  }

  private func isIDAndMember(_ bytes: RawSpan) -> Bool {
    kind.role == .calls && members.count == 2
      && members.contains { $0.value.kind == .object }
      && members.contains { bytes[$0.key].equals("id") && $0.value.kind == .natural }
  }

  /// What it is about.
  func subject(_ bytes: RawSpan, of table: JSONProtocol) -> JSONElement? {
    let found = value(kind.subject.map { [$0] } ?? table.subjects, bytes)
    return found?.kind == .string ? found : nil
  }

  /// Whether it reports that something failed.
  func isFailure(_ bytes: RawSpan) -> Bool {
    if kind.isFailure { return true }
    guard let value = kind.failure.flatMap({ self.value($0, bytes) }) else { return false }
    if value.kind == .string { return !bytes[value.content].equals("ok") }
    return value.kind != .null && value.kind != .no
  }
}
