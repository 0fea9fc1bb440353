// SPDX-License-Identifier: Apache-2.0
import TapLibraries

extension NamesReader {
  /// What is wrong in a names file, and where.
  struct Problem: Error {
    /// Both count from 1, columns by characters.
    var line: Int
    var column: Int
    /// What is wrong, and what is allowed.
    var text: String

    init(line: Int, column: Int, _ text: String) {
      (self.line, self.column, self.text) = (line, column, text)
    }

    init(_ node: YAMLDocument.Node, _ text: String) {
      self.init(line: node.line, column: node.column, text)
    }

    /// What comes behind a text.
    init(after text: String, _ what: String) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      self.init(line: lines.count, column: (lines.last?.count ?? 0) + 1, what)
    }
  }
}
