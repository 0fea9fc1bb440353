// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import TapBytes
import TapSources

/// `wamptap interfaces`: what `-i` takes here.
struct Interfaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interfaces",
    abstract: "List the interfaces that can be captured.",
    discussion: """
      By name, with their state, their link type where there is the right to open them, their \
      addresses, and what the system says of them.

      Exit status: 0 done, 2 they cannot be listed, 64 bad usage.
      """)

  @Flag(help: "Their names only.")
  var names = false

  func run() throws { try Self.list(namesOnly: names) }

  static func list(namesOnly: Bool) throws {
    let all: [NetworkInterface]
    do {
      all = try NetworkInterface.all()
    } catch {
      Terminal.report(error.description)
      throw ExitCode(2)
    }
    if all.isEmpty { Terminal.report("there is no interface that you may capture") }
    let rows = namesOnly ? all.map { [$0.name] } : all.map(row)
    var widths = [Int](repeating: 0, count: 4)
    for row in rows {
      for (column, cell) in row.prefix(4).enumerated() {
        widths[column] = max(widths[column], cell.count)
      }
    }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        if column + 1 < row.count {
          line += String(repeating: " ", count: max(widths[column] - cell.count, 0) + 2)
        }
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    try Output.show(text)
  }

  private static func row(_ interface: NetworkInterface) -> [String] {
    var state = interface.isUp ? "up" : "down"
    if interface.isUp && !interface.isRunning { state = "no link" }
    if interface.isLoopback { state += ", loopback" }
    if interface.isWireless { state += ", wireless" }
    let linkType = (try? interface.linkType())?.name ?? "-"
    let addresses = interface.addresses.isEmpty ? "-" : interface.addresses.joined(separator: " ")
    return [interface.name, state, linkType, addresses, interface.details].map(Text.escaped)
  }
}
