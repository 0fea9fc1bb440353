// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapCheck

/// What is expected, and what is written about it.
struct CheckOptions: ParsableArguments {
  @Option(
    name: [.customShort("e"), .customLong("expectations")],
    help: ArgumentHelp(
      "What is expected (YAML); default: wamptap-check.yaml beside the input, or here.",
      valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    name: .customLong("expect"),
    help: ArgumentHelp(
      "One expectation more, as 'none: failed' or 'each: CALL; answered: within 500ms'.",
      valueName: "expectation"))
  var expectations: [String] = []

  @Option(
    name: .customLong("fail-on"),
    help: ArgumentHelp(
      "Findings of this severity fail: note, warning, error or never. Without it: error.",
      valueName: "severity"))
  var failOn: FailOn?

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp(
      "Findings of this code do not count, or only those about a subject: CODE=SUBJECT.",
      valueName: "code"))
  var ignored: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only findings of this code count; 'tls.' is all that begin so.", valueName: "code"))
  var only: [String] = []

  @Option(
    name: [.customShort("Y"), .customLong("display-filter")],
    help: ArgumentHelp(
      "Look only at what matches; see 'wamptap explain filter'.", valueName: "expression"),
    completion: .custom { words, _, _ in FilterCompletion.candidates(words.last ?? "") })
  var scope: String?

  @Option(
    help: ArgumentHelp("What is known, and does not fail.", valueName: "file"),
    completion: .file())
  var baseline: String?

  @Option(
    name: .customLong("write-baseline"),
    help: ArgumentHelp("Write what fails now, to be the baseline next time.", valueName: "file"),
    completion: .file())
  var newBaseline: String?

  @Flag(
    name: .customLong("allow-inconclusive"),
    help: "Exit 0 also where what decides was not captured.")
  var allowsInconclusive = false

  @Flag(name: .customLong("allow-nothing"), help: "Exit 0 also where nothing matched.")
  var allowsNothing = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "How to report: \(CheckReports.all.map(\.name).joined(separator: ", ")).",
      valueName: "format"),
    completion: .list(CheckReports.all.map(\.name)))
  var format = "text"

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a report to a file, too: junit=report.xml. May be given more than once.",
      valueName: "format=file"))
  var reportNames: [String] = []

  /// The forms and the files of `--report`.
  var reports: [(form: CheckReports.Form, path: String)] {
    reportNames.compactMap { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let form = CheckReports.all.first(where: { $0.name == parts[0] })
      else { return nil }
      return (form, parts[1])
    }
  }

  /// Something is to be checked, or reported of it.
  var areGiven: Bool {
    let files = [file, scope, baseline, newBaseline]
    return files.contains { $0 != nil } || !(expectations + ignored + only + reportNames).isEmpty
      || failOn != nil || allowsInconclusive || allowsNothing || format != "text"
  }

  func validate() throws {
    let names = CheckReports.all.map(\.name).joined(separator: ", ")
    if !CheckReports.all.contains(where: { $0.name == format }) {
      throw ValidationError("unknown report '\(format)'; there are: \(names)")
    }
    if reports.count != reportNames.count {
      throw ValidationError(
        "--report takes FORMAT=FILE, as junit=report.xml; formats are: \(names)")
    }
    for report in reports where !report.path.hasSuffix(report.form.suffix) {
      throw ValidationError(
        "a report of \(report.form.name) is read only from a file that ends in"
          + " \(report.form.suffix)")
    }
    if Set(reports.map(\.path)).count != reports.count {
      throw ValidationError("two reports cannot be written to one file")
    }
    if newBaseline?.isEmpty == true || baseline?.isEmpty == true || file?.isEmpty == true {
      throw ValidationError("the name of a file is empty")
    }
  }
}
