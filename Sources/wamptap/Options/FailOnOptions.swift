// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapTraffic

/// A severity at which the exit status is 1.
enum FailOn: String, ExpressibleByArgument, CaseIterable {
  case note, warning, error, never

  /// Nil: no finding fails.
  var severity: TapTraffic.Finding.Severity? {
    TapTraffic.Finding.Severity.allCases.first { $0.name.description == rawValue }
  }
}

/// Whether findings are a failure.
struct FailOnOptions: ParsableArguments {
  @Option(
    name: .customLong("fail-on"),
    help: ArgumentHelp(
      "Exit with 1 if there is a finding of this severity: note, warning, error.",
      valueName: "severity"))
  var failOn = FailOn.never

  /// Exits with 1 if a finding is severe enough.
  func judge(_ summary: Summary) throws {
    let count =
      switch failOn {
      case .note: summary.errors + summary.warnings + summary.notes
      case .warning: summary.errors + summary.warnings
      case .error: summary.errors
      case .never: UInt64(0)
      }
    if count > 0 { throw ExitCode(1) }
  }
}
