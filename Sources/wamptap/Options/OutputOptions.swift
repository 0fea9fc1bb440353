// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapRender

/// How to render, and where to.
struct OutputOptions: ParsableArguments {
  enum Time: String, ExpressibleByArgument, CaseIterable { case r, a, d, e, u }
  enum Color: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

  static let timeHelp = ArgumentHelp(
    "Times: r since the first, a on the local clock, d since the line before, e since 1970,"
      + " u in UTC.", valueName: "mode")

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

  @Option(name: .customShort("t"), help: timeHelp)
  var time = Time.r

  @Flag(
    name: [.customShort("v"), .customLong("verbose")],
    help: "Every element below its message; twice: notes, pings, frames and HTTP heads too.")
  var verbosity: Int

  @Flag(help: "NDJSON with the elements of each message by their names.")
  var fields = false

  @Flag(
    name: [.customShort("x"), .customLong("hex")], help: "A hex dump below each message.")
  var hex = false

  @Flag(name: [.short, .long], help: "No connection headers and no summary.")
  var quiet = false

  @Flag(help: "Show findings that are notes too, and those that repeat what a message says.")
  var notes = false

  @Option(
    help: ArgumentHelp(
      "Cut lines to so many columns; those of the terminal, outside one nothing is cut.",
      valueName: "columns"))
  var width: Int?

  @Flag(help: "Cut no line, whatever the width of the terminal.")
  var wrap = false

  @Option(help: ArgumentHelp("Cut payloads in lines to so many bytes.", valueName: "bytes"))
  var maxPayload: Int?

  @Flag(help: "Begin lines with the number of the line of the log, or of the packet.")
  var lineNumbers = false

  @Flag(help: "Keep the other lines of a log, and what stands around its messages, in their place.")
  var context = false

  @Option(help: ArgumentHelp("Colours: auto, always, never.", valueName: "when"))
  var color = Color.auto

  @Flag(help: "Show credentials; they are masked by default.")
  var showSecrets = false

  /// What the line renderer is to show, for text that goes to `width` columns.
  func line(width: Int?, isColored: Bool) -> LineRenderer.Options {
    var line = LineRenderer.Options()
    line.isQuiet = quiet
    line.width = self.width ?? width
    if self.width == nil && width != nil { line.currentWidth = Terminal.currentWidth }
    line.wraps = wrap
    line.mostPayloadBytes = maxPayload ?? .max
    line.isColored = isColored
    line.time = TimeColumn.Mode(rawValue: time.rawValue) ?? .relative
    line.zone = Terminal.offset(at:)
    line.showsLineNumbers = lineNumbers
    line.showsTree = verbosity > 0
    line.showsAll = verbosity > 1
    line.showsNotes = notes || verbosity > 1
    line.showsFrames = verbosity > 1
    line.showsOctets = hex
    line.showsFields = fields
    line.source = { KnownFindings.source(of: $0) }
    return line
  }

  var renderer: Renderers.Choice? { Renderers.all.first { $0.name == format } }

  func validate() throws {
    if renderer == nil {
      let names = Renderers.all.map(\.name).joined(separator: ", ")
      throw ValidationError("unknown output format '\(format)'; there are: \(names)")
    }
    if let width, !(40...10_000).contains(width) {
      throw ValidationError("--width takes a number of columns, 40 to 10000")
    }
    if let maxPayload, maxPayload < 1 {
      throw ValidationError("--max-payload takes a number of bytes, 1 or more")
    }
    if fields && format != "ndjson" {
      throw ValidationError("--fields belongs to -o ndjson; -v shows the same as text")
    }
  }
}
