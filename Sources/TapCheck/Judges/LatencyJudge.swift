// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFilter
import TapTraffic

/// `latency: RESULT`, `p95: < 200ms`.
final class LatencyJudge: Judge {
  private let bounds: [LatencyBound]
  private let least: Int
  /// The lower and, if different, upper bounds of each latency, in nanoseconds.
  private var lows: ContiguousArray<Int64> = []
  private var highs: ContiguousArray<Int64> = []
  /// The number of answers with unknown latency or a possible match.
  private var unknown = 0
  private var beyond = 0
  /// Answers that may be too slow, the slowest first.
  private var slowest: [(latency: Int64, message: MessageReference)] = []

  init(
    _ expectation: Expectation, _ bounds: [LatencyBound], least: Int, _ matchers: [FilterMatcher],
    _ context: CheckContext
  ) {
    (self.bounds, self.least) = (bounds, least)
    super.init(expectation, matchers, context)
  }

  override func message(_ heard: borrowing Heard) {
    let truth = truth(heard)
    if truth == .no { return }
    guard truth == .yes,
      let range = LatencyRange(heard.view.joined, heard.message.origin.precision)
    else {
      let message = heard.message
      if message.has(.answers) || message.has(.continues) || message.isUnread { unknown += 1 }
      return
    }
    if lows.count >= context.limits.checkedLatencies {
      beyond += 1
      return
    }
    // Keep two lists from the first difference on.
    if range.low != range.high && highs.isEmpty { highs = lows }
    lows.append(range.low)
    if range.low != range.high || !highs.isEmpty { highs.append(range.high) }
    keep(range.high, heard)
  }

  private func keep(_ latency: Int64, _ heard: borrowing Heard) {
    if slowest.count >= Self.mostExamples, latency <= slowest[slowest.count - 1].latency { return }
    let at = slowest.firstIndex { $0.latency < latency } ?? slowest.count
    slowest.insert((latency, context.reference(heard.message, heard.view)), at: at)
    if slowest.count > Self.mostExamples { slowest.removeLast() }
  }

  override func result(isWhole: Bool) -> CheckResult {
    lows.sort()
    if highs.isEmpty { highs = lows } else { highs.sort() }
    let count = UInt64(lows.count)
    if lows.isEmpty || lows.count < least {
      let few =
        lows.isEmpty
        ? "no answer with a latency matched" : "only \(counted(lows.count, "answer")) matched"
      let wanted = least > 1 ? "; wanted at least \(least)" : ""
      if unknown > 0 && loss == nil {
        return result(
          .inconclusive, checked: count, "\(few)\(wanted); of \(unknown) it is not known")
      }
      return nothing(few + wanted, checked: count, isWhole: isWhole)
    }
    var (failing, doubtful, holding): ([String], [String], [String]) = ([], [], [])
    for bound in bounds {
      let (low, high) = (value(bound.statistic, lows), value(bound.statistic, highs))
      let shown = low == high ? DurationText.text(low) : "at most \(DurationText.text(high))"
      let limit = "\(bound.relation.rawValue) \(DurationText.text(bound.nanoseconds))"
      switch bound.truth(low, high) {
      case .no where isProof(bound) || isComplete:
        failing.append("\(bound.statistic.rawValue) is \(shown), not \(limit)")
      case .yes: holding.append("\(bound.statistic.rawValue) \(shown) \(limit)")
      default: doubtful.append("\(bound.statistic.rawValue) is \(shown), wanted \(limit)")
      }
    }
    let of = "of \(counted(lows.count, "answer"))"
    if !failing.isEmpty {
      addSlowest()
      return result(
        .fail, checked: count, failed: UInt64(failing.count),
        "\(failing.joined(separator: "; ")) (\(of))")
    }
    if let loss { return result(.inconclusive, checked: count, loss) }
    if unknown > 0 {
      return result(
        .inconclusive, checked: count, "the latency of \(unknown) more answers is not known")
    }
    if beyond > 0 {
      return result(
        .inconclusive, checked: count, "\(beyond) answers beyond the first \(count) were not kept")
    }
    if !doubtful.isEmpty {
      return result(
        .inconclusive, checked: count,
        "\(doubtful.joined(separator: "; ")): the clock is too coarse")
    }
    return result(.pass, checked: count, "\(holding.joined(separator: ", ")) \(of)")
  }

  /// No data that could change a statistic is missing.
  private var isComplete: Bool { loss == nil && unknown == 0 && beyond == 0 }

  /// Whether one answer is enough to break the bound.
  private func isProof(_ bound: LatencyBound) -> Bool {
    let isUpper = bound.relation == .less || bound.relation == .lessOrEqual
    return bound.statistic == .max && isUpper || bound.statistic == .min && !isUpper
  }

  /// Adds examples: the answers that are slower than the strictest upper bound.
  private func addSlowest() {
    let limits = bounds.filter { $0.relation == .less || $0.relation == .lessOrEqual }
    let limit = limits.map(\.nanoseconds).min() ?? .max
    for one in slowest where one.latency >= limit {
      addExample(one.message, DurationText.text(one.latency))
    }
  }

  /// The percentile by the nearest-rank method, or the mean.
  private func value(
    _ statistic: LatencyBound.Statistic, _ sorted: ContiguousArray<Int64>
  ) -> Int64 {
    guard let percent = statistic.percent else {
      let sum = sorted.reduce(Int128(0)) { $0 + Int128($1) }
      return Int64(clamping: sum / Int128(sorted.count))
    }
    let rank = (sorted.count * percent + 99) / 100
    return sorted[max(rank, 1) - 1]
  }
}
