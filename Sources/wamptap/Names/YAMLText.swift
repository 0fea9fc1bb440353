// SPDX-License-Identifier: Apache-2.0
import Yams

/// The text of a YAML file, taken apart by Yams.
enum YAMLText {
  /// Aliases of aliases multiply; a few of them do no harm.
  private static let mostAliases = 16

  /// Nil when there is nothing in it.
  static func root(of text: String) throws(NamesReader.Problem) -> Yams.Node? {
    try limitAliases(text)
    do {
      // The encoding is said, or else the environment is asked for it.
      return try Yams.Parser(yaml: text, encoding: .utf8).singleRoot()
    } catch let error as YamlError {
      throw problem(error, text)
    } catch {
      throw NamesReader.Problem(line: 1, column: 1, "this cannot be read as YAML")
    }
  }

  private static func problem(_ error: YamlError, _ text: String) -> NamesReader.Problem {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let place = context.map { "\($0.text), " } ?? ""
      return NamesReader.Problem(
        line: mark.line, column: mark.column,
        "this cannot be read as YAML: \(place)\(problem)\(hint(place + problem))")
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.map { "'\($0)'" }.joined(separator: ", ")
      return NamesReader.Problem(
        line: context.mark.line, column: context.mark.column, "\(names) is there twice")
    case .reader(let problem, let offset, _, _):
      return NamesReader.Problem(
        after: String(text.prefix(offset ?? 0)), "this cannot be read as YAML: \(problem)")
    default:
      return NamesReader.Problem(line: 1, column: 1, "this cannot be read as YAML")
    }
  }

  /// What has been typed, most likely, where the words of the parser do not say it.
  private static func hint(_ problem: String) -> String {
    if problem.contains("alias") { return "; write a '*' that begins a text in quotes" }
    if problem.contains("cannot start any token") { return "; indent with spaces, not with tabs" }
    return ""
  }

  /// Counts what may be an alias, rather one too many.
  private static func limitAliases(_ text: String) throws(NamesReader.Problem) {
    var count = 0
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.drop(while: \.isWhitespace).first == "#" { continue }
      var before: Character = " "
      for (column, character) in line.enumerated() {
        if character == "*" && (before.isWhitespace || "[{,:-?".contains(before)) { count += 1 }
        if count > mostAliases {
          throw NamesReader.Problem(
            line: number + 1, column: column + 1, "there are too many aliases ('*name')")
        }
        before = character
      }
    }
  }
}
