// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapCheck
import TapFilter
import TapLibraries
import TapTraffic

/// Makes a plan of the text of an expectations file; see wamptap-check(5).
struct ExpectationsReader {
  typealias Node = YAMLDocument.Node

  /// What filters are checked against.
  let words: Vocabulary
  /// The name of the file; empty for an expectation that was typed as an argument.
  let file: String
  /// Codes of all findings.
  let codes: [String]

  private static let forms = ["each", "count", "none", "latency", "in-order"]

  /// - Parameter plan: gets what the file says.
  func read(_ text: String, into plan: inout CheckRun.Plan) throws(YAMLProblem) {
    guard let root = try YAMLText.root(of: text), !YAMLText.isNothing(root) else { return }
    let keys = ["version", "fail-on", "expect", "ignore"]
    for member in try YAMLText.members(of: root, "an expectations file", keys) {
      if YAMLText.isNothing(member.value) { continue }
      switch member.key {
      case "version":
        let version = try YAMLText.string(member.value, "1")
        if version != "1" {
          throw YAMLProblem(member.value, "this reads version 1, not \(version)")
        }
      case "fail-on": plan.failOn = try severity(member.value)
      case "expect":
        for node in try YAMLText.list(member.value, "'expect' is a list; begin each with '- '") {
          try add(try expectation(node), node, to: &plan)
        }
      default:
        for node in try YAMLText.list(member.value, "'ignore' is a list; begin each with '- '") {
          plan.ignored.append(try ignoreRule(node))
        }
      }
    }
  }

  /// One expectation as it is typed: `each: CALL; answered: within 500ms`.
  func readTyped(_ text: String, into plan: inout CheckRun.Plan) throws(YAMLProblem) {
    guard let root = try YAMLText.root(of: Self.lines(text)) else {
      throw YAMLProblem(line: 1, column: 1, "expected an expectation, such as none: failed")
    }
    var expectation = try expectation(root, called: text)
    var number = 1
    while plan.expectations.contains(where: { $0.name == expectation.name }) {
      number += 1
      expectation.name = "\(text) (\(number))"
    }
    plan.expectations.append(expectation)
  }

  /// `;` between members is a new line; not inside of quotes.
  static func lines(_ text: String) -> String {
    var (lines, quote): (String, Character?) = ("", nil)
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      }
      if character == ";" && quote == nil {
        lines.append("\n")
      } else if character != " " || lines.last != "\n" {
        lines.append(character)
      }
    }
    return lines
  }

  private func add(
    _ expectation: Expectation, _ node: Node, to plan: inout CheckRun.Plan
  ) throws(YAMLProblem) {
    if plan.expectations.contains(where: { $0.name == expectation.name }) {
      throw YAMLProblem(node, "there are two expectations called '\(expectation.name)'")
    }
    plan.expectations.append(expectation)
  }

  private func severity(_ node: Node) throws(YAMLProblem) -> Finding.Severity? {
    let word = try YAMLText.string(node, "note, warning, error or never")
    if word == "never" { return nil }
    guard let severity = Finding.Severity.allCases.first(where: { $0.name.description == word })
    else { throw YAMLProblem(node, "'\(word)' is none of note, warning, error and never") }
    return severity
  }

  // MARK: expectations

  private func expectation(
    _ node: Node, called name: String? = nil
  ) throws(YAMLProblem) -> Expectation {
    let forms = Self.forms.joined(separator: ", ")
    guard let mapping = node.mapping else {
      throw YAMLProblem(node, "an expectation has one of the keys \(forms)")
    }
    let keys = mapping.compactMap(\.key.scalar)
    let given = Self.forms.filter { keys.contains($0) }
    if given.count > 1 {
      throw YAMLProblem(
        node, "an expectation has one of \(given.joined(separator: " and ")), not both")
    }
    guard let key = given.first else {
      // If a key is misspelled, this throws and names it.
      _ = try YAMLText.members(of: node, "an expectation", Self.forms + ["name"] + Self.others)
      throw YAMLProblem(node, "an expectation needs one of \(forms)")
    }
    let members = try YAMLText.members(
      of: node, "an expectation with '\(key)'", [key, "name"] + Self.keys(of: key))
    let subject = members.first { $0.key == key }!.value
    var values: [String: Node] = [:]
    for member in members where !YAMLText.isNothing(member.value) {
      values[member.key] = member.value
    }
    let (form, filters) = try form(key, subject, values)
    var grouping: Expectation.Grouping?
    if let node = values["per"] {
      let word = try YAMLText.string(node, "session, connection, subject or client")
      grouping = Expectation.Grouping(rawValue: word)
      if grouping == nil {
        throw YAMLProblem(node, "'\(word)' is none of session, connection, subject and client")
      }
    } else if key == "in-order" {
      grouping = .session
    }
    let ownName = try values["name"].map { node throws(YAMLProblem) in
      try YAMLText.string(node, "a name for the expectation")
    }
    let text = filters.map(\.text).joined(separator: ", ")
    return Expectation(
      name: ownName ?? name ?? "\(key): \(text)", form, filters, per: grouping,
      at: Expectation.SourceLine(file: file, line: node.line))
  }

  private static let others =
    ["answered", "at-least", "at-most", "exactly", "of-at-least", "within", "per"]
    + LatencyBound.Statistic.allCases.map(\.rawValue)

  private static func keys(of form: String) -> [String] {
    switch form {
    case "each": ["answered"]
    case "count": ["at-least", "at-most", "exactly", "per"]
    case "latency": LatencyBound.Statistic.allCases.map(\.rawValue) + ["of-at-least"]
    case "in-order": ["within", "per"]
    default: []
    }
  }

  private func form(
    _ key: String, _ subject: Node, _ values: [String: Node]
  ) throws(YAMLProblem) -> (Expectation.Form, [Filter]) {
    if key == "in-order" {
      let nodes = try YAMLText.list(subject, "'in-order' is a list of filters: [HELLO, WELCOME]")
      if nodes.count < 2 { throw YAMLProblem(subject, "'in-order' needs two filters or more") }
      if nodes.count > 32 { throw YAMLProblem(subject, "'in-order' takes up to 32 filters") }
      var filters: [Filter] = []
      for node in nodes { filters.append(try filter(node)) }
      return (.inOrder(within: try values["within"].map(duration)), filters)
    }
    let filter = try filter(subject)
    switch key {
    case "each": return (.each(within: try answered(values["answered"])), [filter])
    case "none": return (.none, [filter])
    case "count": return (.count(try bounds(subject, values)), [filter])
    default:
      var all: [LatencyBound] = []
      for statistic in LatencyBound.Statistic.allCases {
        guard let node = values[statistic.rawValue] else { continue }
        all.append(try bound(statistic, node))
      }
      if all.isEmpty {
        throw YAMLProblem(subject, "'latency' needs a bound, as p95: < 200ms")
      }
      let least = try values["of-at-least"].map(number) ?? 1
      return (.latency(all, least: Int(clamping: least)), [filter])
    }
  }

  private func answered(_ node: Node?) throws(YAMLProblem) -> Int64? {
    guard let node else { return nil }
    let text = try YAMLText.string(node, "true, or within 500ms")
    if text == "true" { return nil }
    let words = text.split(separator: " ")
    guard words.count == 2, words[0] == "within", let span = Units.duration(words[1]) else {
      throw YAMLProblem(node, "'\(text)' is neither 'true' nor, as 'within 500ms', a time")
    }
    return Int64(clamping: span)
  }

  private func bounds(_ subject: Node, _ values: [String: Node]) throws(YAMLProblem) -> CountBounds
  {
    let least = try values["at-least"].map(number)
    let most = try values["at-most"].map(number)
    if let node = values["exactly"] {
      if least != nil || most != nil {
        throw YAMLProblem(node, "'exactly' stands alone, without at-least and at-most")
      }
      let count = try number(node)
      return CountBounds(least: count, most: count)
    }
    if least == nil && most == nil {
      throw YAMLProblem(subject, "'count' needs at-least, at-most or exactly")
    }
    if let least, let most, least > most {
      throw YAMLProblem(values["at-least"]!, "at-least \(least) is more than at-most \(most)")
    }
    return CountBounds(least: least, most: most)
  }

  private func bound(
    _ statistic: LatencyBound.Statistic, _ node: Node
  ) throws(YAMLProblem) -> LatencyBound {
    let text = try YAMLText.string(node, "a bound, as < 200ms")
    let sign = text.prefix { "<>=".contains($0) }
    let rest = text.dropFirst(sign.count).drop { $0 == " " }
    guard let relation = LatencyBound.Relation(rawValue: String(sign)),
      let span = Units.duration(rest)
    else { throw YAMLProblem(node, "'\(text)' is no bound; write < 200ms") }
    return LatencyBound(statistic, relation, Int64(clamping: span))
  }

  private func duration(_ node: Node) throws(YAMLProblem) -> Int64 {
    let text = try YAMLText.string(node, "a time, as 3s")
    guard let span = Units.duration(text[...]) else {
      throw YAMLProblem(node, "'\(text)' is no time; write 500ms or 3s")
    }
    return Int64(clamping: span)
  }

  private func number(_ node: Node) throws(YAMLProblem) -> UInt64 {
    let text = try YAMLText.string(node, "a number")
    guard let number = UInt64(text) else { throw YAMLProblem(node, "'\(text)' is no number") }
    return number
  }

  // MARK: filters and findings

  private func filter(_ node: Node) throws(YAMLProblem) -> Filter {
    let text = try YAMLText.string(node, "a filter, as CALL and subject ^= com.user")
    do {
      return try Filter(text, words)
    } catch {
      var problem = YAMLProblem(node, error.text)
      // A named filter has its own text, which stands elsewhere.
      if error.filter == text {
        let before = text.utf8.prefix(error.place.lowerBound)
        let marked = text.utf8.prefix(error.place.upperBound).dropFirst(error.place.lowerBound)
        let isPlain = if case .scalar(_, isPlain: true) = node.content { true } else { false }
        problem.column += (String(before)?.count ?? 0) + (isPlain ? 0 : 1)
        problem.length = max(String(marked)?.count ?? 1, 1)
      }
      throw problem
    }
  }

  private func ignoreRule(_ node: Node) throws(YAMLProblem) -> IgnoreRule {
    let keys = ["code", "where", "because", "until"]
    let members = try YAMLText.members(of: node, "a rule of 'ignore'", keys)
    let what = "a rule of 'ignore'"
    let codeNode = try YAMLText.need("code", of: members, in: node, what)
    let code = try YAMLText.string(codeNode, "the code of a finding")
    if let hint = hint(code) { throw YAMLProblem(codeNode, hint) }
    let reasonNode = try YAMLText.need("because", of: members, in: node, what)
    let reason = try YAMLText.string(reasonNode, "why it is ignored")
    var until: String?
    var whereFilter: Filter?
    for member in members {
      if member.key == "until" {
        let day = try YAMLText.string(member.value, "a day, as 2027-03-01")
        if !Self.isDay(day) {
          throw YAMLProblem(member.value, "'\(day)' is no day; write 2027-03-01")
        }
        until = day
      } else if member.key == "where" {
        whereFilter = try filter(member.value)
      }
    }
    return IgnoreRule(code, whereFilter, because: reason, until: until)
  }

  /// What is wrong with a code; nil where there is such a finding.
  func hint(_ code: String) -> String? {
    if codes.contains(code) { return nil }
    let nearest = Spelling.nearest(to: code, among: codes).map { "; did you mean '\($0)'?" }
    return "no finding is called '\(code)'\(nearest ?? "")"
  }

  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], let year = Int64(parts[0]), let month = Int64(parts[1]),
      let day = Int64(parts[2])
    else { return false }
    let date = CivilDate(year: year, month: month, day: day)
    return CivilDate(days: date.days) == date
  }
}
