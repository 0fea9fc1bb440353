// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Reads messages by the table of a protocol. It keeps nothing from one message to the next, so
/// that recognition, pasted text and traffic get the same verdict.
struct JSONProtocolReader {
  typealias Target = JSONProtocolPlan.Target

  let plan: JSONProtocolPlan
  /// The value of each node; valid only for the nodes in `found`.
  private var values = WorkingList<JSONElement>()
  /// A bit for each node: whether it is present, and whether its members were searched.
  private var (found, entered): (UInt64, UInt64) = (0, 0)
  private(set) var kind: JSONProtocolPlan.Kind
  /// The kind as the application spells it, if it is not in the table.
  private(set) var ownName: ByteRange?

  init(_ plan: JSONProtocolPlan) {
    self.plan = plan
    for _ in plan.nodes { values.append(JSONElement(.null, ByteRange())) }
    kind = plan.kinds.first ?? plan.fallback ?? plan.other!
  }

  /// The message itself.
  var whole: JSONElement { values[0] }

  /// Reads a message; false when the protocol has no such message.
  ///
  /// - Parameter scanner: its result for these bytes, an object or a list without a problem.
  mutating func read(_ scanner: borrowing JSONScanner, _ bytes: RawSpan) -> Bool {
    (found, entered, ownName) = (1, 1, nil)
    values[0] = Self.element(scanner, bytes)
    enterMessage(scanner, bytes)
    for index in plan.kindAt.indices {
      let location = plan.kindAt[index]
      guard let value = value(location.target, bytes) else { continue }
      if location.isByMember {
        guard value.kind == .object else { continue }
        let isMessage = location.target.node == 0
        let index =
          isMessage ? kindIndex(scanner.members, bytes) : kindIndex(ofObject: value, bytes)
        guard let index else { continue }
        kind = plan.kinds[index]
        return true
      }
      guard value.kind == .string || value.kind == .natural else { continue }
      if let index = kindIndex(of: value.text, bytes) {
        kind = plan.kinds[index]
        return true
      }
      if let other = plan.other, !value.text.isEmpty {
        (kind, ownName) = (other, value.text)
        return true
      }
    }
    guard let fallback = plan.fallback else { return false }
    kind = fallback
    return true
  }

  /// The scanned text as one value.
  private static func element(_ scanner: borrowing JSONScanner, _ bytes: RawSpan) -> JSONElement {
    var (start, end) = (0, bytes.byteCount)
    while start < end, bytes.byte(at: start) <= 0x20 { start += 1 }
    while end > start, bytes.byte(at: end - 1) <= 0x20 { end -= 1 }
    let kind: JSONElement.Kind = scanner.isArray ? .array : scanner.elements[0].kind
    return JSONElement(kind, ByteRange(start, end))
  }

  /// Stores the members or elements from the scan.
  private mutating func enterMessage(_ scanner: borrowing JSONScanner, _ bytes: RawSpan) {
    let children = plan.nodes[0].children
    if !scanner.isArray {
      for index in 0..<scanner.members.count { take(scanner.members[index], children, bytes) }
      return
    }
    let count = scanner.elements.count
    for node in children {
      guard let index = plan.nodes[node].element, index < count else { continue }
      if index < JSONElements.kept {
        (values[node], found) = (scanner.elements[index], found | 1 << UInt64(node))
      } else if let element = JSONPath.element(index, of: whole, bytes) {
        (values[node], found) = (element, found | 1 << UInt64(node))
      }
    }
  }

  /// For a repeated key the last one counts, as in most parsers.
  @inline(__always)
  private mutating func take(
    _ member: JSON.Member, _ children: Range<Int>, _ bytes: RawSpan
  ) {
    let word = bytes.beginning(of: member.key)
    for node in children where plan.words[node] == word && plan.nodes[node].element == nil {
      let count = plan.nodes[node].key.count
      guard member.key.count == count else { continue }
      if count > 8 {
        let key = plan.nodes[node].key
        if !bytes[member.key].equals(key.span.bytes) { continue }
      }
      (values[node], found) = (member.value, found | 1 << UInt64(node))
      return
    }
  }

  /// Whether a node is present; an object's members are searched only when first needed.
  private mutating func reach(_ node: Int, _ bytes: RawSpan) -> Bool {
    if found >> UInt64(node) & 1 == 1 { return true }
    let parent = plan.nodes[node].parent
    if entered >> UInt64(parent) & 1 == 1 || !reach(parent, bytes) { return false }
    entered |= 1 << UInt64(parent)
    let object = values[parent]
    guard object.kind == .object else { return false }
    let children = plan.nodes[parent].children
    var members = JSON.Members(of: object.range)
    while let member = members.next(bytes) { take(member, children, bytes) }
    return found >> UInt64(node) & 1 == 1
  }

  /// The value at a path.
  mutating func value(_ target: Target, _ bytes: RawSpan) -> JSONElement? {
    guard reach(Int(target.node), bytes) else { return nil }
    let value = values[Int(target.node)]
    return target.tail == 0 ? value : plan.tails[Int(target.tail)].value(in: value, bytes)
  }

  /// The first of these values that is present and not null.
  mutating func value(_ targets: JSONProtocolPlan.Targets, _ bytes: RawSpan) -> JSONElement? {
    for index in targets.indices {
      if let value = value(targets[index], bytes), value.kind != .null { return value }
    }
    return nil
  }

  private func kindIndex(of value: ByteRange, _ bytes: RawSpan) -> Int? {
    let (word, count) = (bytes.beginning(of: value), value.count)
    for index in plan.kinds.indices where plan.kinds[index].word == word {
      let kind = plan.kinds[index].value
      guard kind.utf8CodeUnitCount == count else { continue }
      if count <= 8 || bytes[value].equals(symbol: kind) { return index }
    }
    return nil
  }

  /// The index of the first kind that is a member of the message.
  private func kindIndex(
    _ members: borrowing WorkingList<JSON.Member>, _ bytes: RawSpan
  ) -> Int? {
    if members.isEmpty { return emptyKindIndex }
    var best: Int?
    for number in 0..<members.count {
      if let index = kindIndex(of: members[number].key, bytes) { best = min(index, best ?? .max) }
    }
    return best
  }

  private func kindIndex(ofObject object: JSONElement, _ bytes: RawSpan) -> Int? {
    var best: Int?
    var isEmpty = true
    var members = JSON.Members(of: object.range)
    while let member = members.next(bytes) {
      isEmpty = false
      if let index = kindIndex(of: member.key, bytes) { best = min(index, best ?? .max) }
    }
    return isEmpty ? emptyKindIndex : best
  }

  private var emptyKindIndex: Int? { plan.kinds.firstIndex { $0.value.equals("{}") } }

  /// Whether the elements of a list fit this kind.
  func hasForm(_ scanner: borrowing JSONScanner) -> Bool {
    if kind.elements == 0 || !scanner.isArray { return true }
    guard scanner.elements.count == kind.elements else { return false }
    for index in 0..<kind.elements {
      let mask = kind.elementKinds[index] >> UInt16(scanner.elements[index].kind.rawValue)
      if mask & 1 == 0 { return false }
    }
    return true
  }

  /// The id of its exchange, or a list of ids; nil when it has none.
  mutating func id(_ bytes: RawSpan) -> JSONElement? {
    guard let value = value(plan.answers, bytes) ?? value(plan.ids, bytes) else { return nil }
    if value.kind != .array { return value.mayBeID ? value : nil }
    return Self.ids(in: value, bytes).isEmpty ? nil : value
  }

  /// The elements of a list that are ids.
  static func ids(in list: JSONElement, _ bytes: RawSpan) -> [JSONElement] {
    var ids: [JSONElement] = []
    var elements = JSON.Members(ofArray: list.range)
    while let id = elements.next(bytes)?.value {
      if id.mayBeID { ids.append(id) }
    }
    return ids
  }

  mutating func subject(_ bytes: RawSpan) -> JSONElement? {
    // A kind that has a path of its own has no other.
    let found =
      if let target = kind.subject { value(target, bytes) } else { value(plan.subjects, bytes) }
    return found?.kind == .string ? found : nil
  }

  mutating func payload(_ bytes: RawSpan) -> JSONElement? {
    guard let target = kind.payload else { return value(plan.payloads, bytes) }
    return value(target, bytes).flatMap { $0.kind == .null ? nil : $0 }
  }

  /// Whether it reports that something failed.
  mutating func isFailure(_ bytes: RawSpan) -> Bool {
    if kind.isFailure { return true }
    if let target = kind.success, value(target, bytes)?.kind == .no { return true }
    return isFailure(kind.failure.0, bytes) || isFailure(kind.failure.1, bytes)
  }

  private mutating func isFailure(_ target: Target?, _ bytes: RawSpan) -> Bool {
    guard let target, let value = value(target, bytes) else { return false }
    if value.kind == .string { return !bytes[value.content].equals("ok") }
    return value.kind != .null && value.kind != .no
  }
}

// MARK: - Recognition

extension JSONProtocolReader {
  /// How distinctive the form of the message is for this protocol.
  ///
  /// - Parameter isSpoken: the protocol was recognised in earlier messages.
  mutating func grade(
    _ scanner: borrowing JSONScanner, _ bytes: RawSpan, isSpoken: Bool
  ) -> Recognition.Grade {
    if !hasForm(scanner) { return .none }
    if kind.isDistinctive && hasMarks(bytes) {
      return kind.isOfTwoMembers && scanner.members.count != 2 ? .none : .likely
    }
    if ownName == nil && hasIDIfAsking(bytes) && hasMarks(bytes) {
      switch (plan.table.distinction, subject(bytes)) {
      case (.subject, _?): return .likely
      case (.subjectLike(let isLike), let subject?):
        if isLike(bytes[subject.content]) { return .likely }
        if !isSpoken { return .none }
      case (.idAndMember, let subject):
        if subject != nil || isIDAndMember(scanner.members, bytes) { return .likely }
      default: break
      }
    }
    if whole.kind == .array, plan.table.isListOfItsOwn?(scanner, bytes) == true { return .likely }
    if plan.table.needsDistinction && !isSpoken { return .none }
    // A list of this form is more distinctive than an object, as applications use any members.
    return whole.kind == .array || isSpoken ? .possible : .none
  }

  private mutating func hasMarks(_ bytes: RawSpan) -> Bool {
    if let mark = kind.marks.0, value(mark, bytes) == nil { return false }
    if let mark = kind.marks.1, value(mark, bytes) == nil { return false }
    return true
  }

  private mutating func hasIDIfAsking(_ bytes: RawSpan) -> Bool {
    switch kind.role {
    case .asks where kind.nameWithoutID == nil, .mayAsk: id(bytes) != nil
    default: true
    }
  }

  private func isIDAndMember(
    _ members: borrowing WorkingList<JSON.Member>, _ bytes: RawSpan
  ) -> Bool {
    guard kind.role == .calls, members.count == 2 else { return false }
    let (first, second) = (members[0], members[1])
    let (id, other) = bytes[first.key].equals("id") ? (first, second) : (second, first)
    return bytes[id.key].equals("id") && id.value.kind == .natural && other.value.kind == .object
  }
}
