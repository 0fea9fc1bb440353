// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// Collects the findings: which occurred, which are severe enough to fail, and which are ignored.
final class FindingsJudge {
  private struct Tally {
    var severity: Finding.Severity
    var count: UInt64 = 0
    /// Of failing severity, and not ignored.
    var severe: UInt64 = 0
    var ignored: UInt64 = 0
    var examples: [CheckResult.Example] = []
    var ignoring = ""
    var outdated = ""
  }

  /// Nil when none fails.
  private let failOn: Finding.Severity?
  private let only: [String]
  private var rules: [(rule: IgnoreRule, matcher: FilterMatcher?)]
  /// Some rules have filters.
  let hasFilters: Bool
  private let today: String
  private let context: CheckContext
  private var tallies: [Finding.Code: Tally] = [:]
  /// How often each fingerprint of failing severity occurred.
  private(set) var fingerprints: [String: Baseline.Entry] = [:]

  init(
    failOn: Finding.Severity?, only: [String], _ rules: [(IgnoreRule, FilterMatcher?)],
    today: String, _ context: CheckContext
  ) {
    (self.failOn, self.only, self.today, self.context) = (failOn, only, today, context)
    hasFilters = rules.contains { $0.1 != nil }
    self.rules = rules.map { (rule: $0.0, matcher: $0.1) }
  }

  func opened(_ opening: Opening, connection: UInt32, _ delivery: Delivery) {
    for at in rules.indices {
      _ = rules[at].matcher?.opened(opening, connection: connection, delivery)
    }
  }

  /// Takes note of each message, as the rules' filters may need its realm.
  func hear(_ message: Message, _ view: MessageView) {
    for at in rules.indices { rules[at].matcher?.hear(message, view) }
  }

  func closed(_ connection: UInt32) {
    for at in rules.indices { rules[at].matcher?.forget(connection) }
  }

  func finding(_ finding: Finding, connection: UInt32, messages: [UInt64]) {
    let name = finding.code.name
    if !only.isEmpty && !only.contains(where: { isMeant(name, by: $0) }) { return }
    var tally = tallies[finding.code] ?? Tally(severity: finding.severity)
    tally.count += 1
    tally.severity = max(tally.severity, finding.severity)
    defer { tallies[finding.code] = tally }
    for at in rules.indices where rules[at].rule.code == name {
      let truth = rules[at].matcher?.finding(finding, connection: connection, messages: messages)
      if truth ?? .yes != .yes { continue }
      let rule = rules[at].rule
      if rule.isOver(on: today) {
        tally.outdated = "ignored until \(rule.until ?? ""), which is over: \(rule.reason)"
        continue
      }
      tally.ignored += 1
      tally.ignoring = rule.reason
      return
    }
    guard let failOn, finding.severity >= failOn else { return }
    tally.severe += 1
    let subject = String(decoding: finding.subject, as: Unicode.UTF8.self)
    let fingerprint = Fingerprint.of([
      name, subject, Self.role(finding.origin.direction), "",
    ])
    fingerprints[
      fingerprint, default: Baseline.Entry(code: name, subject: subject, count: 0)
    ].count += 1
    if tally.examples.count >= context.limits.checkedFindings { return }
    var example = CheckResult.Example(
      message: reference(finding, connection, messages), about: subject, text: finding.text,
      request: nil, severity: finding.severity)
    example.fingerprint = fingerprint
    tally.examples.append(example)
  }

  /// Whether a word means a code: the code itself, or a prefix such as `tls.`.
  private func isMeant(_ code: String, by word: String) -> Bool {
    word.hasSuffix(".") ? code.hasPrefix(word) : code == word
  }

  private func reference(
    _ finding: Finding, _ connection: UInt32, _ messages: [UInt64]
  ) -> MessageReference {
    let origin = finding.origin
    return MessageReference(
      index: messages.last ?? 0, connection: connection, time: origin.time, input: origin.input,
      record: origin.record, isLine: origin.isLine, direction: origin.direction,
      name: Symbol(finding.code.text), subject: context.number(of: finding.subject.span.bytes),
      answers: 0)
  }

  private static func role(_ direction: Direction) -> String {
    switch direction {
    case .toServer: "toServer"
    case .toClient: "toClient"
    case .unknown: ""
    }
  }

  /// One result for each code that occurred, sorted by severity and name.
  ///
  /// - Parameter baseline: known findings that do not fail.
  func results(_ baseline: Baseline?) -> [CheckResult] {
    var results: [CheckResult] = []
    for (code, tally) in tallies.sorted(by: {
      ($1.value.severity, $0.key.name) < ($0.value.severity, $1.key.name)
    }) {
      results.append(result(code, tally, baseline))
    }
    return results
  }

  private func result(_ code: Finding.Code, _ tally: Tally, _ baseline: Baseline?) -> CheckResult {
    let severity = tally.severity.name.description
    var result = CheckResult(
      code.name, .finding(code, tally.severity), .pass, "\(times(tally.count)), \(severity)")
    result.checked = tally.count
    result.examples = tally.examples
    var known: UInt64 = 0
    if let baseline {
      for (fingerprint, entry) in fingerprints where entry.code == code.name {
        let allowed = baseline.entries[fingerprint]?.count ?? 0
        if entry.count <= allowed {
          known += entry.count
          result.examples.removeAll { $0.fingerprint == fingerprint }
        } else if allowed > 0 {
          result.reason += "; \(entry.count) where the baseline has \(allowed)"
        }
      }
    }
    let left = tally.severe - known
    result.failed = left
    if left > 0 {
      result.verdict = .fail
    } else {
      if known > 0 {
        result.suppression = "in the baseline"
      } else if tally.ignored == tally.count {
        result.suppression = "ignored: \(tally.ignoring)"
      }
    }
    if tally.ignored > 0 { result.reason += "; \(tally.ignored) ignored" }
    if known > 0 { result.reason += "; \(known) in the baseline" }
    if !tally.outdated.isEmpty { result.reason += "; \(tally.outdated)" }
    return result
  }

  private func times(_ count: UInt64) -> String { count == 1 ? "once" : "\(count) times" }
}
