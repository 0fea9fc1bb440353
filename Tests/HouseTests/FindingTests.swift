// SPDX-License-Identifier: Apache-2.0
import Testing

/// Codes of findings are a promise to those who filter by them.
@Suite("Finding codes") struct FindingTests {
  private struct Declaration {
    var code: String
    var place: String
    /// There is a comment above it, or an `Explanation` in the same file.
    var isExplained: Bool
  }

  private static let all: [Declaration] = {
    var all: [Declaration] = []
    for file in Project.sources {
      let lines = file.lines
      for index in lines.indices where lines[index].contains("static let ") {
        let code = /static let (\w+): (?:Self|(?:Finding\.)?Code) = "([^"]*)"/
        guard let match = lines[index].firstMatch(of: code) else { continue }
        let isExplained = lines.contains {
          $0.contains(".\(match.1),") || $0.contains("(.\(match.1))")
        }
        all.append(
          Declaration(
            code: String(match.2), place: "\(file.path):\(index + 1)",
            isExplained: isExplained || lines[index - 1].contains("///")))
      }
    }
    return all
  }()

  @Test("are layer.kebab-case") func names() {
    #expect(Self.all.count > 50, "the declarations were not found")
    for declaration in Self.all {
      let form = /[a-z][a-z0-9]*\.[a-z0-9]+(?:-[a-z0-9]+)*/
      #expect(
        declaration.code.wholeMatch(of: form) != nil, "\(declaration.place): \(declaration.code)")
    }
  }

  @Test("say what they mean") func comments() {
    for declaration in Self.all {
      #expect(declaration.isExplained, "\(declaration.place): \(declaration.code)")
    }
  }

  @Test("are declared once") func uniqueness() {
    for (code, declarations) in Dictionary(grouping: Self.all, by: \.code) {
      #expect(declarations.count == 1, "\(code): \(declarations.map(\.place))")
    }
  }

  @Test("are named, not written where they are reported") func literals() {
    for file in Project.sources {
      for (number, line) in file.code where line.contains("Finding(") {
        #expect(!line.contains(/Finding\(\s*"/), "\(file.path):\(number)")
      }
    }
  }
}
