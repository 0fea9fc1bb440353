// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Reads one message after the other by the table of a protocol. What it has read of one is
/// forgotten with the next, so that recognition, pasted text and traffic judge alike.
struct JSONProtocolReader {
  typealias Target = JSONProtocolPlan.Target

  let plan: JSONProtocolPlan
  /// By node: the values that were found, those of `found`.
  private var values = WorkingList<JSONElement>()
  /// A bit for each node: whether it is there, and whether its members were looked for.
  private var (found, entered): (UInt64, UInt64) = (0, 0)
  private(set) var kind: JSONProtocolPlan.Kind
  /// The kind in the application's own words, where the table does not have it.
  private(set) var ownName: ByteRange?

  init(_ plan: JSONProtocolPlan) {
    self.plan = plan
    for _ in plan.nodes { values.append(JSONElement(.null, ByteRange())) }
    kind = plan.kinds.first ?? plan.fallback ?? plan.other!
  }

  /// The message itself.
  var whole: JSONElement { values[0] }

  /// Whether the protocol has such a message.
  ///
  /// - Parameter scanner: what it has found in these bytes, an object or a list without a problem.
  mutating func read(_ scanner: borrowing JSONScanner, _ bytes: RawSpan) -> Bool {
    (found, entered, ownName) = (1, 1, nil)
    values[0] = Self.element(scanner, bytes)
    enterMessage(scanner, bytes)
    for index in plan.kindAt.indices {
      let location = plan.kindAt[index]
      guard let value = value(location.place, bytes) else { continue }
      if location.isByMember {
        guard value.kind == .object else { continue }
        let isMessage = location.place.node == 0
        let place =
          isMessage ? kindPlace(scanner.members, bytes) : kindPlace(ofObject: value, bytes)
        guard let place else { continue }
        kind = plan.kinds[place]
        return true
      }
      guard value.kind == .string || value.kind == .natural else { continue }
      let range = value.kind == .string ? value.content : value.range
      if let place = kindPlace(of: range, bytes) {
        kind = plan.kinds[place]
        return true
      }
      if let other = plan.other, !range.isEmpty {
        (kind, ownName) = (other, range)
        return true
      }
    }
    guard let fallback = plan.fallback else { return false }
    kind = fallback
    return true
  }

  /// All that was scanned, as one value.
  private static func element(_ scanner: borrowing JSONScanner, _ bytes: RawSpan) -> JSONElement {
    var (start, end) = (0, bytes.byteCount)
    while start < end, bytes.byte(at: start) <= 0x20 { start += 1 }
    while end > start, bytes.byte(at: end - 1) <= 0x20 { end -= 1 }
    let kind: JSONElement.Kind = scanner.isArray ? .array : scanner.elements[0].kind
    return JSONElement(kind, ByteRange(start, end))
  }

  /// Takes what the scan has noted.
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

  /// Of a key that is there twice, the last counts, as for most readers.
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

  /// Whether a node is there; what is inside of an object is looked for when it is asked for first.
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

  /// The value that a path leads to.
  mutating func value(_ place: Target, _ bytes: RawSpan) -> JSONElement? {
    guard reach(Int(place.node), bytes) else { return nil }
    let value = values[Int(place.node)]
    return place.tail == 0 ? value : plan.tails[Int(place.tail)].value(in: value, bytes)
  }

  /// The first of these values that is there, and is not null.
  mutating func value(_ places: JSONProtocolPlan.Targets, _ bytes: RawSpan) -> JSONElement? {
    for index in places.indices {
      if let value = value(places[index], bytes), value.kind != .null { return value }
    }
    return nil
  }

  private func kindPlace(of value: ByteRange, _ bytes: RawSpan) -> Int? {
    let (word, count) = (bytes.beginning(of: value), value.count)
    for place in plan.kinds.indices where plan.kinds[place].word == word {
      let kind = plan.kinds[place].value
      guard kind.utf8CodeUnitCount == count else { continue }
      if count <= 8 || bytes[value].equals(symbol: kind) { return place }
    }
    return nil
  }

  /// The first kind of the table that is a member of the message.
  private func kindPlace(
    _ members: borrowing WorkingList<JSON.Member>, _ bytes: RawSpan
  ) -> Int? {
    if members.isEmpty { return emptyKindPlace }
    var best: Int?
    for index in 0..<members.count {
      if let place = kindPlace(of: members[index].key, bytes) { best = min(place, best ?? .max) }
    }
    return best
  }

  private func kindPlace(ofObject object: JSONElement, _ bytes: RawSpan) -> Int? {
    var best: Int?
    var isEmpty = true
    var members = JSON.Members(of: object.range)
    while let member = members.next(bytes) {
      isEmpty = false
      if let place = kindPlace(of: member.key, bytes) { best = min(place, best ?? .max) }
    }
    return isEmpty ? emptyKindPlace : best
  }

  private var emptyKindPlace: Int? { plan.kinds.firstIndex { $0.value.equals("{}") } }

  /// Whether the elements of a list are what this kind has.
  func hasForm(_ scanner: borrowing JSONScanner) -> Bool {
    if kind.elements == 0 || !scanner.isArray { return true }
    guard scanner.elements.count == kind.elements else { return false }
    for index in 0..<kind.elements {
      let mask = kind.elementKinds[index] >> UInt16(scanner.elements[index].kind.rawValue)
      if mask & 1 == 0 { return false }
    }
    return true
  }

  /// Where the ids of its exchange are: one, or a list of them; nil when it has none.
  mutating func id(_ bytes: RawSpan) -> JSONElement? {
    guard let value = value(plan.answers, bytes) ?? value(plan.ids, bytes) else { return nil }
    if value.kind != .array { return Self.isID(value) ? value : nil }
    return Self.ids(in: value, bytes).isEmpty ? nil : value
  }

  /// Those that are ids of the elements of a list.
  static func ids(in list: JSONElement, _ bytes: RawSpan) -> [JSONElement] {
    var ids: [JSONElement] = []
    var elements = JSON.Members(ofArray: list.range)
    while let id = elements.next(bytes)?.value {
      if isID(id) { ids.append(id) }
    }
    return ids
  }

  private static func isID(_ value: JSONElement) -> Bool {
    value.kind == .string || value.kind == .natural || value.kind == .number
  }

  /// What it is about.
  mutating func subject(_ bytes: RawSpan) -> JSONElement? {
    let found: JSONElement?
    if let place = kind.subject {
      found = value(place, bytes)
    } else {
      found = value(plan.subjects, bytes)
    }
    return found?.kind == .string ? found : nil
  }

  mutating func payload(_ bytes: RawSpan) -> JSONElement? {
    guard let place = kind.payload else { return value(plan.payloads, bytes) }
    return value(place, bytes).flatMap { $0.kind == .null ? nil : $0 }
  }

  /// Whether it reports that something failed.
  mutating func isFailure(_ bytes: RawSpan) -> Bool {
    if kind.isFailure { return true }
    if let place = kind.success, value(place, bytes)?.kind == .no { return true }
    guard let place = kind.failure, let value = value(place, bytes) else { return false }
    if value.kind == .string { return !bytes[value.content].equals("ok") }
    return value.kind != .null && value.kind != .no
  }
}

// MARK: - Recognition

extension JSONProtocolReader {
  /// How much the form of the message is that of this protocol alone.
  ///
  /// - Parameter isSpoken: messages of this protocol came before it.
  mutating func grade(
    _ scanner: borrowing JSONScanner, _ bytes: RawSpan, isSpoken: Bool
  ) -> Recognition.Grade {
    if !hasForm(scanner) { return .none }
    if kind.isDistinctive && hasMarks(bytes) { return .likely }
    if ownName == nil && hasIDIfAsking(bytes) && hasMarks(bytes) {
      switch (plan.table.distinction, subject(bytes)) {
      case (.subject, _?): return .likely
      case (.subjectLike(let isLike), let subject?):
        return isLike(bytes[subject.content]) ? .likely : .none
      case (.idAndMember, let subject):
        if subject != nil || isIDAndMember(scanner.members, bytes) { return .likely }
      default: break
      }
    }
    if whole.kind == .array, plan.table.isListOfItsOwn?(scanner, bytes) == true { return .likely }
    if plan.table.needsDistinction && !isSpoken { return .none }
    // A list of this form says more than an object: applications have any members.
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
