// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The result of a check, for the report writers.
public struct CheckReport: Sendable {
  /// Expectations in the order of the plan, then results about the input itself, then findings.
  public var results: [CheckResult] = []
  /// Names of the inputs as typed, by number.
  public var inputs: [String] = []
  public var failOn: Finding.Severity?
  /// When the first message was captured, and the last.
  public var start = Instant.unknown
  public var end = Instant.unknown
  public var messages: UInt64 = 0
  /// Baseline entries that did not occur any more, in words.
  public var outdated: [String] = []

  public init() {}

  public func count(_ verdict: Verdict) -> Int { results.count { $0.verdict == verdict } }
}
