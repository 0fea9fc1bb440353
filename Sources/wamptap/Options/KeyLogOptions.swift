// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapInspector
import TapSources
import TapTraffic

/// Where the secrets of TLS sessions are.
struct KeyLogOptions: ParsableArguments {
  @Option(
    name: .customLong("keylog"),
    help: ArgumentHelp(
      "TLS secrets (an NSS key log); default: the file that SSLKEYLOGFILE names.",
      valueName: "file"),
    completion: .file())
  var paths: [String] = []

  /// Opens the key logs. One that only root may read must be opened before root's rights are given
  /// up.
  func open() throws(InputError) -> [KeyLogFile] {
    if paths.isEmpty { return inherited.map { [$0] } ?? [] }
    var logs: [KeyLogFile] = []
    for path in paths { logs.append(try KeyLogFile(path)) }
    return logs
  }

  /// Has the engine take secrets from the key logs, and from what is added to them later.
  ///
  /// - Parameter isQuiet: an earlier reading has complained.
  func follow(
    _ logs: [KeyLogFile], onto engine: Engine, isQuiet: Bool = false
  ) throws(InputError) {
    if paths.isEmpty {
      for log in logs { engine.follow(keyLog: log.readOn) }
    }
    for (path, log) in zip(paths, logs) {
      let before = engine.secrets.count
      engine.follow(keyLog: log.readOn)
      if let failure = log.failure { throw failure }
      if engine.secrets.count == before && !isQuiet {
        Terminal.report("\(path): has no TLS secrets so far, in the form of an NSS key log")
      }
    }
  }

  /// The files that are named.
  var files: [String] {
    if !paths.isEmpty { return paths }
    return Terminal.environment("SSLKEYLOGFILE").map { [$0] } ?? []
  }

  /// The file that the variable names may not exist yet: browsers make it when they start.
  private var inherited: KeyLogFile? {
    guard let path = Terminal.environment("SSLKEYLOGFILE"), !path.isEmpty else { return nil }
    return try? KeyLogFile(path)
  }
}
