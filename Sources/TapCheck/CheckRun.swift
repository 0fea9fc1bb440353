// SPDX-License-Identifier: Apache-2.0
public import TapFilter
public import TapTraffic

/// One check over one run: expectations and verdicts.
public final class CheckRun {
  /// What is checked, and how strictly.
  public struct Plan {
    public var expectations: [Expectation] = []
    public var ignored: [IgnoreRule] = []
    /// Findings of this severity fail; nil: none does.
    public var failOn: Finding.Severity? = .error
    /// Codes, or beginnings of codes that end with a dot; empty for all.
    public var only: [String] = []
    /// Only what matches is looked at (`-Y`).
    public var scope: Filter?
    public var baseline: Baseline?
    /// `2026-11-25`.
    public var today = ""
    /// End as soon as something is broken whatever follows: the evidence may never end.
    public var stopsWhenBroken = false

    public init() {}
  }

  public let plan: Plan
  /// What could not be read, in words; said before the summary comes.
  public var unreadable: [String] = []
  public internal(set) var report = CheckReport()
  /// What the baseline has to say to be passed next time.
  public internal(set) var nextBaseline = Baseline()
  /// An expectation is broken whatever follows.
  var isBroken = false
  let inputs: [String]
  let limits: Limits
  /// One for each filter, in the order of the plan.
  private let runs: [FilterRun]

  /// - Parameters:
  ///   - inputs: names of the inputs as typed, by number.
  ///   - zone: seconds that the local clock is ahead of UTC at a second since 1970.
  public init(
    _ plan: Plan, inputs: [String], limits: Limits, zone: @escaping @Sendable (Int64) -> Int64
  ) {
    (self.plan, self.inputs, self.limits) = (plan, inputs, limits)
    let filters =
      plan.expectations.flatMap(\.filters) + plan.ignored.compactMap(\.filter)
      + [plan.scope].compactMap { $0 }
    runs = filters.map {
      FilterRun($0, inputs: inputs, showsPossible: false, limits: limits, zone: zone)
    }
  }

  /// How often the evidence has to be read before it can be checked.
  public var passes: Int { runs.map(\.filter.passes).max() ?? 0 }

  /// Hears one of these passes.
  ///
  /// - Parameter pass: from 1.
  public func collector(pass: Int) -> any Renderer {
    CollectorGroup(runs.filter { $0.filter.passes >= pass }.map { $0.collector(pass: pass) })
  }

  /// Checks, and tells `whenDone` at the end.
  public func renderer(_ whenDone: @escaping CheckRenderer.Writer) -> any Renderer {
    BoxedRenderer(CheckRenderer(self, runs.map { $0.matcher() }, whenDone))
  }
}
