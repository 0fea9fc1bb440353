// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `wamptap schema check`: what editors check the YAML files against.
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of a names file or an expectations file.",
    discussion: """
      WHICH is 'names', for wamptap.yaml, or 'check', for wamptap-check.yaml. Editors that know \
      YAML complete and check with it.

      Exit status: 0 done, 64 bad usage.
      """)

  /// The files that have one.
  enum File: String, ExpressibleByArgument, CaseIterable { case names, check }

  @Argument(help: ArgumentHelp("names or check.", valueName: "which"))
  var file: File

  func run() throws {
    switch file {
    case .names: try Output.show(SchemaText.names)
    case .check: try Output.show(SchemaText.check)
    }
  }
}
