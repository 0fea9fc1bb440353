// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapLibraries

/// Takes nodes apart; throws what was expected where a node is something else.
extension YAMLText {
  typealias Node = YAMLDocument.Node
  typealias Members = [(key: String, place: Node, value: Node)]

  /// The members of a mapping that has known keys only.
  static func members(
    of node: Node, _ what: String, _ keys: [String]
  ) throws(YAMLProblem) -> Members {
    let known = keys.joined(separator: ", ")
    guard let mapping = node.mapping else {
      throw YAMLProblem(node, "\(what) has the keys \(known)")
    }
    var members: Members = []
    for pair in mapping {
      let key = try string(pair.key, "a key: \(known)")
      guard keys.contains(key) else {
        let nearest = Spelling.nearest(to: key, among: keys)
        let hint = nearest.map { "did you mean '\($0)'?" } ?? "there are: \(known)"
        throw YAMLProblem(pair.key, "'\(key)' is no key of \(what); \(hint)")
      }
      members.append((key, pair.key, pair.value))
    }
    return members
  }

  static func need(
    _ key: String, of members: Members, in node: Node, _ what: String
  ) throws(YAMLProblem) -> Node {
    if let member = members.first(where: { $0.key == key }) { return member.value }
    throw YAMLProblem(node, "\(what) needs '\(key)'")
  }

  static func list(_ node: Node, _ expected: String) throws(YAMLProblem) -> [Node] {
    guard let sequence = node.sequence else { throw YAMLProblem(node, expected) }
    return sequence
  }

  static func string(_ node: Node, _ expected: String) throws(YAMLProblem) -> String {
    guard let scalar = node.scalar, !isNothing(node) else {
      throw YAMLProblem(node, "expected \(expected)")
    }
    return scalar
  }

  /// One, or a list of them.
  static func strings(
    _ node: Node, _ expected: String
  ) throws(YAMLProblem) -> [(node: Node, text: String)] {
    guard let sequence = node.sequence else { return [(node, try string(node, expected))] }
    var strings: [(node: Node, text: String)] = []
    for node in sequence { strings.append((node, try string(node, expected))) }
    return strings
  }

  /// Nothing behind a colon, or `null`.
  static func isNothing(_ node: Node) -> Bool {
    guard case .scalar(let text, isPlain: true) = node.content else { return false }
    return ["", "~", "null"].contains(text)
  }
}
