// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What one expectation, or one code of findings, has come to.
public struct CheckResult: Sendable {
  /// What was checked.
  public enum Subject: Sendable {
    /// The form of an expectation: `each`.
    case expectation(StaticString)
    case finding(Finding.Code, Finding.Severity)
    /// The evidence itself: that there are messages in it, and that it could be read.
    case evidence
  }

  /// A message that breaks it, or what else does.
  public struct Example: Sendable {
    public var message: MessageReference
    /// The topic or procedure; empty where not known.
    public var about: String
    /// What is wrong with it: `never answered`.
    public var text: String
    /// The request that it answers, where it was captured.
    public var request: MessageReference?
    /// The topic or procedure of the request.
    public var requestAbout = ""
    /// The finding's severity; nil for expectations.
    public var severity: Finding.Severity?
    /// Stays the same from run to run.
    public var fingerprint: String = ""
  }

  /// The name of the expectation, or the code of the finding.
  public var name: String
  public var subject: Subject
  public var verdict: Verdict
  /// Lines that were looked at: requests, answers, groups, findings.
  public var checked: UInt64 = 0
  public var failed: UInt64 = 0
  /// One sentence without a full stop: what was found, and what was wanted.
  public var reason: String
  /// The first that break it.
  public var examples: [Example] = []
  /// Nil for findings.
  public var place: Expectation.SourceLine?
  /// Why it does not count: `ignored: the app closes the socket`, `in the baseline`. Nil where it
  /// does.
  public var suppression: String?

  init(
    _ name: String, _ subject: Subject, _ verdict: Verdict, _ reason: String,
    at place: Expectation.SourceLine? = nil
  ) {
    (self.name, self.subject, self.verdict) = (name, subject, verdict)
    (self.reason, self.place) = (reason, place)
  }
}
