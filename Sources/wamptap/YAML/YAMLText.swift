// SPDX-License-Identifier: Apache-2.0
import TapLibraries

/// The text of a YAML file.
enum YAMLText {
  /// libyaml looks at every list that is open for each token.
  private static let mostBrackets = 64
  /// Aliases of aliases multiply; a few of them do no harm.
  private static let mostAliases = 16

  /// Nil when there is nothing in it.
  static func root(of text: String) throws(YAMLProblem) -> YAMLDocument.Node? {
    try limit(text)
    let document: YAMLDocument
    do {
      document = try YAMLDocument(text)
    } catch {
      throw YAMLProblem(
        line: error.line, column: error.column,
        "this cannot be read as YAML: \(error.text)\(hint(error.text))")
    }
    for node in document.nodes { try refuseDuplicates(node) }
    return document.nodes.first
  }

  /// Refuses a key that is there twice: the second one would hide the first.
  private static func refuseDuplicates(
    _ node: YAMLDocument.Node
  ) throws(YAMLProblem) {
    guard let mapping = node.mapping else { return }
    var keys: [String: YAMLDocument.Node] = [:]
    for pair in mapping {
      guard case .scalar(let key, let isPlain) = pair.key.content else { continue }
      // 1 is a number and "1" a string.
      if let first = keys.updateValue(pair.key, forKey: "\(isPlain) \(key)") {
        throw YAMLProblem(first, "'\(key)' is there twice")
      }
    }
  }

  /// What was most likely typed, where the error of the parser does not say it.
  private static func hint(_ problem: String) -> String {
    if problem.contains("alias") { return "; write a '*' that begins a text in quotes" }
    if problem.contains("',' or ']'") { return "; in a list, write what has brackets in quotes" }
    if problem.contains("cannot start any token") { return "; indent with spaces, not with tabs" }
    return ""
  }

  /// Refuses too many aliases or open brackets before the text is parsed. As it does not look for
  /// quotes, it may count more than there are.
  private static func limit(_ text: String) throws(YAMLProblem) {
    var (count, depth) = (0, 0)
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.drop(while: \.isWhitespace).first == "#" { continue }
      var before: Character = " "
      for (column, character) in line.enumerated() {
        if character == "*" && (before.isWhitespace || "[{,:-?".contains(before)) { count += 1 }
        if count > mostAliases {
          throw YAMLProblem(
            line: number + 1, column: column + 1, "there are too many aliases ('*name')")
        }
        if "[{".contains(character) { depth += 1 }
        if "]}".contains(character) { depth = max(0, depth - 1) }
        if depth > mostBrackets {
          throw YAMLProblem(
            line: number + 1, column: column + 1,
            "this cannot be read as YAML: more than \(mostBrackets) '[' and '{' are open")
        }
        before = character
      }
    }
  }
}

extension YAMLDocument.Node {
  var scalar: String? { if case .scalar(let text, _) = content { text } else { nil } }
  var sequence: [YAMLDocument.Node]? { if case .sequence(let all) = content { all } else { nil } }
  var mapping: [(key: YAMLDocument.Node, value: YAMLDocument.Node)]? {
    if case .mapping(let pairs) = content { pairs } else { nil }
  }
}
