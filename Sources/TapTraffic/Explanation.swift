// SPDX-License-Identifier: Apache-2.0

/// What a finding means, for people: the entry of `wamptap explain` and of wamptap-findings(7).
/// Every ``Finding/Code`` has one; it stands in the target that reports the finding.
public struct Explanation: Sendable {
  public var code: Finding.Code
  /// Nearly always one. Where there are two, the text says when it is the second.
  public var severities: [Finding.Severity]
  /// Its findings are marked as a concern of security.
  public var isSecurity: Bool
  /// Messages are missing or unreadable at this finding, so no rule may report later that something
  /// is missing: it may have been among them.
  public var isLoss: Bool
  /// Of a finding about messages: an NDJSON of them shows it again.
  public private(set) var isFoundAgain = true
  /// One sentence: what is the case.
  public var text: String
  /// What usually brings it about.
  public var cause: String
  /// What the reader can do.
  public var remedy: String
  /// Where the rule is written; empty when it is none of a specification.
  public var source: String

  public init(
    _ code: Finding.Code, _ severity: Finding.Severity, or other: Finding.Severity? = nil,
    isSecurity: Bool = false, isLoss: Bool = false, _ text: String, cause: String,
    remedy: String, source: String = ""
  ) {
    self.code = code
    severities = [severity] + (other.map { [$0] } ?? [])
    (self.isSecurity, self.isLoss) = (isSecurity, isLoss)
    self.text = text
    self.cause = cause
    self.remedy = remedy
    self.source = source
  }

  /// The same for what an NDJSON of the messages does not show again.
  public var foundOnce: Explanation {
    var explanation = self
    explanation.isFoundAgain = false
    return explanation
  }
}

extension Topic {
  public static let findings = Group("Findings", "finding")

  public init(_ explanation: Explanation) {
    let severities = explanation.severities.map(\.name.description).joined(separator: " or ")
    let security = explanation.isSecurity ? ", concerns security" : ""
    self.init(
      Self.findings, explanation.code.name, explanation.text,
      label: "finding, severity \(severities)\(security)",
      [.causes(explanation.cause), .remedy(explanation.remedy)], source: explanation.source)
  }
}
