// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Parses and checks a filter: recursive descent for the grammar in wamptap-filter(7).
struct FilterReader {
  let text: String
  let bytes: [UInt8]
  let words: Vocabulary
  var at = 0
  /// Warnings about a valid filter, one sentence each.
  var warnings: [String] = []
  /// Named filters that are being read, the outermost first.
  let names: [String]
  private var depth = 0

  /// The limit of nesting, for parentheses and named filters.
  private static let mostDepth = 50

  init(_ text: String, _ words: Vocabulary, names: [String] = []) {
    (self.text, self.words, self.names) = (text, words, names)
    bytes = Array(text.utf8)
  }

  mutating func read() throws(FilterError) -> Expression {
    skipSpaces()
    if at == bytes.count { return .everything }
    let expression = try or()
    skipSpaces()
    if at < bytes.count { throw missingOperator() }
    return expression
  }

  private mutating func or() throws(FilterError) -> Expression {
    var all = [try and()]
    while takeJoint("or", "||") { all.append(try and()) }
    return all.count == 1 ? all[0] : .or(all)
  }

  private mutating func and() throws(FilterError) -> Expression {
    var all = [try not()]
    while takeJoint("and", "&&") { all.append(try not()) }
    if all.count == 1 { return all[0] }
    warnings += NeverTrue.reasons(all)
    return .and(all)
  }

  private mutating func not() throws(FilterError) -> Expression {
    skipSpaces()
    let start = at
    let isMark = next == UInt8(ascii: "!") && byte(1) != UInt8(ascii: "=")
    if isMark { at += 1 }
    if isMark || takeWord("not") {
      try enter(start)
      let inside = try not()
      depth -= 1
      return .not(inside)
    }
    return try primary()
  }

  private mutating func enter(_ start: Int) throws(FilterError) {
    depth += 1
    if depth > Self.mostDepth { throw fail("the filter is nested too deeply", start..<start + 1) }
  }

  private mutating func primary() throws(FilterError) -> Expression {
    skipSpaces()
    guard let first = next else {
      throw fail("here a test is missing, as name == EVENT", at..<at + 1)
    }
    switch Unicode.Scalar(first) {
    case "(": return try parenthesised()
    case "\"", "'":
      let string = try string()
      return .test(Test(operand: .words, relation: .contains, literals: [.text(string.bytes)]))
    case "#": return try connectionNumber()
    case "$": return try namedFilter()
    default: break
    }
    let start = at
    if let scope = takeScope() {
      let inside = try parenthesised()
      return .scope(scope, inside)
    }
    let (operand, isLength, entry) = try operand()
    switch operand {
    case .message(let name): return .test(Self.isCalled(name))
    case .operand(let operand):
      return try test(operand, isLength: isLength, entry, start..<at)
    }
  }

  static func isCalled(_ name: String) -> Test {
    Test(operand: .field(.name), relation: .equal, literals: [.text(Array(name.utf8))])
  }

  private mutating func parenthesised() throws(FilterError) -> Expression {
    let start = at
    at += 1
    try enter(start)
    let inside = try or()
    skipSpaces()
    guard next == UInt8(ascii: ")") else {
      if at < bytes.count { throw missingOperator() }
      throw fail("'(' is not closed", start..<start + 1)
    }
    at += 1
    depth -= 1
    return inside
  }

  private mutating func takeScope() -> Scope? {
    let start = at
    let word = takeName()
    skipSpaces()
    if next == UInt8(ascii: "("), let scope = Scope(rawValue: word) { return scope }
    at = start
    return nil
  }

  /// `#2`.
  private mutating func connectionNumber() throws(FilterError) -> Expression {
    let start = at
    at += 1
    let digits = takeRun { $0.isDigit }
    guard let number = UInt32(digits) else {
      throw fail("'#' needs the number of a connection: #2", start..<max(at, start + 1))
    }
    return .test(
      Test(operand: .field(.connection), relation: .equal, literals: [.number(Int128(number))]))
  }

  /// `$slow`.
  private mutating func namedFilter() throws(FilterError) -> Expression {
    let start = at
    at += 1
    let name = takeName()
    let place = start..<max(at, start + 1)
    guard let filter = words.filters[name] ?? Vocabulary.builtIn[name] else {
      let known = words.filters.keys.sorted()
      let hint =
        Spelling.nearest(to: name, among: known).map { "did you mean '$\($0)'?" }
        ?? "there are: \(known.map { "$" + $0 }.joined(separator: ", "))"
      throw fail("no filter is named '$\(name)'; \(hint)", place)
    }
    if names.contains(name) { throw fail("'$\(name)' refers to itself", place) }
    var reader = FilterReader(filter, words, names: names + [name])
    do {
      let inside = try reader.read()
      warnings += reader.warnings
      return inside
    } catch {
      if !names.isEmpty { throw error }
      throw FilterError(
        text: "in $\(name): \(error.text)", filter: error.filter, place: error.place)
    }
  }

  /// The error for a test without `and` or `or` before it.
  private func missingOperator() -> FilterError {
    let rest = bytes[at...]
    switch Unicode.Scalar(bytes[at]) {
    case ")": return fail("')' closes nothing", at..<at + 1)
    case "&": return fail("write 'and' or '&&'", at..<at + 1)
    case "|": return fail("write 'or' or '||'", at..<at + 1)
    default:
      let word = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "(") }
      return fail("'and' or 'or' is missing", at..<at + max(word.count, 1))
    }
  }

  func fail(_ text: String, _ place: Range<Int>) -> FilterError {
    FilterError(text: text, filter: self.text, place: place)
  }
}

extension Literal {
  static func text(_ bytes: [UInt8]) -> Literal { Literal(value: .text(bytes)) }
  static func number(_ number: Int128) -> Literal { Literal(value: .numbers(number, number)) }
}
