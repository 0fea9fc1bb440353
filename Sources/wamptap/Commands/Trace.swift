// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapRender
import TapTraffic

/// `wamptap trace FILE -Y …`: who got a publication, who did not and why; where a call spent its
/// time.
struct Trace: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract:
      "Follow publications to who got them, who did not and why, and calls over their legs.",
    discussion: """
      Takes what 'wamptap show' takes; -Y selects what is followed: any message of a \
      publication or a call stands for all of it. What no id says, and is inferred, is marked '~'. \
      Traces are printed when everything was read, as what follows says what became of a message.

      Exit status: 0 done, 2 an input that cannot be read, 64 bad usage.
      """)

  @OptionGroup var evidence: EvidenceOptions

  @OptionGroup var filtering: FilterOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("How to render: \(Self.formats).", valueName: "format"),
    completion: .list(Renderers.traces.map(\.name)))
  var format = "text"

  @Option(
    name: [.customShort("c"), .customLong("count")],
    help: ArgumentHelp("Print at most so many traces.", valueName: "number"))
  var count = 100

  @OptionGroup var capture: CaptureOptions

  @OptionGroup var view: ViewOptions

  @OptionGroup var naming: NamesOptions

  @OptionGroup var keyLog: KeyLogOptions

  private static var formats: String { Renderers.traces.map(\.name).joined(separator: ", ") }

  private var form: Renderers.Trace? { Renderers.traces.first { $0.name == format } }

  func validate() throws {
    if count < 1 { throw ValidationError("--count takes a number of traces, 1 or more") }
    if form == nil {
      throw ValidationError("unknown output format '\(format)'; there are: \(Self.formats)")
    }
  }

  func run() throws {
    guard let evidence = try capture.request(evidence, output: view.path) else {
      throw ValidationError("trace takes a capture, or reads standard input when that is piped")
    }
    let (form, count) = (form!, count)
    let options = RunOptions(
      output: try view.output(), stream: try view.stream(), keyLog: keyLog, naming: naming,
      filtering: filtering)
    try Run(evidence, options) { line, inputs in
      form.make(line, inputs, count)
    }.run()
  }
}
