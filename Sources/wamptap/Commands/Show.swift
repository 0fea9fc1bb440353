// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapRender
import TapSources

/// `wamptap [show] [evidence …]`: every message on a line.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    // Deriving it from the name of the type would take a sixth of the start-up.
    commandName: "show",
    abstract: "Print every message of captures or pasted text, one line each.",
    discussion: """
      Evidence is a capture file (pcap or pcapng, gzipped or not), a file of WAMP messages, or a \
      message itself: wamptap '[33,11,5862354]'. Without any, standard input is read.

      Exit status: 0 done, 2 evidence that cannot be read or is no WAMP, 64 bad usage.
      """)

  @Argument(
    help: ArgumentHelp(
      "A capture, a text file, '-' for standard input, or a pasted message.",
      valueName: "evidence"),
    completion: .file())
  var evidence: [String] = []

  @Option(
    name: .customShort("r"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Read this file, even when its name looks like a message.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup var output: OutputOptions

  @OptionGroup var stream: StreamOptions

  @OptionGroup var naming: NamesOptions

  func run() throws {
    var names = files + Pasted.joined(evidence)
    if names.isEmpty {
      if Terminal.isTerminal(.standardInput) {
        throw CleanExit.helpRequest(Wamptap.self).asUsage
      }
      names = ["-"]
    }
    try Run(names: names, files: files.count, output: output, stream: stream, naming: naming)
      .run()
  }
}

extension CleanExit {
  /// The help, but with the exit status of bad usage.
  fileprivate var asUsage: any Error {
    Terminal.write(Wamptap.helpMessage() + "\n", to: .standardOutput)
    return ExitCode(64)
  }
}
