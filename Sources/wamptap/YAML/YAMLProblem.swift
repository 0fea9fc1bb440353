// SPDX-License-Identifier: Apache-2.0
import TapLibraries

/// What is wrong in a YAML file, and where.
struct YAMLProblem: Error {
  /// Both count from 1, columns by characters.
  var line: Int
  var column: Int
  /// Characters that are marked.
  var length = 1
  /// What is wrong, and what is allowed.
  var text: String

  init(line: Int, column: Int, _ text: String) {
    (self.line, self.column, self.text) = (line, column, text)
  }

  init(_ node: YAMLDocument.Node, _ text: String) {
    self.init(line: node.line, column: node.column, text)
    if let scalar = node.scalar, !scalar.contains("\n") { length = max(scalar.count, 1) }
  }

  /// A problem with what follows right after a text.
  init(after text: String, _ what: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    self.init(line: lines.count, column: (lines.last?.count ?? 0) + 1, what)
  }

  /// The line with a mark under the mistake, each with two spaces before it.
  func picture(in text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard line >= 1, line <= lines.count, lines[line - 1].count <= 400 else { return [] }
    let shown = lines[line - 1].map { $0.isWhitespace ? " " : $0 }
    let waves = max(min(length, shown.count - column + 1), 1) - 1
    return [
      "  " + String(shown),
      "  " + String(repeating: " ", count: column - 1) + "^" + String(repeating: "~", count: waves),
    ]
  }
}
