// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapCheck
import TapTraffic

/// `wamptap check run.pcapng`: whether the traffic is as it is expected to be.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check captures against expectations, and say pass or fail.",
    discussion: """
      Takes what 'wamptap show' takes. Expectations are read from wamptap-check.yaml, see \
      wamptap-check(5), and from --expect; without any, findings that are errors fail.

      Exit status: 0 all pass; 1 something failed, was inconclusive, or had nothing to check; \
      2 inputs or expectations that cannot be read; 64 bad usage.
      """)

  @OptionGroup var evidence: EvidenceOptions

  @OptionGroup var options: CheckOptions

  @Option(
    name: [.customShort("O"), .customLong("output-file")],
    help: ArgumentHelp("Write to this file.", valueName: "file"), completion: .file())
  var path: String?

  @Flag(
    name: .customLong("init"),
    help: "Write a first file of expectations from what the capture shows, to be edited.")
  var begins = false

  @Flag(name: [.short, .long], help: "Do not say which files are used.")
  var quiet = false

  @Option(help: ArgumentHelp("Colours: auto, always, never.", valueName: "when"))
  var color = OutputOptions.Color.auto

  @OptionGroup var capture: CaptureOptions

  @OptionGroup var stream: StreamOptions

  @OptionGroup var naming: NamesOptions

  @OptionGroup var keyLog: KeyLogOptions

  func validate() throws {
    if begins && options.areGiven {
      throw ValidationError(
        "--init writes expectations and checks none; leave out options that check or report")
    }
  }

  func run() throws {
    guard let request = try capture.request(evidence, output: path) else {
      try Output.show(Check.helpMessage() + "\n")
      throw ExitCode(64)
    }
    var output = try OutputOptions.parse([])
    (output.path, output.color, output.quiet) = (path, color, quiet)
    let runOptions = RunOptions(
      output: output, stream: stream, keyLog: keyLog, naming: naming)
    if begins {
      return try Run(request, runOptions) { _, inputs in
        BoxedRenderer(StarterRenderer(inputs: inputs, limits: Limits()))
      }.run()
    }
    let isColored =
      color == .always || color == .auto && path == nil && Terminal.wantsColor
    let setup = try CheckSetup(options, isColored: isColored)
    try Run(request, runOptions, checking: setup).run()
  }
}
