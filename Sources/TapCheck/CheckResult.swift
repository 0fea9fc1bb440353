// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The result of one expectation, or of one finding code.
public struct CheckResult: Sendable {
  /// What was checked.
  public enum Subject: Sendable {
    /// An expectation, by its form: `each`.
    case expectation(StaticString)
    case finding(Finding.Code, Finding.Severity)
    /// The input itself: that it is readable and contains messages.
    case evidence
  }

  /// A message, or something else, that breaks the expectation.
  public struct Example: Sendable {
    public var message: MessageReference
    /// The topic or procedure; empty when not known.
    public var about: String
    /// The fault: `never answered`.
    public var text: String
    /// The request that it answers, if captured.
    public var request: MessageReference?
    /// The topic or procedure of the request.
    public var requestAbout = ""
    /// The finding's severity; nil for expectations.
    public var severity: Finding.Severity?
    /// The same in every run.
    public var fingerprint: String = ""
  }

  /// The name of the expectation, or the code of the finding.
  public var name: String
  public var subject: Subject
  public var verdict: Verdict
  /// The number of checked requests, answers, groups or findings.
  public var checked: UInt64 = 0
  public var failed: UInt64 = 0
  /// One sentence without a full stop: what was found, and what was expected.
  public var reason: String
  /// The first examples.
  public var examples: [Example] = []
  /// Nil for findings.
  public var place: Expectation.SourceLine?
  /// Why it does not count: `ignored: the app closes the socket`, `in the baseline`. Nil when it
  /// counts.
  public var suppression: String?

  init(
    _ name: String, _ subject: Subject, _ verdict: Verdict, _ reason: String,
    at place: Expectation.SourceLine? = nil
  ) {
    (self.name, self.subject, self.verdict) = (name, subject, verdict)
    (self.reason, self.place) = (reason, place)
  }
}
