// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The program: arguments in, exit status out.
@main
struct Wamptap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wamptap",
    abstract: "Show what a WebSocket conversation means: WAMP messages named and joined.",
    version: "wamptap 0.1.0",
    subcommands: [
      Show.self, Flow.self, Stats.self, Explain.self, Interfaces.self, Doctor.self,
    ],
    defaultSubcommand: Show.self)
}
