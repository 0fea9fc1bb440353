// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapCheck
import TapFilter
import TapInputs
import TapInspector
import TapNames
import TapSources
import TapTraffic

/// What `wamptap check` needs beside a run: expectations before it, reports and the exit status
/// behind it.
final class CheckSetup {
  private let options: CheckOptions
  private let form: CheckReports.Form
  private(set) var run: CheckRun?
  private var around = CheckReports.Surroundings()

  init(_ options: CheckOptions, isColored: Bool) throws {
    self.options = options
    form = CheckReports.all.first { $0.name == options.format }!
    around.isColored = isColored
    around.version = Wamptap.number
  }

  /// The files that are read, which none that is written may replace.
  func files(beside read: [String]) -> [String] {
    [expectationsFile(beside: read), options.baseline].compactMap { $0 }
  }

  /// Reads the expectations, and checks every filter in them.
  func load(
    _ named: Names, read: [String], inputs: [String], limits: Limits, isEndless: Bool,
    isQuiet: Bool
  ) throws -> CheckRun {
    let words = FilterWords.vocabulary(named: named.filters)
    let guide = Guide(inputs: InputFindings.all)
    for explanation in guide.findings { around.explanations[explanation.code.name] = explanation }
    var plan = CheckRun.Plan()
    plan.today = CivilDate(days: Clock.localSeconds / 86_400).text
    plan.stopsWhenBroken = isEndless
    let codes = guide.findings.map(\.code.name)
    if let path = expectationsFile(beside: read) {
      if options.file == nil && !isQuiet { Terminal.report("expectations are from \(path)") }
      let reader = ExpectationsReader(words: words, file: path, codes: codes)
      try YAMLFile.read(path, "expectations") { text throws(YAMLProblem) in
        try reader.read(text, into: &plan)
      }
    }
    let typed = ExpectationsReader(words: words, file: "", codes: codes)
    for text in options.expectations { try readTyped(text, typed, into: &plan) }
    for text in options.ignored { try ignore(text, typed, into: &plan) }
    for code in options.only {
      let isBeginning = code.hasSuffix(".") && codes.contains { $0.hasPrefix(code) }
      if !isBeginning, let hint = typed.hint(code) { throw usage("--only: \(hint)") }
    }
    plan.only = options.only
    if let failOn = options.failOn { plan.failOn = failOn.severity }
    if let text = options.scope { plan.scope = try FilterWords.filter(text, words) }
    plan.baseline = try options.baseline.map { try BaselineFile.read($0) }
    for warning in plan.expectations.flatMap(\.filters).flatMap(\.warnings) {
      Terminal.report(warning)
    }
    let run = CheckRun(plan, inputs: inputs, limits: limits, zone: words.zone)
    self.run = run
    return run
  }

  /// Checks, and writes the report of `-o` at the end.
  func renderer() -> any Renderer {
    run!.renderer { [form, around] report, text in form.append(report, around, &text) }
  }

  /// The files that are written.
  var written: [String?] { options.reports.map(\.path) + [options.newBaseline] }

  /// Writes the files of `--report` and `--write-baseline`.
  ///
  /// - Parameter inputs: files that are read.
  func write(besides inputs: [String]) throws {
    guard let run else { return }
    var plain = around
    plain.isColored = false
    for report in options.reports {
      var text = TextBuffer()
      report.form.append(run.report, plain, &text)
      try ReportFile.write(&text, to: report.path, besides: inputs)
    }
    if let path = options.newBaseline {
      var text = TextBuffer()
      run.nextBaseline.append(to: &text)
      // A new baseline may replace the one that was read.
      try ReportFile.write(&text, to: path, besides: inputs.filter { $0 != options.baseline })
    }
  }

  /// The exit status of what was found.
  func judge() throws {
    guard let run else { return }
    let isBroken = run.report.results.contains { result in
      switch result.verdict {
      case .pass: false
      case .fail: true
      case .inconclusive: !options.allowsInconclusive
      case .nothing: !options.allowsNothing
      }
    }
    if isBroken { throw ExitCode(1) }
  }

  // MARK: reading

  /// The file of `-e`, or the one beside the evidence, or the one in the working folder.
  private func expectationsFile(beside read: [String]) -> String? {
    if let file = options.file { return file }
    let name = "wamptap-check.yaml"
    for path in read where path != "-" {
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      if Terminal.isFile("\(folder)\(name)") { return "\(folder)\(name)" }
    }
    return Terminal.isFile(name) ? name : nil
  }

  private func readTyped(
    _ text: String, _ reader: ExpectationsReader, into plan: inout CheckRun.Plan
  ) throws {
    do {
      try reader.readTyped(text, into: &plan)
    } catch {
      Terminal.report(
        "--expect: \(error.text)", picture: error.picture(in: ExpectationsReader.lines(text)))
      throw ExitCode(64)
    }
  }

  /// `CODE`, or `CODE=SUBJECT`.
  private func ignore(
    _ text: String, _ reader: ExpectationsReader, into plan: inout CheckRun.Plan
  ) throws {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let code = parts.first ?? ""
    if let hint = reader.hint(code) { throw usage("--ignore: \(hint)") }
    let subject = try parts.dropFirst().first.map { subject in
      let quoted = subject.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return try FilterWords.filter("subject == \"\(quoted)\"", reader.words)
    }
    plan.ignored.append(IgnoreRule(code, subject, because: "--ignore \(text)"))
  }

  private func usage(_ text: String) -> ExitCode {
    Terminal.report(text)
    return ExitCode(64)
  }
}
