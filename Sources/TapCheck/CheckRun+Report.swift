// SPDX-License-Identifier: Apache-2.0
import TapFilter
import TapTraffic

/// Completes the results with findings, the input and a baseline.
extension CheckRun {
  /// Adds the results about the input itself, and the findings.
  ///
  /// - Parameter matched: how many messages the filter of `-Y` took, all without one.
  func judgeEvidence(_ report: inout CheckReport, _ matched: UInt64, found: [CheckResult]) {
    for reason in unreadable {
      report.results.append(CheckResult("evidence", .evidence, .inconclusive, reason))
    }
    if report.messages == 0 {
      report.results.append(CheckResult("messages", .evidence, .nothing, "there is no message"))
    } else if matched == 0 && found.isEmpty && plan.expectations.isEmpty
      && plan.scope?.isAboutFindings != true
    {
      report.results.append(
        CheckResult("messages", .evidence, .nothing, "no message matches the filter of -Y"))
    } else if let failOn = plan.failOn, !found.contains(where: { $0.failed > 0 }) {
      var result = CheckResult(
        "findings", .evidence, .pass,
        failOn == .error ? "none is an error" : "none is a \(failOn.name) or worse")
      result.checked = report.messages
      report.results.append(result)
    }
    report.results += found
  }

  /// Applies the baseline, and makes the next one.
  func suppress(_ report: inout CheckReport, _ findings: [String: Baseline.Entry]) {
    var entries = findings
    for at in report.results.indices {
      let result = report.results[at]
      guard case .expectation = result.subject, result.verdict == .fail else { continue }
      let fingerprint = Fingerprint.of(["", "", "", result.name])
      entries[fingerprint] = Baseline.Entry(code: result.name, subject: "", count: result.failed)
      for example in result.examples.indices {
        report.results[at].examples[example].fingerprint = fingerprint
      }
      let allowed = plan.baseline?.entries[fingerprint]?.count ?? 0
      if allowed > 0 && allowed >= result.failed {
        report.results[at].verdict = .pass
        report.results[at].suppression = "in the baseline"
      } else if allowed > 0 {
        report.results[at].reason += "; the baseline has \(allowed)"
      }
    }
    nextBaseline = Baseline(entries)
    let known = plan.baseline?.entries ?? [:]
    report.outdated = known.filter { entries[$0.key] == nil }.map {
      $0.value.subject.isEmpty ? $0.value.code : "\($0.value.code) (\($0.value.subject))"
    }.sorted()
  }
}
