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

  @OptionGroup var evidence: EvidenceOptions

  @OptionGroup var output: OutputOptions

  @OptionGroup var stream: StreamOptions

  @OptionGroup var naming: NamesOptions

  func run() throws {
    guard let names = evidence.names else { throw CleanExit.helpRequest(Wamptap.self).asUsage }
    try Run(
      names: names, evidence: evidence, output: output, stream: stream,
      naming: naming
    ).run()
  }
}

extension CleanExit {
  /// The help, but with the exit status of bad usage.
  fileprivate var asUsage: any Error {
    Terminal.write(Wamptap.helpMessage() + "\n", to: .standardOutput)
    return ExitCode(64)
  }
}
