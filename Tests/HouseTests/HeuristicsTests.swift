// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The table of what the log reader guesses, and of the logs that need it, names what there is.
@Suite("The table of heuristics") struct HeuristicsTests {
  private static let samples = Project.root.appending(path: "samples")

  /// The cells of its rows: the heuristic, the type that has it, and what needs it.
  private static let rows: [[String]] = {
    let page = samples.appending(path: "logs/README.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
      row.replacing("\\|", with: "").split(separator: "|").map(String.init)
    }.filter { $0[0] != " heuristic " }
  }()

  /// What stands between marks of code.
  private func names(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test("names types that are there") func types() {
    let files = Set(Project.sources.map(\.name))
    #expect(Self.rows.count > 50)
    for row in Self.rows {
      #expect(row.count == 3, "\(row)")
      #expect(!names(row[1]).isEmpty, "\(row)")
      for name in names(row[1]) { #expect(files.contains(name + ".swift"), "\(name)") }
    }
  }

  @Test("names samples that are there") func needs() {
    for row in Self.rows {
      for name in names(row[2]) where name.contains("/input") {
        let path = Self.samples.appending(path: name).path
        #expect(FileManager.default.fileExists(atPath: path), "\(name)")
      }
    }
  }
}
