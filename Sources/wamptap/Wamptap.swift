// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapSources

/// The program: arguments in, exit status out.
@main
struct Wamptap: ParsableCommand {
  /// The version of this program (SemVer).
  static let number = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "wamptap",
    abstract: "Decode captures, logs and pasted messages into named, correlated messages.",
    usage: """
      wamptap [OPTIONS] FILE ...           captures (pcap, pcapng), logs, exports
      wamptap [OPTIONS] '[33,11,5862354]'  a pasted message
      wamptap [OPTIONS] -i lo port 8080    an interface, live
      wamptap SUBCOMMAND ...
      """,
    discussion: """
      WAMP, STOMP, SockJS, Socket.IO, MQTT, JSON-RPC and other protocols of JSON, over WebSocket \
      or TCP. Credentials are masked.

      Examples:
        wamptap chat.pcapng                        every message on a line
        wamptap -Y 'latency > 200ms' chat.pcapng   only what matches
        wamptap -v '[33,11,5862354]'               every element of a message
        wamptap -F app.log                         a log while it is written
        wamptap --keylog keys.txt tls.pcap         with the secrets of TLS
        wamptap -o ndjson chat.pcapng | jq .       for programs
        wamptap stats chat.pcapng                  counts, latencies, errors
        wamptap trace -Y PUBLISH chat.pcapng       who got it, who did not, and why
        wamptap check run.pcapng                   a verdict for CI
        wamptap explain 33                         what a number or a name means

      'wamptap show --help' has the options, 'man wamptap' everything.
      """,
    version: "wamptap \(number)",
    subcommands: [
      Show.self, Flow.self, Trace.self, Stats.self, Check.self, Annotate.self, Explain.self,
      Schema.self, Interfaces.self, Doctor.self,
    ],
    defaultSubcommand: Show.self)

  /// Names of the subcommands.
  static var commands: [String] {
    configuration.subcommands.map { $0._commandName }
  }

  /// As the argument parser would do it, but for four things: arguments keep bytes that are no
  /// UTF-8, values may stand right behind their options, what is said of arguments is safe for a
  /// terminal, and a failure to print help is reported.
  static func main() {
    do {
      let arguments = (1..<max(Int(CommandLine.argc), 1)).compactMap { number in
        CommandLine.unsafeArgv[number].map { FileName.text($0) }
      }
      if let plain = PlainArguments(arguments) { return try plain.show.run() }
      var command = try parseAsRoot(JoinedArguments.apart(arguments))
      try command.run()
    } catch {
      exit(withError: report(error))
    }
  }

  /// - Returns: what is to be exited with; all messages have been printed.
  private static func report(_ error: any Error) -> ExitCode {
    let code = exitCode(for: error)
    let text = fullMessage(for: error)
    if text.isEmpty { return code }
    if code == .success {
      do {
        try Output.show(text + "\n")
      } catch {
        return exitCode(for: error)
      }
    } else {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        Terminal.write(Text.escaped(String(line)) + "\n", to: .standardError)
      }
    }
    return code
  }
}
