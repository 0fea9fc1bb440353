// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapRender

/// How to render, and where to.
struct OutputOptions: ParsableArguments {
  enum Color: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "How to render: \(Renderers.all.map(\.name).joined(separator: ", ")).", valueName: "format"),
    completion: .list(Renderers.all.map(\.name)))
  var format = "text"

  @Option(
    name: [.customShort("O"), .customLong("output-file")],
    help: ArgumentHelp("Write to this file.", valueName: "file"), completion: .file())
  var path: String?

  @Flag(name: [.short, .long], help: "No connection headers and no summary.")
  var quiet = false

  @Option(help: ArgumentHelp("Colours: auto, always, never.", valueName: "when"))
  var color = Color.auto

  @Flag(help: "Show credentials as they were sent; they are masked otherwise.")
  var showSecrets = false

  var renderer: Renderers.Choice? { Renderers.all.first { $0.name == format } }

  func validate() throws {
    if renderer == nil {
      let names = Renderers.all.map(\.name).joined(separator: ", ")
      throw ValidationError("unknown output format '\(format)'; there are: \(names)")
    }
  }
}
