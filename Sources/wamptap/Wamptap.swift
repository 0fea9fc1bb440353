// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapSources

/// The program: arguments in, exit status out.
@main
struct Wamptap: ParsableCommand {
  /// Of this version (SemVer).
  static let number = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "wamptap",
    abstract: "Show what a WebSocket conversation means: WAMP messages named and joined.",
    version: "wamptap \(number)",
    subcommands: [
      Show.self, Flow.self, Stats.self, Check.self, Annotate.self, Explain.self, Schema.self,
      Interfaces.self, Doctor.self,
    ],
    defaultSubcommand: Show.self)

  /// As the argument parser would do it, but for three things: arguments keep bytes that are no
  /// UTF-8, what is said of them is safe for a terminal, and help that cannot be written is told.
  static func main() {
    do {
      let arguments = (1..<max(Int(CommandLine.argc), 1)).compactMap { number in
        CommandLine.unsafeArgv[number].map { FileName.text($0) }
      }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      exit(withError: tell(error))
    }
  }

  /// - Returns: what is to be exited with, of which everything is said.
  private static func tell(_ error: any Error) -> ExitCode {
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
