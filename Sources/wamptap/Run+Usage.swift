// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapEvidence

/// What names and options make no sense together.
extension Run {
  /// Refuses too many names, and standard input named twice.
  func checkNames() throws {
    if names.count > Int(UInt16.max) {
      Terminal.report("\(names.count) files are more than can be read at once")
      throw ExitCode(64)
    }
    if names.count(where: { $0 == "-" }) > 1 {
      Terminal.report("standard input can be named only once")
      throw ExitCode(64)
    }
    if request.isLive && (options.stream.follows || request.choice.input != nil) {
      Terminal.report("-F and --input are about files, and -i reads an interface")
      throw ExitCode(64)
    }
  }

  /// Refuses two outputs in one file: one of them would be lost.
  func checkWritten() throws {
    let written =
      [options.output.path, options.saving?.path, request.path] + (checking?.written ?? [])
    var seen: Set<String> = []
    for path in written.compactMap({ $0 }) where path != "-" && !path.hasPrefix("/dev/") {
      if seen.insert(path).inserted { continue }
      Terminal.report("\(path): is named for two outputs; they need a file each")
      throw ExitCode(64)
    }
  }
}
