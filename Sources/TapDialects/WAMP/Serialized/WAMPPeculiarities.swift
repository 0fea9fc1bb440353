// SPDX-License-Identifier: Apache-2.0
import TapEncodings
import TapTraffic

/// Reports what a message contains that JSON cannot express: one finding of each code.
enum WAMPPeculiarities {
  /// - Parameters:
  ///   - found: the first few.
  ///   - count: how many there were.
  ///   - name: of the serializer.
  static func report(
    _ found: ContiguousArray<Peculiarity>, count: Int, _ name: StaticString, _ origin: Origin,
    _ listener: any Listener
  ) {
    for rule in rules {
      let same = found.filter { rule.kinds.contains($0.kind) }
      // Describe one of each kind.
      var kinds: [Peculiarity.Kind] = []
      var descriptions: [String] = []
      for one in same where !kinds.contains(one.kind) {
        kinds.append(one.kind)
        descriptions.append(one.description)
      }
      if same.isEmpty { continue }
      var text = "the \(name) has " + descriptions.joined(separator: "; ")
      if same.count > kinds.count { text += "; \(same.count - kinds.count) more like this" }
      report(rule, text, origin, listener)
    }
    guard count > found.count, let rest = rules.last else { return }
    report(
      rest, "\(count - found.count) more oddities of the \(name) are not listed", origin, listener)
  }

  private static func report(
    _ rule: Rule, _ text: String, _ origin: Origin, _ listener: any Listener
  ) {
    listener.remark(rule.code, rule.severity, origin, text)
  }

  private struct Rule {
    var code: Finding.Code
    var severity: Finding.Severity
    var kinds: Set<Peculiarity.Kind>
  }

  private static let rules = [
    Rule(code: .invalidUTF8, severity: .error, kinds: [.invalidUTF8]),
    Rule(code: .notStrictJSON, severity: .warning, kinds: [.nonFinite]),
    Rule(code: .nonStringKey, severity: .warning, kinds: [.nonStringKey]),
    Rule(code: .duplicateKey, severity: .warning, kinds: [.duplicateKey]),
    Rule(
      code: .beyondJSON, severity: .note,
      kinds: [
        .leadingNUL, .undefined, .simpleValue, .tag, .extension, .timestamp, .keysUnchecked,
        .notANumber, .noOp, .dimensions, .unplacedField, .unreadablePart,
      ]),
  ]
}
