// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapEvidence
import TapInputs
import TapInspector

/// What is read.
struct EvidenceOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A capture, a text file, '-' for standard input, or a pasted message.",
      valueName: "input"),
    completion: .file())
  var evidence: [String] = []

  @Option(
    name: .customShort("r"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Read this file, even when its name looks like a message.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "The input format, if the content does not show it; see wamptap(1).", valueName: "format"),
    completion: .list(Inputs.names))
  var input: String?

  @Option(
    help: ArgumentHelp(
      "What the conversations speak: \(LayerFactory.dialects.joined(separator: ", ")).",
      valueName: "name"),
    completion: .list(LayerFactory.dialects))
  var dialect: String?

  @Option(
    help: ArgumentHelp(
      "With 1, long files are read by one thread, not by several.", valueName: "number"))
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a number, 1 or more") }
    if let input, !Inputs.names.contains(input) {
      throw ValidationError(
        "unknown input format '\(input)'; there are: \(Inputs.names.joined(separator: ", "))")
    }
    if let dialect, !LayerFactory.dialects.contains(dialect) {
      throw ValidationError(
        "unknown dialect '\(dialect)'; there are: \(LayerFactory.dialects.joined(separator: ", "))")
    }
  }

  /// What the options say about all evidence.
  var choice: InputChoice {
    var choice = InputChoice()
    choice.input = input
    choice.dialect = dialect
    return choice
  }

  /// All of it in order, the files first; standard input where nothing was named and it is no
  /// terminal, nil where it is one.
  var names: [String]? {
    let names = files + Pasted.joined(evidence)
    if !names.isEmpty { return names }
    return Terminal.isTerminal(.standardInput) ? nil : ["-"]
  }
}
