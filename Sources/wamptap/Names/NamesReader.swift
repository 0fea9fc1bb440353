// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapNames
import TapTraffic

/// Makes rules of the text of a names file. Whatever is not understood is a problem with its place:
/// a key passed over for a slip of the pen would be a mask that does not mask.
struct NamesReader {
  typealias Node = YAMLDocument.Node
  private typealias Members = [(key: String, place: Node, value: Node)]

  static func names(_ text: String) throws(Problem) -> Names {
    var names = Names()
    guard let root = try YAMLText.root(of: text), !isNothing(root) else { return names }
    let keys = ["names", "messages", "mask", "show", "filters"]
    for member in try members(of: root, "a names file", keys) {
      if isNothing(member.value) { continue }
      if member.key == "filters" {
        names.filters = try filters(member.value)
        continue
      }
      for node in try list(member.value, "'\(member.key)' is a list; begin each rule with '- '") {
        switch member.key {
        case "names": names.rules.append(try nameRule(node))
        case "messages": names.messages.append(try messageRule(node))
        case "mask":
          if let rule = try fieldsRule(node, "mask", { names.credentials.insert($0) }) {
            names.masks.append(rule)
          }
        default:
          if let rule = try fieldsRule(node, "show", { names.credentials.remove($0) }) {
            names.shows.append(rule)
          }
        }
      }
    }
    for index in names.messages.indices {
      let type = names.messages[index].type
      names.messages[index].kindNames = names.rules.filter { $0.isAbout(field: type) }.flatMap(
        \.all)
    }
    return names
  }

  /// Display filters by name: `slow: latency > 1s`. They are read where they are used.
  private static func filters(_ node: Node) throws(Problem) -> [String: String] {
    guard let mapping = node.mapping else {
      throw Problem(node, "'filters' has filters by their names, as { slow: latency > 1s }")
    }
    var filters: [String: String] = [:]
    for pair in mapping {
      let name = try string(pair.key, "the name of a filter")
      let isName = name.first.map { $0.isLetter || $0 == "_" } ?? false
      guard isName, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else {
        throw Problem(pair.key, "'\(name)' is no name; it has letters, digits, '_' and '-'")
      }
      filters[name] = try string(pair.value, "a filter, as latency > 1s")
    }
    return filters
  }

  /// How the JSON of an application is read.
  private static func messageRule(_ node: Node) throws(Problem) -> MessageRule {
    let keys = ["where", "type", "request", "answers", "replies", "subject"]
    var rule = MessageRule()
    for member in try members(of: node, "a rule of 'messages'", keys) {
      switch member.key {
      case "where": try connections(member.value, &rule)
      case "replies":
        rule.replies = try strings(member.value, "a kind of message").map { plain($0.text) }
      default:
        let path = try string(member.value, "the path of a value, as head.kind")
        try at(member.value) { () throws(NamesFault) in try rule.set(member.key, path) }
      }
    }
    return rule
  }

  /// Which connections a rule is about.
  private static func connections(
    _ node: Node, _ rule: inout MessageRule
  ) throws(Problem) {
    for member in try members(of: node, "'where'", ["url", "port", "subprotocol"]) {
      let text = try string(member.value, "a URL, as */chat, a port or a subprotocol")
      switch member.key {
      case "url": rule.url = text
      case "subprotocol": rule.subprotocol = text
      default:
        rule.port = UInt16(text)
        if rule.port == nil { throw Problem(member.value, "'\(text)' is no port") }
      }
    }
  }

  private static func nameRule(_ node: Node) throws(Problem) -> NameRule {
    let keys = ["subject", "field", "values"]
    let members = try members(of: node, "a rule of 'names'", keys)
    let subjects = try subjects(of: members)
    let fieldNode = try need("field", of: members, in: node, "a rule of 'names'")
    let fieldText = try string(fieldNode, "the path of a field, as args[0].type")
    let valuesNode = try need("values", of: members, in: node, "a rule of 'names'")
    guard let mapping = valuesNode.mapping, !mapping.isEmpty else {
      throw Problem(valuesNode, "'values' has names by their values, as { 100: chatListUpdate }")
    }
    var values: [(value: String, name: String)] = []
    var known: Set<String> = []
    for pair in mapping {
      let value = plain(try string(pair.key, "a number or a string that has a name"))
      if !known.insert(value).inserted {
        throw Problem(pair.key, "'\(value)' has a name already")
      }
      let name = isNothing(pair.value) ? "" : try string(pair.value, "the name of '\(value)'")
      if name.isEmpty { throw Problem(pair.key, "'\(value)' has no name; write '\(value): name'") }
      values.append((value, name))
    }
    return try at(fieldNode) { () throws(NamesFault) in
      try NameRule(subjects, FieldPath(fieldText), values)
    }
  }

  /// A rule of `mask` or `show`: a path, or paths for some subjects.
  ///
  /// - Parameter anywhere: is told a name that is meant wherever it stands.
  /// - Returns: nil when that was all.
  private static func fieldsRule(
    _ node: Node, _ key: String, _ anywhere: (String) -> Void
  ) throws(Problem) -> MaskRule? {
    if node.scalar != nil {
      let text = try string(node, "the path of a field, as **.token")
      let path = try at(node) { () throws(NamesFault) in try FieldPath(text) }
      guard let name = path.nameAnywhere else { return MaskRule([.any], [path]) }
      anywhere(name)
      return nil
    }
    let members = try members(of: node, "a rule of '\(key)'", ["subject", "fields"])
    let subjects = try subjects(of: members)
    let fields = try need("fields", of: members, in: node, "a rule of '\(key)'")
    var paths: [FieldPath] = []
    for field in try strings(fields, "the path of a field, as kwargs.token") {
      paths.append(try at(field.node) { () throws(NamesFault) in try FieldPath(field.text) })
    }
    if paths.isEmpty { throw Problem(fields, "'fields' is empty; it has paths, as kwargs.token") }
    return MaskRule(subjects, paths)
  }

  /// Without any, a rule is about every message.
  private static func subjects(of members: Members) throws(Problem) -> [SubjectPattern] {
    guard let member = members.first(where: { $0.key == "subject" }) else { return [.any] }
    var patterns: [SubjectPattern] = []
    for subject in try strings(member.value, "a topic, a procedure, or a pattern, as com.chat.*") {
      patterns.append(
        try at(subject.node) { () throws(NamesFault) in try SubjectPattern(subject.text) })
    }
    if patterns.isEmpty { throw Problem(member.value, "'subject' is empty; leave it out for all") }
    return patterns
  }

  private static func at<Result>(
    _ node: Node, _ body: () throws(NamesFault) -> Result
  ) throws(Problem) -> Result {
    do { return try body() } catch { throw Problem(node, error.text) }
  }

  /// The members of a mapping, all of whose keys are known.
  private static func members(
    of node: Node, _ what: String, _ keys: [String]
  ) throws(Problem) -> Members {
    let known = keys.joined(separator: ", ")
    guard let mapping = node.mapping else { throw Problem(node, "\(what) has the keys \(known)") }
    var members: Members = []
    for pair in mapping {
      let key = try string(pair.key, "a key: \(known)")
      guard keys.contains(key) else {
        throw Problem(pair.key, "'\(key)' is no key of \(what); there are: \(known)")
      }
      members.append((key, pair.key, pair.value))
    }
    return members
  }

  private static func need(
    _ key: String, of members: Members, in node: Node, _ what: String
  ) throws(Problem) -> Node {
    if let member = members.first(where: { $0.key == key }) { return member.value }
    throw Problem(node, "\(what) needs '\(key)'")
  }

  private static func list(_ node: Node, _ expected: String) throws(Problem) -> [Node] {
    guard let sequence = node.sequence else { throw Problem(node, expected) }
    return sequence
  }

  private static func string(_ node: Node, _ expected: String) throws(Problem) -> String {
    guard let scalar = node.scalar, !isNothing(node) else {
      throw Problem(node, "here belongs \(expected)")
    }
    return scalar
  }

  /// One, or a list of them.
  private static func strings(
    _ node: Node, _ expected: String
  ) throws(Problem) -> [(node: Node, text: String)] {
    guard let sequence = node.sequence else { return [(node, try string(node, expected))] }
    var strings: [(node: Node, text: String)] = []
    for node in sequence { strings.append((node, try string(node, expected))) }
    return strings
  }

  /// Nothing behind a colon, or `null`.
  private static func isNothing(_ node: Node) -> Bool {
    guard case .scalar(let text, isPlain: true) = node.content else { return false }
    return ["", "~", "null"].contains(text)
  }

  /// Payloads have no hexadecimal numbers; those who name them do.
  private static func plain(_ value: String) -> String {
    guard value.hasPrefix("0x"), let number = UInt64(value.dropFirst(2), radix: 16) else {
      return value
    }
    return String(number)
  }
}
