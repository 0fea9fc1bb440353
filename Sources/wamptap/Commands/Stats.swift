// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapRender

/// `wamptap stats chat.pcapng`: counts, rates and latencies of all traffic.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Sum up captures: counts, errors, latencies, sessions, reconnects and pings.",
    discussion: """
      Takes what 'wamptap show' takes. The tables are printed at the end, or at Control-C.

      Exit status: 0 done, 1 findings of --fail-on, 2 an input that cannot be read, 64 bad usage.
      """)

  @OptionGroup var evidence: EvidenceOptions

  @OptionGroup var filtering: FilterOptions

  @OptionGroup var failing: FailOnOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "How to render: \(Self.formats.joined(separator: ", ")).", valueName: "format"))
  var format = "text"

  @Option(
    name: [.customShort("O"), .customLong("output-file")],
    help: ArgumentHelp("Write to this file.", valueName: "file"))
  var path: String?

  @Option(
    help: ArgumentHelp(
      "Rows of each table of text; the rest is summed in one more.", valueName: "number"))
  var top = 20

  @Option(
    help: ArgumentHelp(
      "Sort tables by \(StatsSorting.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "column"),
    completion: .list(StatsSorting.allCases.map(\.rawValue)), transform: Self.sorting)
  var sort: StatsSorting?

  @Option(
    help: ArgumentHelp(
      "Only the slowest exchanges, one by one, so many of them.", valueName: "number"))
  var slowest: Int?

  @Option(
    help: ArgumentHelp(
      "Only the first exchanges that failed, one by one, so many of them.", valueName: "number"))
  var failed: Int?

  @Option(help: ArgumentHelp("Colours: auto, always, never.", valueName: "when"))
  var color = OutputOptions.Color.auto

  @OptionGroup var capture: CaptureOptions

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Stop after this time: 30s, 5m, 2h.", valueName: "time"))
  var span: TimeSpan?

  @OptionGroup var naming: NamesOptions

  @OptionGroup var keyLog: KeyLogOptions

  /// Exchanges that are kept one by one.
  private static let mostListed = 10_000

  private static var formats: [String] {
    Renderers.all.filter { $0.summing != nil }.map(\.name)
  }

  private static func sorting(_ word: String) throws -> StatsSorting {
    guard let sorting = StatsSorting(rawValue: word) else {
      throw ValidationError("there is no such column")
    }
    return sorting
  }

  func validate() throws {
    if top < 1 { throw ValidationError("--top takes a number of rows, 1 or more") }
    for (name, number) in [("--slowest", slowest), ("--failed", failed)] {
      if let number, !(1...Self.mostListed).contains(number) {
        throw ValidationError("\(name) takes a number of exchanges, 1 to \(Self.mostListed)")
      }
    }
    if !Self.formats.contains(format) {
      throw ValidationError(
        "unknown output format '\(format)'; there are: \(Self.formats.joined(separator: ", "))")
    }
  }

  func run() throws {
    guard let request = try capture.request(evidence, output: path) else {
      try Output.show(Stats.helpMessage() + "\n")
      throw ExitCode(64)
    }
    var output = try OutputOptions.parse([])
    (output.format, output.path, output.color) = (format, path, color)
    var stream = try StreamOptions.parse([])
    stream.span = span
    let summing = output.renderer!.summing!
    var options = StatsRenderer.Options()
    (options.rows, options.sorting) = (top, sort)
    (options.slowest, options.failed) = (slowest ?? 0, failed ?? 0)
    let runOptions = RunOptions(
      output: output, stream: stream, keyLog: keyLog, naming: naming, filtering: filtering,
      failing: failing)
    try Run(request, runOptions) { [options] line, inputs in
      var options = options
      (options.width, options.isColored, options.inputs) = (line.width, line.isColored, inputs)
      return summing(options)
    }.run()
  }
}
