// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapLibraries
import TapNames
import TapTraffic

/// Makes rules of the text of a names file. Whatever is not understood is a problem with its place:
/// a misspelled key that is passed over would be a mask that does not mask.
struct NamesReader {
  typealias Node = YAMLDocument.Node
  private typealias Members = YAMLText.Members

  static func names(_ text: String) throws(YAMLProblem) -> Names {
    var names = Names()
    guard let root = try YAMLText.root(of: text), !YAMLText.isNothing(root) else { return names }
    let keys = ["names", "messages", "mask", "show", "filters"]
    for member in try YAMLText.members(of: root, "a names file", keys) {
      if YAMLText.isNothing(member.value) { continue }
      if member.key == "filters" {
        names.filters = try filters(member.value)
        continue
      }
      // Names of fields that are meant wherever they stand, as `**.token`.
      var anywhere: [String] = []
      for node in try YAMLText.list(
        member.value, "'\(member.key)' is a list; begin each rule with '- '")
      {
        switch member.key {
        case "names": names.rules.append(try nameRule(node))
        case "messages": names.messages.append(try messageRule(node))
        case "mask":
          if let rule = try fieldsRule(node, "mask", { anywhere.append($0) }) {
            names.masks.append(rule)
          }
        default:
          if let rule = try fieldsRule(node, "show", { anywhere.append($0) }) {
            names.shows.append(rule)
          }
        }
      }
      if member.key == "mask" { names.credentials.insert(contentsOf: anywhere) }
      if member.key == "show" { names.credentials.remove(contentsOf: anywhere) }
    }
    for index in names.messages.indices {
      let type = names.messages[index].type
      names.messages[index].kindNames = names.rules.filter { $0.isAbout(field: type) }.flatMap(
        \.all)
    }
    return names
  }

  /// Display filters by name: `slow: latency > 1s`. They are read where they are used.
  private static func filters(_ node: Node) throws(YAMLProblem) -> [String: String] {
    guard let mapping = node.mapping else {
      throw YAMLProblem(node, "'filters' has filters by their names, as { slow: latency > 1s }")
    }
    var filters: [String: String] = [:]
    for pair in mapping {
      let name = try YAMLText.string(pair.key, "the name of a filter")
      let isName = name.first.map { $0.isLetter || $0 == "_" } ?? false
      guard isName, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else {
        throw YAMLProblem(pair.key, "'\(name)' is no name; it has letters, digits, '_' and '-'")
      }
      filters[name] = try YAMLText.string(pair.value, "a filter, as latency > 1s")
    }
    return filters
  }

  /// How the JSON of an application is read.
  private static func messageRule(_ node: Node) throws(YAMLProblem) -> MessageRule {
    let keys = ["where", "type", "request", "answers", "replies", "subject"]
    var rule = MessageRule()
    for member in try YAMLText.members(of: node, "a rule of 'messages'", keys) {
      switch member.key {
      case "where": try connections(member.value, &rule)
      case "replies":
        rule.replies = try YAMLText.strings(member.value, "a kind of message").map {
          plain($0.text)
        }
      default:
        let path = try YAMLText.string(member.value, "the path of a value, as head.kind")
        try at(member.value) { () throws(NamesFault) in try rule.set(member.key, path) }
      }
    }
    return rule
  }

  /// Which connections a rule is about.
  private static func connections(
    _ node: Node, _ rule: inout MessageRule
  ) throws(YAMLProblem) {
    let keys = ["url", "port", "subprotocol", "dialect"]
    for member in try YAMLText.members(of: node, "'where'", keys) {
      let text = try YAMLText.string(
        member.value, "a URL, as */chat, a port, a subprotocol or a dialect")
      switch member.key {
      case "url": rule.url = text
      case "subprotocol": rule.subprotocol = text
      case "dialect":
        let all = LayerFactory.dialectsWithRules
        if !all.contains(text) {
          throw YAMLProblem(
            member.value,
            "'\(text)' has no messages that can be read otherwise; there are: "
              + all.joined(separator: ", "))
        }
        rule.dialect = text
      default:
        rule.port = UInt16(text)
        if rule.port == nil { throw YAMLProblem(member.value, "'\(text)' is no port") }
      }
    }
  }

  private static func nameRule(_ node: Node) throws(YAMLProblem) -> NameRule {
    let keys = ["subject", "field", "values"]
    let members = try YAMLText.members(of: node, "a rule of 'names'", keys)
    let subjects = try subjects(of: members)
    let fieldNode = try YAMLText.need("field", of: members, in: node, "a rule of 'names'")
    let fieldText = try YAMLText.string(fieldNode, "the path of a field, as args[0].type")
    let valuesNode = try YAMLText.need("values", of: members, in: node, "a rule of 'names'")
    guard let mapping = valuesNode.mapping, !mapping.isEmpty else {
      throw YAMLProblem(
        valuesNode, "'values' has names by their values, as { 100: chatListUpdate }")
    }
    var values: [(value: String, name: String)] = []
    var known: Set<String> = []
    for pair in mapping {
      let value = plain(try YAMLText.string(pair.key, "a number or a string that has a name"))
      if !known.insert(value).inserted {
        throw YAMLProblem(pair.key, "'\(value)' has a name already")
      }
      let name =
        YAMLText.isNothing(pair.value)
        ? "" : try YAMLText.string(pair.value, "the name of '\(value)'")
      if name.isEmpty {
        throw YAMLProblem(pair.key, "'\(value)' has no name; write '\(value): name'")
      }
      values.append((value, name))
    }
    return try at(fieldNode) { () throws(NamesFault) in
      try NameRule(subjects, FieldPath(fieldText), values)
    }
  }

  /// A rule of `mask` or `show`: a path, or paths for some subjects.
  ///
  /// - Parameter anywhere: gets the name of a rule such as `**.token`, which is meant wherever it
  ///   stands.
  /// - Returns: nil when the rule is only such a name.
  private static func fieldsRule(
    _ node: Node, _ key: String, _ anywhere: (String) -> Void
  ) throws(YAMLProblem) -> MaskRule? {
    if node.scalar != nil {
      let text = try YAMLText.string(node, "the path of a field, as **.token")
      let path = try at(node) { () throws(NamesFault) in try FieldPath(text) }
      guard let name = path.nameAnywhere else { return MaskRule([.any], [path]) }
      if !CredentialNames.isName(name) {
        throw YAMLProblem(
          node,
          "a name that counts in any spelling has letters and digits of ASCII; [*].**.\(name) and"
            + " kwargs.**.\(name) are the keys that are called exactly that")
      }
      anywhere(name)
      return nil
    }
    let members = try YAMLText.members(of: node, "a rule of '\(key)'", ["subject", "fields"])
    let subjects = try subjects(of: members)
    let fields = try YAMLText.need("fields", of: members, in: node, "a rule of '\(key)'")
    var paths: [FieldPath] = []
    for field in try YAMLText.strings(fields, "the path of a field, as kwargs.token") {
      paths.append(try at(field.node) { () throws(NamesFault) in try FieldPath(field.text) })
    }
    if paths.isEmpty {
      throw YAMLProblem(fields, "'fields' is empty; it has paths, as kwargs.token")
    }
    return MaskRule(subjects, paths)
  }

  /// Without any, a rule is about every message.
  private static func subjects(of members: Members) throws(YAMLProblem) -> [SubjectPattern] {
    guard let member = members.first(where: { $0.key == "subject" }) else { return [.any] }
    var patterns: [SubjectPattern] = []
    for subject in try YAMLText.strings(
      member.value, "a topic, a procedure, or a pattern, as com.chat.*")
    {
      patterns.append(
        try at(subject.node) { () throws(NamesFault) in try SubjectPattern(subject.text) })
    }
    if patterns.isEmpty {
      throw YAMLProblem(member.value, "'subject' is empty; leave it out for all")
    }
    return patterns
  }

  private static func at<Result>(
    _ node: Node, _ body: () throws(NamesFault) -> Result
  ) throws(YAMLProblem) -> Result {
    do { return try body() } catch { throw YAMLProblem(node, error.text) }
  }

  /// Payloads have no hexadecimal numbers; a names file may.
  private static func plain(_ value: String) -> String {
    guard value.hasPrefix("0x"), let number = UInt64(value.dropFirst(2), radix: 16) else {
      return value
    }
    return String(number)
  }
}
