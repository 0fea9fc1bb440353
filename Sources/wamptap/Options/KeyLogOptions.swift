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
      "TLS secrets (an NSS key log); otherwise the file that SSLKEYLOGFILE names.",
      valueName: "file"),
    completion: .file())
  var paths: [String] = []

  /// Has the floor take secrets from the key logs, and from what is added to them later.
  func follow(onto ground: Ground) throws(InputError) {
    if paths.isEmpty, let inherited { ground.follow(keyLog: inherited.readOn) }
    for path in paths {
      let log = try KeyLogFile(path)
      let before = ground.secrets.count
      ground.follow(keyLog: log.readOn)
      if let failure = log.failure { throw failure }
      if ground.secrets.count == before {
        Terminal.complain("\(path): has no TLS secrets so far, in the form of an NSS key log")
      }
    }
  }

  /// What the variable names need not be there: browsers make the file when they start.
  private var inherited: KeyLogFile? {
    guard let path = Terminal.environment("SSLKEYLOGFILE"), !path.isEmpty else { return nil }
    return try? KeyLogFile(path)
  }
}
