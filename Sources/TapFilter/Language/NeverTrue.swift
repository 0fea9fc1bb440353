// SPDX-License-Identifier: Apache-2.0

/// Finds tests that exclude each other.
enum NeverTrue {
  /// - Parameter all: tests that must all be true.
  /// - Returns: why they never are, one sentence each.
  static func reasons(_ all: [Expression]) -> [String] {
    var common = Field.Bearers.all
    for expression in all {
      let bearers = bearers(of: expression)
      if bearers.isEmpty { return [] }
      common.formIntersection(bearers)
    }
    if common.isEmpty {
      return ["the filter never matches: what it asks is of messages and of findings at once"]
    }
    var names: [Field: [UInt8]] = [:]
    for case .test(let test) in all {
      guard test.relation == .equal, case .field(let field) = test.operand,
        [.name, .protocol, .direction, .event, .subject].contains(field),
        case .text(let value)? = test.literals.first?.value
      else { continue }
      if let other = names[field], other != value {
        let words = [other, value].map { String(decoding: $0, as: Unicode.UTF8.self) }
        return [
          "the filter never matches: '\(field.entry.name)' cannot be \(words[0]) and \(words[1])"
        ]
      }
      names[field] = value
    }
    return []
  }

  /// The kinds of lines for which it can be true.
  private static func bearers(of expression: Expression) -> Field.Bearers {
    switch expression {
    case .everything, .not, .scope: .all
    case .test(let test):
      switch test.operand {
      case .field(let field): field.entry.bearers
      case .id, .named, .path, .words: .message
      }
    case .and(let all): all.reduce(.all) { $0.intersection(bearers(of: $1)) }
    case .or(let all): all.reduce([]) { $0.union(bearers(of: $1)) }
    }
  }
}
