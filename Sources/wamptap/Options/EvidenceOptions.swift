// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// What is read.
struct EvidenceOptions: ParsableArguments {
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

  /// All of it in order, the files first; standard input where nothing was named and it is no
  /// terminal, nil where it is one.
  var names: [String]? {
    let names = files + Pasted.joined(evidence)
    if !names.isEmpty { return names }
    return Terminal.isTerminal(.standardInput) ? nil : ["-"]
  }
}
