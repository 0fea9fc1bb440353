// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Parses comparisons, and checks that they make sense.
extension FilterReader {
  private static let signs: [(String, Test.Relation)] = [
    ("==", .equal), ("!=", .notEqual), ("<=", .atMost), (">=", .atLeast), ("^=", .begins),
    ("$=", .ends), ("<", .less), (">", .more),
  ]
  private static let wordSigns: [(String, Test.Relation)] = [
    ("eq", .equal), ("ne", .notEqual), ("lt", .less), ("le", .atMost), ("gt", .more),
    ("ge", .atLeast),
  ]

  /// - Parameters:
  ///   - entry: nil for a path.
  ///   - left: the range of the left side.
  mutating func test(
    _ operand: Operand, isLength: Bool, _ entry: FieldEntry?, _ left: Range<Int>
  ) throws(FilterError) -> Expression {
    let side = Side(
      operand: operand, name: String(decoding: bytes[left], as: Unicode.UTF8.self),
      type: isLength ? .integer : entry?.type ?? .value)
    var test = Test(operand: operand, isLength: isLength, relation: .exists)
    skipSpaces()
    let start = at
    let isNegated = takeNegation()
    if let sign = Self.signs.first(where: { take($0.0) })
      ?? Self.wordSigns.first(where: { takeWord($0.0) })
    {
      test.relation = sign.1
      try check(sign.1, side, start..<at)
      test.literals = [try literal(side, sign.1)]
    } else if takeWord("in") {
      test.relation = .among
      test.literals = try set(side)
    } else if takeWord("contains") {
      test.relation = .contains
      try check(.contains, side, start..<at)
      test.literals = [try literal(side, .contains)]
    } else if takeWord("matches") || take("~") {
      test.relation = .matches
      try check(.matches, side, start..<at)
      test.pattern = try pattern()
    } else {
      try refuseSign(side)
      if isLength { throw fail("'len(…)' is compared with a number", left) }
    }
    return isNegated ? .not(.test(test)) : .test(test)
  }

  /// The left side of a test.
  struct Side {
    var operand: Operand
    /// As written.
    var name: String
    var type: FieldType

    var field: Field? {
      if case .field(let field) = operand { return field }
      return nil
    }
  }

  /// `not in`, `not contains`, `not matches`.
  private mutating func takeNegation() -> Bool {
    let start = at
    guard takeWord("not") else { return false }
    skipSpaces()
    let behind = at
    if takeWord("in") || takeWord("contains") || takeWord("matches") || take("~") {
      at = behind
      return true
    }
    at = start
    return false
  }

  /// Rejects operators of other languages.
  private func refuseSign(_ side: Side) throws(FilterError) {
    guard let byte = next else { return }
    let place = at..<at + 1
    switch Unicode.Scalar(byte) {
    case "=": throw fail("'=' compares nothing; write '=='", place)
    case "!" where self.byte(1) == UInt8(ascii: "~"):
      throw fail("write: not \(side.name) ~ \"…\"", at..<at + 2)
    case ":": throw fail("':' compares nothing; write '==' or 'contains'", place)
    case "[": throw fail("'\(side.name)' has nothing inside; body[0] is a path", place)
    default: break
    }
  }

  /// Checks that the type allows this comparison.
  private func check(
    _ relation: Test.Relation, _ side: Side, _ place: Range<Int>
  ) throws(FilterError) {
    switch relation {
    case .less, .atMost, .more, .atLeast:
      if !side.type.hasOrder {
        throw fail("'\(side.name)' is \(side.type.noun) and has no order; compare with '=='", place)
      }
    case .begins, .ends, .contains, .matches:
      if !side.type.isText && side.type != .endpoint {
        throw fail(
          "'\(side.name)' is \(side.type.noun) and no text; compare with '==', '<' or '>'", place)
      }
    default: break
    }
  }

  private mutating func set(_ side: Side) throws(FilterError) -> [Literal] {
    skipSpaces()
    let start = at
    guard take("{") else {
      throw fail("behind 'in' belongs a set: {1, 2, 5..9}", at..<at + 1)
    }
    var all: [Literal] = []
    while true {
      skipSpaces()
      guard at < bytes.count else { throw fail("'{' is not closed", start..<start + 1) }
      all.append(try element(side))
      skipSpaces()
      if take("}") { return all }
      if !take(",") {
        if at == bytes.count { throw fail("'{' is not closed", start..<start + 1) }
        throw fail("in a set, ',' or '}' follows a value", at..<at + 1)
      }
    }
  }

  /// A value or a range of them.
  private mutating func element(_ side: Side) throws(FilterError) -> Literal {
    let start = at
    let low = try literal(side, .among)
    guard take("..") else { return low }
    let isOpen =
      next == nil || next == UInt8(ascii: ",") || next == UInt8(ascii: "}")
      || next.map { $0 <= 0x20 } ?? false
    let high = isOpen ? nil : try literal(side, .among)
    let (first, last) = (Self.bound(low.value, side), high.map { Self.bound($0.value, side) })
    guard let range = Self.range(first, last) else {
      throw fail("'\(side.name)' is \(side.type.noun); a range needs numbers", start..<at)
    }
    if Self.isEmpty(range) { throw fail("the range ends before it begins", start..<at) }
    return Literal(value: range)
  }

  private mutating func literal(
    _ side: Side, _ relation: Test.Relation
  ) throws(FilterError) -> Literal {
    skipSpaces()
    guard next != nil else { throw fail("here a value is missing", at..<at + 1) }
    var (right, place) = try rightSide()
    do {
      let value = try right.value(for: side, relation)
      warnings += right.warnings
      return Literal(value: value)
    } catch {
      throw fail(error.text, place)
    }
  }

  private mutating func rightSide() throws(FilterError) -> (RightSide, Range<Int>) {
    if isAtString {
      let string = try string()
      return (RightSide(string.bytes, isQuoted: true, words), string.place)
    }
    let bare = takeBare()
    if bare.text.isEmpty {
      let sign = Unicode.Scalar(bytes[at])
      throw fail("'\(sign)' begins no value; text with such signs stands in quotes", at..<at + 1)
    }
    return (RightSide(Array(bare.text.utf8), isQuoted: false, words), bare.place)
  }

  /// One end of a range. Ids are texts or numbers; only numbers have an order.
  private static func bound(_ value: Literal.Value, _ side: Side) -> Literal.Value {
    guard side.type == .id, case .text(let text) = value,
      let number = Int128(String(decoding: text, as: Unicode.UTF8.self))
    else { return value }
    return .numbers(number, number)
  }

  private static func range(_ low: Literal.Value, _ high: Literal.Value?) -> Literal.Value? {
    switch (low, high) {
    case (.numbers(let first, _), nil): .numbers(first, .max)
    case (.numbers(let first, _), .numbers(let last, _)): .numbers(first, last)
    case (.clock(let first, _), nil): .clock(first, .max)
    case (.clock(let first, _), .clock(let last, _)): .clock(first, last)
    case (.sinceStart(let first, _), nil): .sinceStart(first, .max)
    case (.sinceStart(let first, _), .sinceStart(let last, _)): .sinceStart(first, last)
    case (.decimals(let first, _), nil): .decimals(first, .most)
    case (.decimals(let first, _), .decimals(let last, _)): .decimals(first, last)
    default: nil
    }
  }

  private static func isEmpty(_ value: Literal.Value) -> Bool {
    switch value {
    // From 23:50 to 00:10 is a valid clock range.
    case .numbers(let low, let high), .sinceStart(let low, let high): low > high
    case .decimals(let low, let high): low.compared(to: high) > 0
    default: false
    }
  }

  private mutating func pattern() throws(FilterError) -> Pattern {
    skipSpaces()
    guard isAtString else {
      throw fail("a regular expression stands in quotes: ~ \"^com\\.\"", at..<at + 1)
    }
    let string = try string(isPattern: true)
    let ignoresCase = next == UInt8(ascii: "i") && !(byte(1).map(Self.isNamePart) ?? false)
    if ignoresCase { at += 1 }
    do {
      return try Pattern(string.bytes, ignoresCase: ignoresCase)
    } catch {
      throw fail("in the regular expression, \(error.text)", string.place)
    }
  }
}
