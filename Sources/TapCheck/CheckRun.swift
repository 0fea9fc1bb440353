// SPDX-License-Identifier: Apache-2.0
public import TapFilter
public import TapTraffic

/// One check over one run: expectations and verdicts.
public final class CheckRun {
  /// What is checked, and how strictly.
  public struct Plan {
    public var expectations: [Expectation] = []
    public var ignored: [IgnoreRule] = []
    /// Findings of this severity or higher fail; nil for none.
    public var failOn: Finding.Severity? = .error
    /// Codes, or prefixes of codes that end with a dot; empty for all.
    public var only: [String] = []
    /// Only matching lines are checked (`-Y`).
    public var scope: Filter?
    public var baseline: Baseline?
    /// `2026-11-25`.
    public var today = ""
    /// Stop as soon as an expectation is certainly broken, as a live capture may never end.
    public var stopsWhenBroken = false

    public init() {}
  }

  public let plan: Plan
  /// Inputs that could not be read, in words; set before the summary.
  public var unreadable: [String] = []
  public internal(set) var report = CheckReport()
  /// The baseline with which this run would pass.
  public internal(set) var nextBaseline = Baseline()
  /// An expectation is certainly broken, whatever follows.
  var isBroken = false
  let inputs: [String]
  let limits: Limits
  /// One for each filter, in the order of the plan.
  private let runs: [FilterRun]

  /// - Parameters:
  ///   - inputs: names of the inputs as typed, by number.
  ///   - zone: the offset of the local clock from UTC in seconds, at a second since 1970.
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

  /// How many passes over the input precede the check.
  public var passes: Int { runs.map(\.filter.passes).max() ?? 0 }

  /// The renderer for one of these passes.
  ///
  /// - Parameter pass: from 1.
  public func collector(pass: Int) -> any Renderer {
    CollectorGroup(runs.filter { $0.filter.passes >= pass }.map { $0.collector(pass: pass) })
  }

  /// The renderer that checks, and calls `whenDone` at the end.
  public func renderer(_ whenDone: @escaping CheckRenderer.Writer) -> any Renderer {
    BoxedRenderer(CheckRenderer(self, runs.map { $0.matcher() }, whenDone))
  }
}
