// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapRender
import TapSources

/// `wamptap [show] [evidence …]`: every message on a line.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print every message of captures or pasted text, one line each.",
    discussion: """
      An input is a capture file (pcap or pcapng, gzipped or not), a file of messages, or a \
      message itself: wamptap '[33,11,5862354]'. Without any, standard input is read. With -i, an \
      interface is captured, and words are a filter: wamptap -i lo port 8080.

      Exit status: 0 done, 1 findings of --fail-on, 2 an input that cannot be read, 64 bad usage.
      """)

  @OptionGroup var evidence: EvidenceOptions

  @Flag(
    name: [.customShort("D"), .customLong("list-interfaces")],
    help: "List the interfaces that can be captured; 'wamptap interfaces' does the same.")
  var listsInterfaces = false

  @OptionGroup var capture: CaptureOptions

  @OptionGroup var filtering: FilterOptions

  @OptionGroup var saving: SavingOptions

  @OptionGroup var failing: FailOnOptions

  @OptionGroup var output: OutputOptions

  @OptionGroup var stream: StreamOptions

  @OptionGroup var keyLog: KeyLogOptions

  @OptionGroup var naming: NamesOptions

  func validate() throws {
    if saving.path != nil && filtering.filter == nil {
      throw ValidationError("--save belongs to a filter: -Y 'exchange(failed)' --save x.pcapng")
    }
  }

  func run() throws {
    if listsInterfaces { return try Interfaces.list(namesOnly: false) }
    guard let request = try capture.request(evidence, output: output.path) else {
      // The help, but with the exit status of bad usage.
      try Output.show(Wamptap.helpMessage() + "\n")
      throw ExitCode(64)
    }
    let options = RunOptions(
      output: output, stream: stream, keyLog: keyLog, naming: naming, filtering: filtering,
      saving: saving, failing: failing)
    try Run(request, options).run()
  }
}
