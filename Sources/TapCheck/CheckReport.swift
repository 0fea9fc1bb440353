// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What a check has come to, for those who write it down.
public struct CheckReport: Sendable {
  /// Expectations in the order of the plan, then what was found of the evidence, then findings.
  public var results: [CheckResult] = []
  /// Names of the inputs as typed, by number.
  public var inputs: [String] = []
  public var failOn: Finding.Severity?
  /// When the first message was captured, and the last.
  public var start = Instant.unknown
  public var end = Instant.unknown
  public var messages: UInt64 = 0
  /// Of the baseline, what came no more, as people read it.
  public var outdated: [String] = []

  public init() {}

  public func count(_ verdict: Verdict) -> Int { results.count { $0.verdict == verdict } }
}
