// SPDX-License-Identifier: Apache-2.0

/// Completes a partial filter, for shells.
public enum FilterSuggestions {
  /// The typed text with its last word completed in each possible way.
  public static func completions(of typed: String, _ words: Vocabulary) -> [String] {
    let cut =
      typed.lastIndex { $0 == " " || $0 == "(" || $0 == "{" || $0 == "," }
      .map { typed.index(after: $0) } ?? typed.startIndex
    let (before, last) = (typed[..<cut], typed[cut...])
    return next(after: tokens(before), words).filter { $0.hasPrefix(last) }
      .map { before + $0 }
  }

  /// Splits into words and signs; a parenthesis is a word of its own.
  private static func tokens(_ text: Substring) -> [Substring] {
    text.replacing("(", with: " ( ").replacing("{", with: " { ").replacing(",", with: " , ")[...]
      .split(separator: " ")
  }

  private static let joints = ["and", "or", "not", "&&", "||", "!", "("]
  private static let signs = [
    "==", "!=", "<", "<=", ">", ">=", "^=", "$=", "contains", "matches", "~", "in",
  ]

  private static func next(after tokens: [Substring], _ words: Vocabulary) -> [String] {
    guard let last = tokens.last.map(String.init), !joints.contains(last) else {
      return beginnings(words)
    }
    if last == "in" { return ["{"] }
    let isInSet = last == "{" || last == ","
    let place = isInSet ? tokens.lastIndex(of: "in") : signs.contains(last) ? tokens.count - 1 : nil
    if let place, place > 0 { return values(of: String(tokens[place - 1]), words) }
    if let type = type(of: last) { return signs(for: type) + ["and", "or"] }
    return ["and", "or"]
  }

  /// The possible beginnings of a test.
  private static func beginnings(_ words: Vocabulary) -> [String] {
    FieldEntry.all.filter { $0.field != .id }.map(\.name)
      + FieldEntry.knownIDs.map { "ids.\($0)" } + FieldEntry.shortIDs + FieldEntry.roots
      + Scope.allCases.map { "\($0.rawValue)(" } + ["not", "len("]
      + Array(Set(words.messages.map(\.name))).sorted()
      + words.filters.keys.sorted().map { "$\($0)" }
  }

  private static func type(of name: String) -> FieldType? {
    if let field = FieldEntry.named(name) { return field.entry.type }
    if name.hasPrefix("ids.") || FieldEntry.shortIDs.contains(name) { return .id }
    let isPath = FieldEntry.roots.contains(String(name.prefix { $0 != "." && $0 != "[" }))
    return isPath ? .value : nil
  }

  private static func signs(for type: FieldType) -> [String] {
    switch type {
    case .flag: []
    case .word: ["==", "!=", "in"]
    case .text, .uri: ["==", "!=", "^=", "$=", "contains", "matches", "in"]
    case .endpoint: ["==", "!=", "in"]
    case .value, .id: signs
    case .integer, .duration, .size, .time, .rank: ["==", "!=", "<", "<=", ">", ">=", "in"]
    }
  }

  private static func values(of name: String, _ words: Vocabulary) -> [String] {
    guard let field = FieldEntry.named(name) else { return [] }
    switch field {
    case .name: return Array(Set(words.messages.map(\.name))).sorted()
    case .protocol: return words.protocols
    case .finding: return words.findings
    case .error: return words.errors
    case .latency: return ["10ms", "100ms", "1s"]
    case .size: return ["1KiB", "64KiB", "1MiB"]
    default: break
    }
    switch field.entry.type {
    case .word(let all), .rank(let all): return all
    default: return []
    }
  }
}
