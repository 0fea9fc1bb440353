// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Where views of a whole capture go, and what they look like: those of `show` that fit them.
struct ViewOptions: ParsableArguments {
  @Option(
    name: [.customShort("O"), .customLong("output-file")],
    help: ArgumentHelp("Write to this file.", valueName: "file"), completion: .file())
  var path: String?

  @Option(name: .customShort("t"), help: OutputOptions.timeHelp)
  var time = OutputOptions.Time.r

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Stop after this time: 30s, 5m, 2h.", valueName: "time"))
  var span: TimeSpan?

  @Flag(name: [.short, .long], help: "No connection headers and no summary.")
  var quiet = false

  @Option(help: ArgumentHelp("Colours: auto, always, never.", valueName: "when"))
  var color = OutputOptions.Color.auto

  @Flag(help: "Show credentials; they are masked by default.")
  var showSecrets = false

  /// All other options of `show` have their defaults.
  func output() throws -> OutputOptions {
    var output = try OutputOptions.parse([])
    (output.path, output.time, output.quiet) = (path, time, quiet)
    (output.color, output.showSecrets) = (color, showSecrets)
    return output
  }

  /// - Parameter count: messages after which it stops; nil for all.
  func stream(count: UInt64? = nil) throws -> StreamOptions {
    var stream = try StreamOptions.parse([])
    (stream.count, stream.span) = (count, span)
    return stream
  }
}
