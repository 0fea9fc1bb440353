// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapNames

/// Where the names of the application's own values are.
struct NamesOptions: ParsableArguments {
  @Option(
    name: .customLong("names"),
    help: ArgumentHelp(
      "Names of values, and what to mask (YAML); default: wamptap.yaml beside the input.",
      valueName: "file"),
    completion: .file())
  var namesPath: String?

  @Flag(name: .customLong("no-names"), help: "Look for no file of names.")
  var ignoresNames = false

  func validate() throws {
    if ignoresNames && namesPath != nil {
      throw ValidationError("--names and --no-names exclude each other")
    }
  }

  /// The file that is read, if there is one.
  ///
  /// - Parameter evidence: the files that are read.
  func path(beside evidence: [String]) -> String? {
    ignoresNames ? nil : namesPath ?? NamesFile.found(beside: evidence)
  }

  /// What the names file says, if there is one; which it is, is reported.
  ///
  /// - Parameter evidence: the files that are read.
  func load(beside evidence: [String], isQuiet: Bool) throws -> Names {
    guard let path = path(beside: evidence) else { return Names() }
    if path == "-" && evidence.contains("-") {
      Terminal.report("standard input cannot be the input and a names file at once")
      throw ExitCode(64)
    }
    do {
      let names = try NamesFile.read(path)
      let called = path == "-" ? "standard input" : path
      if !isQuiet {
        Terminal.report(
          names.isEmpty && names.filters.isEmpty
            ? "\(called): has no names and masks nothing" : "names are from \(called)")
      }
      return names
    } catch {
      let hint = namesPath == nil ? " (--no-names reads on without it)" : ""
      Terminal.report("\(error.text)\(hint)")
      throw ExitCode(2)
    }
  }
}
